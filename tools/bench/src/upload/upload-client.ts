import { randomUUID } from 'node:crypto';
import { type Agent, request } from 'node:http';
import { timed } from '../harness/alternate';

const BOUNDARY = 'vitrine-bench-boundary';
const CHUNK = 1 << 16;

/** A multipart body with one file. */
export const multipart = (file: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** The address for uploads, and the account that uploads. */
export interface Target {
  readonly url: string;
  readonly token: string;
  readonly agent: Agent;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a body with an idempotency key, as the website and @vitrine/client do. Resolves with the milliseconds until the
 * complete answer. Throws unless the status is 201.
 */
export async function send(target: Target, body: Buffer): Promise<number> {
  const began = performance.now();
  const { status, text } = await post(target, body);
  if (status !== 201) throw new Error(`An upload was answered ${status}: ${text}`);
  return performance.now() - began;
}

function post(target: Target, body: Buffer, key: string = randomUUID()): Promise<Answer> {
  const { url, token, agent } = target;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': body.length,
        'Idempotency-Key': key,
      },
    });
    // The server may close a kept connection in the moment in which the request is sent on it.
    const isStale = (error: Error): boolean =>
      outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    outgoing.on('error', (error) => (isStale(error) ? resolve(post(target, body, key)) : reject(error)));
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    let at = 0;
    const writeOn = (): void => {
      while (at < body.length) {
        const chunk = body.subarray(at, (at += CHUNK));
        if (!outgoing.write(chunk)) return void outgoing.once('drain', writeOn);
      }
      outgoing.end();
    };
    writeOn();
  });
}

/** Sends bodies at the same time and resolves with the milliseconds until the last answer. */
export const sendAll = (target: Target, bodies: readonly Buffer[]): Promise<number> =>
  timed(() => Promise.all(bodies.map((body) => send(target, body))));
