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
 * The faults of a network. `delay`: every packet takes longer. `reset`: every connection is reset, old and new.
 * `half-open`: old connections are reset; new ones are accepted but nothing is sent on them. `black hole`: old connections
 * stop transferring and stay open; new ones are accepted but nothing is sent on them.
 */
export const FAULTS = ['delay', 'reset', 'half-open', 'black hole'] as const;
export type Fault = (typeof FAULTS)[number];

interface Pair {
  readonly near: Socket;
  /** The connection to the engine; absent when it was never made. */
  readonly far?: Socket;
  /** Whether nothing is forwarded, not even the end of the connection. */
  mute: boolean;
}

/** A TCP proxy on loopback between one process and one engine that can cause faults. */
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

  /** Listens on a free port. `delayMs` is what the fault `delay` adds to each packet in each direction. */
  static async start(delayMs: number): Promise<FaultProxy> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, delayMs);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Sets the target of new connections. */
  leadTo(upstream: NetConnectOpts): void {
    this.upstream = upstream;
  }

  cause(fault: Fault): void {
    this.fault = fault;
    if (fault === 'delay') return;
    for (const pair of this.pairs) {
      if (fault === 'black hole') pair.mute = true;
      else this.reset(pair);
    }
  }

  /** Ends the fault for new connections. Silent connections stay silent until a client closes them. */
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

  /** Forwards bytes and the end in order, each with the delay that applies at that moment. */
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
    // The other side learns of this end only when the network is back and its first packet is refused.
    if (pair.mute && this.fault !== undefined) return;
    if (pair.mute && other === pair.near) return;
    this.later(() => other.destroy());
    if (pair.near.destroyed) this.forget(pair);
  }

  private reset({ near, far }: Pair): void {
    near.resetAndDestroy();
    // Only TCP has resets; an engine behind a Unix socket sees a normal end.
    far?.destroy();
  }

  private forget(pair: Pair): void {
    pair.far?.destroy();
    this.pairs.delete(pair);
  }
}
