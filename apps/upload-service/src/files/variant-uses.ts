import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { VARIANT_NAMES, type VariantName } from '@vitrine/contracts';
import { VariantRetention, type VariantUse } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { LRUCache } from 'lru-cache';
import { RetentionConfig } from './retention.config';

const DAY_MS = 86_400_000;
/** Media whose uses of the day are remembered, about 10 MB; those of further ones may be recorded several times a day. */
const MAX_REMEMBERED = 50_000;
/** Uses that wait to be recorded. Further ones are recorded with a later request, or not at all. */
const MAX_PENDING = 20_000;
const BATCH = 2_000;

const BITS = Object.fromEntries(VARIANT_NAMES.map((name, index) => [name, 1 << index])) as Record<
  VariantName,
  number
>;

/**
 * Remembers which variants were requested, for `VARIANT_RETENTION_DAYS`. A request costs one look-up in memory; each
 * variant is recorded once a day by each process. Uses that a killed process had not recorded are lost: at worst, a
 * variant is removed early, and made again.
 */
@Injectable()
export class VariantUses {
  private readonly isOn: boolean;
  /** The variants of each media item that were requested today, as bits. */
  private readonly seen = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  private pending: VariantUse[] = [];
  private day = 0;

  constructor(
    private readonly retention: VariantRetention,
    { days }: RetentionConfig,
  ) {
    this.isOn = days > 0;
  }

  /** Notes a request of a variant. */
  note(slug: string, name: VariantName): void {
    if (!this.isOn) return;
    const day = Math.floor(Date.now() / DAY_MS);
    if (day !== this.day) {
      this.day = day;
      this.seen.clear();
    }
    const seen = this.seen.get(slug) ?? 0;
    if ((seen & BITS[name]) !== 0 || this.pending.length >= MAX_PENDING) return;
    this.seen.set(slug, seen | BITS[name]);
    this.pending.push({ slug, name });
  }

  /** Records all noted uses; returns how many. If that fails, they stay. */
  async record(): Promise<number> {
    let recorded = 0;
    while (this.pending.length > 0) {
      const batch = this.pending.slice(0, BATCH);
      await this.retention.recordUses(batch);
      this.pending = this.pending.slice(batch.length);
      recorded += batch.length;
    }
    return recorded;
  }
}

/** Records the noted uses of variants every two minutes, and at a stop. */
@Injectable()
export class VariantUsesSweep extends Sweep implements OnApplicationShutdown {
  readonly name = 'variant uses';
  readonly intervalSeconds = 120;
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
