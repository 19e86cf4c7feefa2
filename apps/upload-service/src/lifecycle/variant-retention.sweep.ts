import { setTimeout as pause } from 'node:timers/promises';
import { type DeletionHold, type VariantRetention } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';

const DAY_MS = 86_400_000;
/** Media in one transaction. */
const BATCH = 200;
/** Objects of killed processes, and of media that were processed again, that are deleted at a time. */
const TAKEN_OVER = 1000;

/** When variants are removed. */
export interface RetentionTimes {
  /** Days without a request; 0: never. */
  readonly days: number;
  /** Seconds between two runs. */
  readonly intervalSeconds: number;
  /** Milliseconds from the change of the rows until no process trusts the old ones any longer. */
  readonly graceMs: number;
}

/**
 * Removes variants that nobody has requested for `VARIANT_RETENTION_DAYS`. The rows change first; the objects are deleted
 * after a grace, which is also the pause between two batches. Nothing is removed until uses have been recorded for that many
 * days. Removals of killed processes, and of alternatives whose media were processed again, are ended even when the setting
 * is 0.
 */
export class VariantRetentionSweep extends Sweep {
  readonly name = 'variant retention';
  readonly intervalSeconds: number;

  constructor(
    private readonly times: RetentionTimes,
    private readonly retention: VariantRetention,
    private readonly hold: DeletionHold,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = times.intervalSeconds;
  }

  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    if (await this.hold.isHeld()) return {};
    const { days } = this.times;
    let removed = await this.takeOver(mayContinue);
    await this.retention.forgetStaleWork();
    if (days === 0) return { removed };
    const since = await this.retention.keepRecording();
    if (Date.now() - since.getTime() < days * DAY_MS) return { removed };
    while (mayContinue()) {
      const { looked, keys } = await this.retention.removeUnused(days, BATCH);
      if (keys.length > 0) await pause(this.times.graceMs);
      removed += await this.delete(keys);
      if (looked < BATCH) break;
    }
    return { removed };
  }

  private async takeOver(mayContinue: () => boolean): Promise<number> {
    let removed = 0;
    while (mayContinue()) {
      const keys = await this.retention.takeOverRemovals(TAKEN_OVER);
      if (keys.length === 0) break;
      removed += await this.delete(keys);
    }
    return removed;
  }

  private async delete(keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    await this.storage.delete(keys);
    await this.retention.endRemovals(keys);
    return keys.length;
  }
}
