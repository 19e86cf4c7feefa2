import { once } from 'node:events';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';

/**
 * What a network may do to whoever relies on it:
 * `delay`: every packet takes longer. `reset`: every connection is reset, old and new. `half-open`: old connections
 * are reset; new ones are accepted, and nobody speaks. `black hole`: old connections fall silent in the middle of
 * whatever they were at, and stay so for ever; new ones are accepted, and nobody speaks.
 */
export const FAULTS = ['delay', 'reset', 'half-open', 'black hole'] as const;
export type Fault = (typeof FAULTS)[number];

interface Pair {
  readonly near: Socket;
  /** Towards the engine; absent where it was never reached. */
  readonly far?: Socket;
  /** Nothing passes any more, not even an end. */
  mute: boolean;
}

/** A stretch of network between one process and one engine, on loopback, in which faults can be set off. */
export class FaultProxy {
  private readonly pairs = new Set<Pair>();
  private fault: Fault | undefined;
  private upstream: NetConnectOpts | undefined;

  private constructor(
    private readonly server: Server,
    private readonly delayMs: number,
  ) {
    server.on('connection', (near) => this.accept(near));
  }

  /** Listens on a port of its own; `delayMs` is what `delay` adds to each packet, each way. */
  static async start(delayMs: number): Promise<FaultProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, delayMs);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Where connections lead from now on. */
  leadTo(upstream: NetConnectOpts): void {
    this.upstream = upstream;
  }

  inflict(fault: Fault): void {
    this.fault = fault;
    if (fault === 'delay') return;
    for (const pair of this.pairs) {
      if (fault === 'black hole') pair.mute = true;
      else this.reset(pair);
    }
  }

  /** New connections pass again; those that have fallen silent stay so until their own end gives them up. */
  heal(): void {
    this.fault = undefined;
    for (const pair of this.pairs) if (pair.near.destroyed) this.forget(pair);
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { near, far } of this.pairs) {
      near.destroy();
      far?.destroy();
    }
    await closed;
  }

  private accept(near: Socket): void {
    near.on('error', () => undefined);
    if (this.fault === 'reset') {
      near.resetAndDestroy();
      return;
    }
    if (this.fault === 'half-open' || this.fault === 'black hole' || !this.upstream) {
      const pair: Pair = { near, mute: true };
      this.pairs.add(pair);
      near.resume().on('close', () => this.forget(pair));
      return;
    }
    const far = connect({ ...this.upstream, noDelay: true });
    const pair: Pair = { near, far, mute: false };
    this.pairs.add(pair);
    far.on('error', () => undefined);
    this.forward(near, far, pair);
    this.forward(far, near, pair);
    near.on('close', () => this.closed(pair, far));
    far.on('close', () => this.closed(pair, near));
  }

  /** Bytes and the end, in their order, each as late as the network is then. */
  private forward(from: Socket, to: Socket, pair: Pair): void {
    from.on('data', (bytes) =>
      this.later(() => {
        if (pair.mute || to.destroyed) return;
        if (to.write(bytes)) return;
        from.pause();
        to.once('drain', () => from.resume());
      }),
    );
    from.on('end', () => this.later(() => pair.mute || to.end()));
  }

  private later(work: () => void): void {
    if (this.fault === 'delay') setTimeout(work, this.delayMs);
    else work();
  }

  private closed(pair: Pair, other: Socket): void {
    // An end that nobody hears of, until the network is back and the first packet finds nobody there.
    if (pair.mute && this.fault !== undefined) return;
    if (pair.mute && other === pair.near) return;
    this.later(() => other.destroy());
    if (pair.near.destroyed) this.forget(pair);
  }

  private reset({ near, far }: Pair): void {
    near.resetAndDestroy();
    // Only TCP knows a reset; an engine behind a Unix socket sees an end.
    far?.destroy();
  }

  private forget(pair: Pair): void {
    pair.far?.destroy();
    this.pairs.delete(pair);
  }
}

/** An engine's address by way of a proxy, which leads to where it led before. */
export function throughProxy(address: string, proxy: FaultProxy): string {
  const url = new URL(address);
  // The embedded database listens on a socket in a folder, which stands where a host would.
  const folder = url.searchParams.get('host');
  proxy.leadTo(folder ? { path: `${folder}/.s.PGSQL.5432` } : { host: url.hostname, port: Number(url.port) });
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return url.toString();
}
