import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { errorMessage } from '../errors/error-message';
import type { Sweep } from './sweep';

/** A sweep that runs periodically, and what its next pause depends on. */
interface Begun {
  readonly sweep: Sweep;
  /** Why the last run failed; null if it didn't. */
  failure: string | null;
  /** Somebody has asked for a run that hasn't begun yet. */
  isWoken: boolean;
  /** When the last run ended, in milliseconds of `performance.now()`. */
  endedAt: number;
  /** The pause that goes on now. */
  pause: { readonly timer: NodeJS.Timeout; readonly until: number } | undefined;
}

/**
 * Runs sweeps at their intervals, and counts and logs what they did. A sweep that fails runs again at its next interval.
 * An interval begins when the last run has ended, so runs never overlap, and a stopping process waits for the current run.
 * `@nestjs/schedule` does neither.
 */
@Injectable()
export class Sweeper implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private readonly done: Counter<'sweep' | 'action'>;
  private readonly begun = new Map<Sweep, Begun>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(metrics: Registry) {
    this.done = new Counter({
      name: 'vitrine_swept_total',
      help: 'Actions of the sweeps, by sweep and action.',
      labelNames: ['sweep', 'action'],
      registers: [metrics],
    });
  }

  /** Runs a sweep periodically until the process stops. */
  begin(sweep: Sweep): void {
    const begun = { sweep, failure: null, isWoken: false, endedAt: performance.now(), pause: undefined };
    this.begun.set(sweep, begun);
    if (sweep.startsAtOnce) this.start(begun);
    else this.pauseFor(begun, sweep.intervalSeconds);
  }

  /**
   * Runs a sweep as soon as `intervalSeconds` have passed since its last run, because it has work. Has no effect on a sweep
   * that was not begun.
   */
  wake(sweep: Sweep): void {
    const begun = this.begun.get(sweep);
    if (!begun) return;
    begun.isWoken = true;
    // Otherwise it is running now, and the pause after the run is a short one.
    if (!begun.pause) return;
    const at = Math.max(performance.now(), begun.endedAt + sweep.intervalSeconds * 1000);
    if (at < begun.pause.until) this.pauseFor(begun, (at - performance.now()) / 1000, 0);
  }

  /** Waits until the current runs end, while connections are still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const { pause } of this.begun.values()) clearTimeout(pause?.timer);
    await Promise.all(this.running);
  }

  private start(begun: Begun): void {
    if (this.stopped) return;
    begun.pause = undefined;
    const wasWoken = begun.isWoken;
    begun.isWoken = false;
    const { sweep } = begun;
    const run = this.run(sweep, begun.failure).then((failure) => {
      this.running.delete(run);
      begun.failure = failure;
      begun.endedAt = performance.now();
      // After work there is often more, and the measurements of a sweep must show that there is none.
      const isBusy = wasWoken || begun.isWoken || failure !== null;
      this.pauseFor(begun, isBusy ? sweep.intervalSeconds : (sweep.restSeconds ?? sweep.intervalSeconds));
    });
    this.running.add(run);
  }

  private pauseFor(begun: Begun, seconds: number, jitter = begun.sweep.jitter): void {
    clearTimeout(begun.pause?.timer);
    if (this.stopped) return;
    const milliseconds = seconds * 1000 * (1 - jitter + 2 * jitter * Math.random());
    const timer = setTimeout(() => this.start(begun), milliseconds).unref();
    begun.pause = { timer, until: performance.now() + milliseconds };
  }

  /** Returns why it failed, or null. `failure` is the result of the run before, so that an outage is logged only once. */
  private async run(sweep: Sweep, failure: string | null): Promise<string | null> {
    try {
      this.report(sweep, await sweep.runOnce(() => !this.stopped));
      if (failure !== null) this.logger.log(`${sweep.name}: works again`);
      return null;
    } catch (error) {
      const message = errorMessage(error);
      if (message !== failure) {
        this.logger.warn(`${sweep.name} failed and will be tried again: ${message}`);
      }
      return message;
    }
  }

  private report({ name }: Sweep, counts: Readonly<Record<string, number>>): void {
    const actions = Object.entries(counts).filter(([, count]) => count > 0);
    for (const [action, count] of actions) this.done.inc({ sweep: name, action }, count);
    if (actions.length > 0) {
      this.logger.log(`${name}: ${actions.map(([action, count]) => `${action} ${count}`).join(', ')}`);
    }
  }
}
