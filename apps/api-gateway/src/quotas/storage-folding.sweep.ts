import { Injectable } from '@nestjs/common';
import { QuotasService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { Gauge, Registry } from 'prom-client';
import { WOKEN_REST_SECONDS } from '../resting/woken-rest';

/** Adds what uploads and deletions have changed to the counts of stored bytes, and measures the total. */
@Injectable()
export class StorageFoldingSweep extends Sweep {
  readonly name = 'counts of stored bytes';
  /** Readers add the changes that are not folded yet, so the pause limits how much they read. */
  readonly intervalSeconds = 2;
  override readonly restSeconds = WOKEN_REST_SECONDS;
  override readonly startsAtOnce = false;
  private readonly stored: Gauge<'kind'>;
  private readonly limit: Gauge;

  constructor(
    private readonly quotas: QuotasService,
    registry: Registry,
  ) {
    super();
    const registers = [registry];
    this.stored = new Gauge({
      name: 'vitrine_stored_bytes',
      help: 'Bytes of all media: originals and variants.',
      labelNames: ['kind'],
      registers,
    });
    this.limit = new Gauge({
      name: 'vitrine_stored_bytes_limit',
      help: 'QUOTA_BYTES_TOTAL; 0 if there is no limit.',
      registers,
    });
  }

  /** Folds and measures. Runs too often to be logged. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    await this.quotas.foldAll();
    const { bytes, variantBytes, limit } = await this.quotas.findTotal();
    this.stored.set({ kind: 'originals' }, bytes);
    this.stored.set({ kind: 'variants' }, variantBytes);
    this.limit.set(limit ?? 0);
    return {};
  }
}
