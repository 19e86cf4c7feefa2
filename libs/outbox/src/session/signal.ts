import { SingleFlight } from '@vitrine/concurrency';
import { asyncScheduler, Subject, throttleTime } from 'rxjs';

/** The shortest time between two signals, in milliseconds. */
export const SIGNAL_INTERVAL_MS = 50;

/** Makes `wake` at once on the first call, and then at most once in `SIGNAL_INTERVAL_MS` for all calls meanwhile. */
export function throttled(wake: () => void): () => void {
  const calls = new Subject<void>();
  calls
    .pipe(throttleTime(SIGNAL_INTERVAL_MS, asyncScheduler, { leading: true, trailing: true }))
    .subscribe(wake);
  return () => calls.next();
}

/**
 * Wakes listeners in other processes with NOTIFY. PostgreSQL commits transactions that notify one after the other, and each
 * holds the others up while it waits for the disk and for standbys. So a signal is a transaction that does nothing else: it
 * writes nothing and waits for neither. One signal at a time stands for all calls meanwhile. It may be lost: listeners must
 * also poll.
 */
export class Signal {
  private payloads = new Set<string>();
  private readonly sending = new SingleFlight(() => this.sendAll());
  private readonly wake = throttled(() => this.sending.wake());

  constructor(
    private readonly channel: string,
    private readonly query: (text: string, values: unknown[]) => Promise<unknown>,
  ) {}

  /** Sends the payload soon, once for equal ones. */
  send(payload = ''): void {
    this.payloads.add(payload);
    this.wake();
  }

  /** Resolves when everything has been sent. */
  async flush(): Promise<void> {
    while (this.payloads.size > 0 || this.sending.current) await this.sending.run();
  }

  private async sendAll(): Promise<void> {
    // Payloads of the same turn go together.
    await Promise.resolve();
    if (this.payloads.size === 0) return;
    const payloads = [...this.payloads];
    this.payloads.clear();
    await this.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
      this.channel,
      payloads,
    ]).catch(() => undefined);
  }
}
