import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** One replica of a service behind the proxy. */
export interface Endpoint {
  readonly name: string;
  readonly port: number;
  /** Answers 200 while the replica accepts new connections. */
  readonly readyUrl: string;
}

/** Interval between two readiness probes. */
const PROBE_MS = 250;

/**
 * Behaves like a Kubernetes Service: each new connection goes to one of the ready endpoints, in turn. Existing connections
 * stay at their endpoint, even when that is no longer ready.
 */
export class ReadyProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly endpoints = new Map<string, Endpoint>();
  private readonly ready = new Set<string>();
  private probing: Promise<void> = Promise.resolve();
  private closed = false;
  private turn = 0;
  /** The number of connections that found no ready endpoint. */
  refused = 0;

  private constructor() {
    this.server = createServer({ allowHalfOpen: true }, (client) => this.forward(client));
  }

  static async open(): Promise<ReadyProxy> {
    const proxy = new ReadyProxy();
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    proxy.probing = proxy.probe();
    return proxy;
  }

  get port(): number {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy is closed');
    return address.port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  add(endpoint: Endpoint): void {
    this.endpoints.set(endpoint.name, endpoint);
  }

  /** Stops sending new connections to an endpoint, as for a pod that is being deleted, even if it is ready. */
  withdraw(name: string): void {
    this.endpoints.delete(name);
    this.ready.delete(name);
  }

  /** Resolves when the endpoint gets connections. Throws after `patienceMs`. */
  async untilReady(name: string, patienceMs: number): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!this.ready.has(name)) {
      if (Date.now() > deadline) throw new Error(`${name} did not become ready`);
      await pause(PROBE_MS / 5);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await this.probing;
  }

  private forward(client: Socket): void {
    const ready = [...this.endpoints.values()].filter(({ name }) => this.ready.has(name));
    const endpoint = ready[this.turn++ % Math.max(1, ready.length)];
    if (!endpoint) {
      this.refused++;
      client.destroy();
      return;
    }
    const upstream = connect({ port: endpoint.port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true).pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  private async probe(): Promise<void> {
    while (!this.closed) {
      await Promise.all([...this.endpoints.values()].map((endpoint) => this.ask(endpoint)));
      await pause(PROBE_MS);
    }
  }

  private async ask({ name, readyUrl }: Endpoint): Promise<void> {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok && this.endpoints.has(name)) this.ready.add(name);
    else this.ready.delete(name);
  }
}
