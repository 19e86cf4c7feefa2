import { waitAtMost, withDeadline } from '@vitrine/concurrency';
import { Redis } from 'ioredis';

/** One request waits this long for a Redis that hangs; later requests do not wait until Redis has answered again. */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
/** The start of a process waits this long for Redis, so that the first requests are counted together already. */
const OPEN_WITHIN_MS = 1_000;
const PROBE_EVERY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 1_000;
/** The probe writes, because a replica or a full Redis answers reads and can't count. */
const PROBE_KEY = 'vitrine:probe';

/** A connection to a Redis that may be unavailable or slow at any time. Callers ask `isUp` and never wait for it. */
export class RedisLink {
  readonly client: Redis;
  private up = false;
  private probing: NodeJS.Timeout | undefined;
  private closed = false;

  /** `onChange` is called when Redis becomes available or unavailable; then with the reason. */
  constructor(
    url: string,
    private readonly onChange: (up: boolean, reason?: string) => void,
  ) {
    this.client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // For the commands of the library itself; `inTime` limits ours.
      commandTimeout: CONNECT_TIMEOUT_MS,
      // A command that can't be sent or answered now fails immediately, and the caller counts separately.
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

  /** Connects. Resolves when Redis answers, or after a second without an answer; then it goes on trying. */
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

  /** Runs a command. Rejects if Redis does not answer in time. */
  inTime<Result>(command: () => Promise<Result>): Promise<Result> {
    return withDeadline({ ms: COMMAND_TIMEOUT_MS, late: () => new Error('Command timed out') }, command);
  }

  /** Stops the use of Redis until a probe succeeds. */
  lose(error: unknown): void {
    if (!this.up || this.closed) return;
    this.up = false;
    this.onChange(false, error instanceof Error ? error.message : String(error));
  }

  private async probe(): Promise<void> {
    if (this.up || this.closed || this.client.status !== 'ready') return;
    try {
      await this.inTime(() => this.client.set(PROBE_KEY, '1', 'PX', 1_000));
    } catch {
      return;
    }
    if (this.up || this.closed) return;
    this.up = true;
    this.onChange(true);
  }
}

/** Whether the Redis at `url` answers within a second and accepts writes. */
export async function probeRedis(url: string): Promise<boolean> {
  const link = new RedisLink(url, () => undefined);
  try {
    await link.open();
    return link.isUp;
  } finally {
    link.close();
  }
}
