import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** A piece of tidying that runs now and again in every process, and that any number may run at once. */
export interface Sweep {
  readonly name: string;
  readonly intervalSeconds: number;
  /** What it did, as counts by word; all zero where there was nothing to do. */
  runOnce(): Promise<Readonly<Record<string, number>>>;
}

/** Runs sweeps at their intervals, counts and logs what they did. A sweep that fails is tried again next time. */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Sweeper.name);
  private readonly done: Counter<'sweep' | 'action'>;
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(
    private readonly sweeps: readonly Sweep[],
    metrics: Registry,
  ) {
    this.done = new Counter({
      name: 'vitrine_swept_total',
      help: 'Things that the sweepers did.',
      labelNames: ['sweep', 'action'],
      registers: [metrics],
    });
  }

  onApplicationBootstrap(): void {
    for (const sweep of this.sweeps) this.begin(sweep);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.running);
  }

  private begin(sweep: Sweep): void {
    if (this.stopped) return;
    const run = this.run(sweep).finally(() => {
      this.running.delete(run);
      this.schedule(sweep);
    });
    this.running.add(run);
  }

  private schedule(sweep: Sweep): void {
    if (this.stopped) return;
    // Replicas that started together drift apart.
    const delay = sweep.intervalSeconds * 1000 * (0.9 + Math.random() * 0.2);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.begin(sweep);
    }, delay);
    this.timers.add(timer.unref());
  }

  private async run(sweep: Sweep): Promise<void> {
    try {
      const actions = Object.entries(await sweep.runOnce()).filter(([, count]) => count > 0);
      for (const [action, count] of actions) this.done.inc({ sweep: sweep.name, action }, count);
      if (actions.length > 0) {
        this.logger.log(
          `${sweep.name}: ${actions.map(([action, count]) => `${action} ${count}`).join(', ')}`,
        );
      }
    } catch (error) {
      this.logger.warn(`${sweep.name} failed and will be tried again: ${(error as Error).message}`);
    }
  }
}
