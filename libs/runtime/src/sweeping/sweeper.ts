import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { errorMessage } from '../errors/error-message';
import type { Sweep } from './sweep';

/** Runs sweeps at their intervals, and counts and logs what they did. A sweep that fails runs again at its next interval. */
@Injectable()
export class Sweeper implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private readonly done: Counter<'sweep' | 'action'>;
  private readonly timers = new Set<NodeJS.Timeout>();
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
    if (sweep.startsAtOnce) this.start(sweep, null);
    else this.schedule(sweep, null);
  }

  /** Waits until the current runs end, while connections are still open. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private start(sweep: Sweep, failure: string | null): void {
    if (this.stopped) return;
    const run = this.run(sweep, failure).then((latest) => {
      this.running.delete(run);
      this.schedule(sweep, latest);
    });
    this.running.add(run);
  }

  private schedule(sweep: Sweep, failure: string | null): void {
    if (this.stopped) return;
    const { intervalSeconds, jitter } = sweep;
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.start(sweep, failure);
      },
      intervalSeconds * 1000 * (1 - jitter + 2 * jitter * Math.random()),
    );
    this.timers.add(timer.unref());
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
