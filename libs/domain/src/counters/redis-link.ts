import { waitAtMost } from '@vitrine/runtime';
import { Redis } from 'ioredis';

/** A request waits this long for Redis once, and then no request does until Redis has answered again. */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
/** A boot waits this long for Redis, so that the first requests are counted together already. */
const OPEN_WITHIN_MS = 1_000;
const PROBE_EVERY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 1_000;
/** Probing with a write tells a Redis that only reads (a replica, a full one) from one that counts. */
const PROBE_KEY = 'vitrine:probe';

/** A Redis that may be away, slow or dying at any moment, without anybody having to wait for it. */
export class RedisLink {
  readonly client: Redis;
  private up = false;
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  /** `onChange` hears when Redis comes and goes; with the reason, where it went. */
  constructor(
    url: string,
    private readonly onChange: (up: boolean, reason?: string) => void,
  ) {
    this.client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // What can't be sent or answered now fails now: the caller counts alone instead.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(100 * times, MAX_RECONNECT_DELAY_MS),
      keepAlive: 5_000,
    });
    this.client
      .on('ready', () => void this.probe())
      .on('error', (error: Error) => this.lose(error))
      .on('close', () => this.lose(new Error('the connection is closed')));
  }

  get isUp(): boolean {
    return this.up;
  }

  /** Connects; resolves when Redis answers, or after a second without it. Goes on trying then. */
  async open(): Promise<void> {
    const connected = this.client.connect().then(
      () => this.probe(),
      () => undefined,
    );
    await waitAtMost(OPEN_WITHIN_MS, connected);
    this.probing = setInterval(() => void this.probe(), PROBE_EVERY_MS).unref();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.probing);
    this.client.disconnect();
  }

  /** From now on nobody asks Redis, until a probe finds it well. */
  lose(error: unknown): void {
    if (!this.up || this.closed) return;
    this.up = false;
    this.onChange(false, error instanceof Error ? error.message : String(error));
  }

  private async probe(): Promise<void> {
    if (this.up || this.closed || this.client.status !== 'ready') return;
    try {
      await this.client.set(PROBE_KEY, '1', 'PX', 1_000);
    } catch {
      return;
    }
    if (this.up || this.closed) return;
    this.up = true;
    this.onChange(true);
  }
}
