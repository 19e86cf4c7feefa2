import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A response, or the end of the connection without a response. */
export type Scripted =
  { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown } | 'cut';

/** A real HTTP server that answers by a script and records the requests. */
export class ScriptedServer {
  readonly received: Received[] = [];
  private script: (request: Received, count: number) => Scripted = () => ({});
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('error', () => undefined);
      request.on('end', () => this.answer(request, Buffer.concat(pieces), response));
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new ScriptedServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Sets the responses from now on, by request and by the number of earlier requests. Clears `received`. */
  play(script: (request: Received, count: number) => Scripted): void {
    this.received.length = 0;
    this.script = script;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const got = { method, url, headers, body };
    const scripted = this.script(got, this.received.length);
    this.received.push(got);
    if (scripted === 'cut') {
      request.socket.destroy();
      return;
    }
    response.writeHead(scripted.status ?? 200, { 'Content-Type': 'application/json', ...scripted.headers });
    response.end(JSON.stringify(scripted.body ?? {}));
  }
}
