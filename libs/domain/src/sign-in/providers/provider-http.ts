import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { errorMessage } from '@vitrine/runtime';
import { OutgoingNetwork } from '../../outgoing/requests/outgoing-network';
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
  readonly fetch = async (
    address: string,
    { method = 'GET', headers: fields = {}, body: form, signal: ends }: Sent,
  ): Promise<Response> => {
    const limit = AbortSignal.timeout(this.config.timeoutSeconds * 1000);
    const signal = ends ? AbortSignal.any([ends, limit]) : limit;
    try {
      const url = new URL(address);
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.config.allowPrivate))
        throw new Error('The address does not begin with https://.');
      const options = { method, headers: Object.fromEntries(new Headers(fields)), signal };
      // The libraries send forms and nothing else.
      const text = (form as string | URLSearchParams | null | undefined)?.toString();
      const response = await this.network.request(url, this.config, options, text);
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
