import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { FeedCountsService } from '@vitrine/domain';
import { Gauge, Registry } from 'prom-client';

/** Readers add up what isn't folded yet, so that this bounds what they read, not how old their answer is. */
const EVERY_MS = 1_000;

/** Folds the deltas of feeds into their counts, again and again; every process does, and any number may at once. */
@Injectable()
export class FeedFolding implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FeedFolding.name);
  private readonly deltas: Gauge;
  private readonly oldest: Gauge;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly counts: FeedCountsService,
    registry: Registry,
  ) {
    const registers = [registry];
    this.deltas = new Gauge({
      name: 'vitrine_feed_deltas',
      help: 'Changes of feeds that were waiting to be folded into their counts at the last look.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'vitrine_feed_deltas_oldest_seconds',
      help: 'Age of the oldest of them.',
      registers,
    });
  }

  onApplicationBootstrap(): void {
    this.schedule();
  }

  /** Before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Looks how much is waiting, and folds it. */
  async runOnce(): Promise<void> {
    const { deltas, seconds } = await this.counts.findUnfolded();
    this.deltas.set(deltas);
    this.oldest.set(seconds);
    if (deltas > 0) await this.counts.foldAll();
  }

  private schedule(): void {
    if (this.stopped) return;
    // Replicas that started together drift apart.
    const delay = EVERY_MS * (0.9 + Math.random() * 0.2);
    this.timer = setTimeout(() => (this.running = this.run()), delay).unref();
  }

  /** What fails is tried again like the rest; an outage is told of once. */
  private async run(): Promise<void> {
    try {
      await this.runOnce();
      if (this.failing) this.logger.log('Feeds are counted again');
      this.failing = false;
    } catch (error) {
      if (!this.failing) {
        this.logger.warn(`Feeds are not counted, which is tried again: ${(error as Error).message}`);
      }
      this.failing = true;
    }
    this.schedule();
  }
}
