import { Agent, request } from 'node:http';

export interface Reply {
  readonly text: string;
  /** Milliseconds from the first byte sent to the last byte received. */
  readonly ms: number;
}

/** A client that sends one request at a time over one connection that stays open. */
export class HttpProbe {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly base: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  /** Throws when the answer isn't a success: refusals are quick and would look like speed. */
  send(method: string, path: string, body?: object): Promise<Reply> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...this.headers,
      ...(payload !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(payload),
      }),
    };
    return new Promise((resolve, reject) => {
      const began = performance.now();
      request(this.base + path, { method, headers, agent: this.agent }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', reject)
          .on('end', () => {
            const ms = performance.now() - began;
            const text = Buffer.concat(chunks).toString();
            const { statusCode = 0 } = response;
            if (statusCode >= 200 && statusCode < 300) resolve({ text, ms });
            else reject(new Error(`${method} ${path} was answered ${statusCode}: ${text.slice(0, 500)}`));
          });
      })
        .on('error', reject)
        .end(payload);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
