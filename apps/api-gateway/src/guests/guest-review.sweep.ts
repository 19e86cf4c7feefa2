import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { GuestsService } from '@vitrine/domain';

const EVERY_MS = 10 * 60_000;

/** Forgets guests of whom nothing is left; every process does, at moments of its own. */
@Injectable()
export class GuestReviewSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(GuestReviewSweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly guests: GuestsService) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      const ended = await this.guests.review(() => !this.stopped);
      if (ended > 0) this.logger.log(`Forgot ${ended} guests who left nothing`);
    } catch (error) {
      this.logger.warn(`Guests were not reviewed: ${(error as Error).message}`);
    }
    if (this.stopped) return;
    // Replicas that started together drift apart.
    this.timer = setTimeout(() => (this.running = this.run()), EVERY_MS * (0.5 + Math.random())).unref();
  }
}
