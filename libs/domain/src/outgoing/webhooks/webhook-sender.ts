import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { OutgoingNetwork, RefusedDestinationError } from '../requests/outgoing-network';
import { readDestination } from '../requests/destination.rules';
import type { SendResult } from './webhook.types';
import { WebhooksConfig } from './webhooks.config';

/** Bytes of a response that are kept. */
const KEPT_BYTES = 1024;
/** Bytes of a response that are read before the connection is closed. */
const READ_BYTES = 16_384;
/** Time for the body after the status, in milliseconds. The status alone decides. */
const BODY_MS = 2_000;

/** Sends signed requests to receivers, which are strangers' servers. */
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
    const options = { method: 'POST', headers, signal };
    const response = await this.network.request(url, this.config, options, body);
    const status = response.statusCode ?? 0;
    const text = await readBeginning(response);
    return { status, body: text, error: status >= 200 && status < 300 ? null : describeStatus(status) };
  }
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
