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

/** Sends a body with an idempotency key, as the website and @vitrine/client do. Resolves with the milliseconds until the complete answer. Throws unless the status is 201. */
export async function send({ url, token, agent }: Target, body: Buffer): Promise<number> {
  const began = performance.now();
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': body.length,
        'Idempotency-Key': randomUUID(),
      },
    });
    outgoing.on('error', reject).on('response', (response) => {
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
  if (status !== 201) throw new Error(`An upload was answered ${status}: ${text}`);
  return performance.now() - began;
}

/** Sends bodies at the same time and resolves with the milliseconds until the last answer. */
export const sendAll = (target: Target, bodies: readonly Buffer[]): Promise<number> =>
  timed(() => Promise.all(bodies.map((body) => send(target, body))));
