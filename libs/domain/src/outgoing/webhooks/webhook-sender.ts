import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { untilAborted } from '@vitrine/concurrency';
import { lookupOnly, OutgoingNetwork, RefusedDestinationError } from '../requests/outgoing-network';
import { hostOf } from '../requests/public-address';
import { readDestination } from './destination.rules';
import type { SendResult } from './webhook.types';
import { WebhooksConfig } from './webhooks.config';

/** Bytes of a response that are kept. */
const KEPT_BYTES = 1024;
/** Bytes of a response that are read before the connection is closed. */
const READ_BYTES = 16_384;
/** Time for the body after the status, in milliseconds. The status alone decides. */
const BODY_MS = 2_000;

/**
 * Sends signed requests to receivers, which are strangers' servers. A name is resolved once, all its addresses are
 * checked, and only these addresses are connected to, so that a second answer of DNS can't lead elsewhere. Redirects
 * are not followed.
 */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly config: WebhooksConfig,
    private readonly network: OutgoingNetwork,
  ) {}

  /** POSTs `body`. Never rejects, unless `stop` ends the attempt. */
  async send(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    stop: AbortSignal,
  ): Promise<SendResult> {
    const begun = performance.now();
    const limit = AbortSignal.timeout(this.config.timeoutSeconds * 1000);
    const signal = AbortSignal.any([stop, limit]);
    const outcome = await this.exchange(address, headers, body, signal).catch((error: unknown) => {
      stop.throwIfAborted();
      const timedOut = limit.aborted;
      return {
        status: null,
        body: null,
        error: timedOut ? `No answer within ${this.config.timeoutSeconds} seconds.` : explain(error),
      };
    });
    return { ...outcome, tookMs: Math.round(performance.now() - begun) };
  }

  private async exchange(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Omit<SendResult, 'tookMs'>> {
    const url = readDestination(address, this.config);
    if (typeof url === 'string') throw new RefusedDestinationError(`The address ${url}.`);
    const addresses = await untilAborted(this.network.resolve(hostOf(url), this.config), signal);
    const response = await post(url, addresses, headers, body, signal);
    const status = response.statusCode ?? 0;
    const text = await readBeginning(response);
    return { status, body: text, error: status >= 200 && status < 300 ? null : describeStatus(status) };
  }
}

/** Connects to one of `addresses`, sends the request and resolves with the response's head. */
function post(
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sending = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        lookup: lookupOnly(addresses),
        signal,
      },
      resolve,
    );
    sending.on('error', reject);
    sending.end(body);
  });
}

/** Reads the first bytes of a body as text and closes the connection. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), BODY_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes < KEPT_BYTES) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= READ_BYTES) break;
    }
  } catch {
    // A body that ends early changes nothing: the status has arrived.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  // PostgreSQL's texts hold no NUL.
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

const describeStatus = (status: number): string =>
  status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed.`
    : `The receiver answered ${status}.`;

/** An error as the webhook's owner sees it, without our own addresses. */
function explain(error: unknown): string {
  if (error instanceof RefusedDestinationError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return `The request failed: ${code}.`;
}
