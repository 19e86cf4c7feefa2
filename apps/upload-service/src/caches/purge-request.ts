import { type IncomingHttpHeaders, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { CachePurgeError } from './cache-purger';

/** Bytes of an answer that are read. */
const MAX_BYTES = 65_536;

export interface PurgeRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address to connect to instead of the one that the name resolves to first. */
  readonly address?: string;
}

export interface PurgeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most the first 64 KiB. */
  readonly text: string;
}

/**
 * Sends one request and reads its answer. Redirects are not followed. Throws `CachePurgeError` if there is no answer before
 * `signal` is aborted.
 */
export async function sendPurge(
  url: string,
  request: PurgeRequest,
  signal: AbortSignal,
): Promise<PurgeAnswer> {
  const target = new URL(url);
  try {
    return await exchange(target, request, signal);
  } catch (error) {
    const reason = signal.aborted ? 'no answer in time' : codeOf(error);
    throw new CachePurgeError(`${request.address ?? target.hostname}: ${reason}`);
  }
}

/** All IPv4 addresses of a URL's host, or its IPv6 addresses if it has none: each instance behind a name is told. */
export async function addressesOf(url: string): Promise<readonly string[]> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host)) return [host];
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw new CachePurgeError(`${host}: ${codeOf(error)}`);
  });
  const ofFamily = (family: number): string[] =>
    found.filter((each) => each.family === family).map(({ address }) => address);
  return ofFamily(4).length > 0 ? ofFamily(4) : ofFamily(6);
}

function exchange(
  target: URL,
  { method, headers, body, address }: PurgeRequest,
  signal: AbortSignal,
): Promise<PurgeAnswer> {
  const options: RequestOptions & { servername?: string } = {
    method,
    path: target.pathname + target.search,
    host: address ?? target.hostname.replace(/^\[|\]$/g, ''),
    port: target.port || (target.protocol === 'https:' ? 443 : 80),
    headers: { Host: target.host, ...headers, 'Content-Length': String(Buffer.byteLength(body ?? '')) },
    signal,
    ...(isIP(target.hostname) === 0 && { servername: target.hostname }),
  };
  return new Promise((resolve, reject) => {
    const sending = (target.protocol === 'https:' ? requestHttps : requestHttp)(options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = (): void => {
        const text = Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < MAX_BYTES) return;
        finish();
        response.destroy();
      });
      response.on('end', finish).on('error', reject);
    });
    sending.on('error', reject).end(body);
  });
}

/** A short reason without addresses or credentials. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'the request failed';
