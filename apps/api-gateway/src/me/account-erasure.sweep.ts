import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AccountErasure } from '@vitrine/domain';

const EVERY_MS = 20_000;

/** Finishes the erasure of deleted accounts, whoever began it; every process does, at moments of its own. */
@Injectable()
export class AccountErasureSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AccountErasureSweep.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly erasure: AccountErasure) {}

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
      const erased = await this.erasure.eraseLeftBehind(() => !this.stopped);
      if (erased > 0) this.logger.log(`Erased ${erased} deleted accounts`);
    } catch (error) {
      this.logger.warn(`Deleted accounts were not looked for: ${(error as Error).message}`);
    }
    if (this.stopped) return;
    // Replicas that started together drift apart.
    this.timer = setTimeout(() => (this.running = this.run()), EVERY_MS * (0.5 + Math.random())).unref();
  }
}
