import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Reply {
  readonly text: string;
  /** Bytes of the body on the wire. */
  readonly bytes: number;
  /** From the first byte sent to the last received. */
  readonly ms: number;
}

/** Asks as a browser does: compressed, over one connection that stays open. */
export class BrowserProbe {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly base: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Throws where the answer isn't 200: a refusal is quick, and would pass for speed. */
  get(path: string): Promise<Reply> {
    const headers = { 'Accept-Encoding': 'gzip, deflate, br', ...this.headers };
    return new Promise((resolve, reject) => {
      const began = performance.now();
      request(this.base + path, { headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const ms = performance.now() - began;
            const body = Buffer.concat(chunks);
            const text = decoded(body, response.headers);
            if (response.statusCode === 200) resolve({ text, bytes: body.length, ms });
            else reject(new Error(`${path} was answered ${response.statusCode}: ${text.slice(0, 500)}`));
          });
      })
        .on('error', reject)
        .end();
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

function decoded(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}
