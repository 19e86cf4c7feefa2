import { Agent, request } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body: string;
  /** From the first byte sent to the last received. */
  readonly ms: number;
}

/** One client of one gateway, over one connection that stays open. */
export class HttpProbe {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  /** Throws where the answer isn't a success: a refusal is quick, and would pass for speed. */
  async send(method: string, path: string, body?: object): Promise<Reply> {
    const reply = await this.exchange(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path} was answered ${reply.status}: ${reply.body}`);
    return reply;
  }

  close(): void {
    this.agent.destroy();
  }

  private exchange(method: string, path: string, body?: object): Promise<Reply> {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Authorization: `Bearer ${this.token}`,
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
          .on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString(),
              ms: performance.now() - began,
            }),
          );
      })
        .on('error', reject)
        .end(payload);
    });
  }
}
