import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { VariantUses } from './variant-uses';

const INTERVAL_SECONDS = 120;

/** Records the noted uses of variants every two minutes, and at a stop. */
@Injectable()
export class VariantUsesSweep extends Sweep implements OnApplicationShutdown {
  readonly name = 'variant uses';
  readonly intervalSeconds = INTERVAL_SECONDS;
  override readonly startsAtOnce = false;

  constructor(private readonly uses: VariantUses) {
    super();
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    return { recorded: await this.uses.record() };
  }

  async onApplicationShutdown(): Promise<void> {
    // After an outage they are lost, which at worst makes a variant again.
    await this.uses.record().catch(() => undefined);
  }
}
