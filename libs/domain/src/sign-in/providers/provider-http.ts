import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Injectable } from '@nestjs/common';
import { untilAborted } from '@vitrine/concurrency';
import { errorMessage } from '@vitrine/runtime';
import { lookupOnly, OutgoingNetwork } from '../../outgoing/requests/outgoing-network';
import { hostOf } from '../../outgoing/requests/public-address';
import { IdentityProvidersConfig } from './identity-providers.config';
import { ProviderUnreachableError } from './provider-errors';

/** The largest answer. Metadata, keys and tokens have a few kilobytes. */
const MAX_BYTES = 262_144;

/** What the libraries pass to a replacement of `fetch`. */
interface Sent {
  readonly method?: string | undefined;
  readonly headers?: Headers | Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests to identity providers. Their metadata may name any address, so every host is checked before it is connected
 * to, redirects are not followed, and time and size of answers are limited.
 */
@Injectable()
export class ProviderHttp {
  constructor(
    private readonly config: IdentityProvidersConfig,
    private readonly network: OutgoingNetwork,
  ) {}

  /** Replaces `fetch` in the libraries. Throws `ProviderUnreachableError`, also for answers 500 and above. */
  readonly fetch = async (address: string, sent: Sent): Promise<Response> => {
    const limit = AbortSignal.timeout(this.config.timeoutSeconds * 1000);
    const signal = sent.signal ? AbortSignal.any([sent.signal, limit]) : limit;
    try {
      const url = new URL(address);
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.config.allowPrivate))
        throw new Error('The address does not begin with https://.');
      const addresses = await untilAborted(this.network.resolve(hostOf(url), this.config), signal);
      const response = await send(url, addresses, sent, signal);
      const { statusCode = 500, headers } = response;
      const body = await readAll(response);
      if (statusCode >= 500) throw new Error(`The answer has the status ${statusCode}.`);
      const type = headers['content-type'];
      return new Response(statusCode === 204 ? null : body, {
        status: statusCode,
        headers: type === undefined ? {} : { 'Content-Type': type },
      });
    } catch (error) {
      const why = limit.aborted
        ? `There was no answer within ${this.config.timeoutSeconds} seconds.`
        : errorMessage(error);
      throw new ProviderUnreachableError(why, { cause: error });
    }
  };
}

function send(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers = {}, body }: Sent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // The libraries send forms and nothing else.
  const text = body === undefined || body === null ? '' : (body as string | URLSearchParams).toString();
  return new Promise((resolve, reject) => {
    const sending = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method,
        headers: {
          ...Object.fromEntries(new Headers(headers)),
          ...(text !== '' && { 'Content-Length': Buffer.byteLength(text) }),
        },
        agent: false,
        lookup: lookupOnly(addresses),
        signal,
      },
      resolve,
    );
    sending.on('error', reject);
    sending.end(text);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      response.destroy();
      throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
