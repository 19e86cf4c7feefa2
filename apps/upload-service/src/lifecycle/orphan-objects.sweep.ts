import { Injectable, Logger } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { MediaService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../upload.config';
import { slugOfKey } from './object-key';
import { OrphanSweepConfig } from './orphan-sweep.config';

/** Objects that are looked up in the database together. */
const BATCH = 1000;
/** Orphans whose keys are kept in memory, some ten megabytes; the next run finds the rest. */
const AT_A_TIME = 100_000;

/**
 * So many orphans are no accident of uploads: the database is an older one than the storage, or another's. Killed
 * uploads and early deletions leave a handful.
 */
const TOO_MANY = { objects: 1000, share: 0.1 } as const;

/**
 * Removes objects that no media owns: of uploads whose process was killed, of deletions that came too early. Where more
 * than a tenth of the storage would go it removes nothing and says so: what a restored database doesn't know is lost
 * only once it is removed.
 */
@Injectable()
export class OrphanObjectsSweep extends Sweep {
  readonly name = 'orphan objects';
  readonly intervalSeconds: number;
  private readonly logger = new Logger(OrphanObjectsSweep.name);

  constructor(
    private readonly config: UploadConfig,
    private readonly permission: OrphanSweepConfig,
    private readonly media: MediaService,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(goOn: () => boolean): Promise<Readonly<Record<string, number>>> {
    if (this.permission.orphanSweep === 'off') return {};
    const all = await this.findOrphans(goOn);
    // Which share of the storage would go, only a whole listing can tell.
    if (!all) return {};
    const { orphans, found, seen } = all;
    const tooMany = found > TOO_MANY.objects && found > seen * TOO_MANY.share;
    if (tooMany && this.permission.orphanSweep !== 'unlimited') {
      this.logger.error(
        `${found} of ${seen} objects belong to no media; none is removed. ` +
          'Is this the database of this storage, and is it complete? If so: ORPHAN_SWEEP=unlimited',
      );
      return { 'left alone': found };
    }
    let removed = 0;
    while (removed < orphans.length && goOn()) {
      const batch = orphans.slice(removed, removed + BATCH);
      await this.storage.delete(batch);
      removed += batch.length;
    }
    return { removed };
  }

  /**
   * Keys of objects that are old enough and have no media, how many there are, and how many were looked at. Null where
   * `goOn` ended the listing: a large bucket takes longer to list than a process may take to stop.
   */
  private async findOrphans(goOn: () => boolean): Promise<{
    readonly orphans: readonly string[];
    readonly found: number;
    readonly seen: number;
  } | null> {
    const oldEnough = Date.now() - this.config.orphanAgeSeconds * 1000;
    const orphans: string[] = [];
    let found = 0;
    let seen = 0;
    let batch = new Map<string, string>();
    const sift = async (): Promise<void> => {
      const more = await this.withoutMedia(batch);
      orphans.push(...more.slice(0, AT_A_TIME - orphans.length));
      found += more.length;
      seen += batch.size;
      batch = new Map();
    };
    for (const prefix of objectKeys.roots) {
      for await (const { key, modifiedAt } of this.storage.list(prefix)) {
        if (!goOn()) return null;
        const slug = slugOfKey(key);
        // The age protects uploads whose row is about to be committed. A key that isn't ours is not ours to remove.
        if (slug === null || modifiedAt.getTime() > oldEnough) continue;
        batch.set(key, slug);
        if (batch.size === BATCH) await sift();
      }
    }
    await sift();
    return { orphans, found, seen };
  }

  private async withoutMedia(slugsByKey: ReadonlyMap<string, string>): Promise<readonly string[]> {
    if (slugsByKey.size === 0) return [];
    const existing = await this.media.findExistingSlugs([...new Set(slugsByKey.values())]);
    return [...slugsByKey].filter(([, slug]) => !existing.has(slug)).map(([key]) => key);
  }
}
