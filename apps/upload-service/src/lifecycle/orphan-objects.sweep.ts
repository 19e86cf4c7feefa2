import { Injectable, Logger } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { MediaReading, SharedFiles } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';
import { OrphanSweepConfig } from './orphan-sweep.config';

/** Objects that are looked up in the database with one query. */
const BATCH = 1000;
/** Largest number of orphans in memory, about ten megabytes of keys; the next run finds the rest. */
const MAX_ORPHANS = 100_000;

/**
 * Killed uploads and early deletions leave only a few orphans. More of them mean that the database is older than the storage,
 * or belongs to another one.
 */
const TOO_MANY = { objects: 1000, share: 0.1 } as const;

/**
 * Removes objects without a media item, which killed uploads and early deletions leave. If more than a tenth of the storage
 * would be removed, it removes nothing and logs an error: the database may have been restored from an old backup, and then
 * these objects are needed.
 */
@Injectable()
export class OrphanObjectsSweep extends Sweep {
  readonly name = 'orphan objects';
  readonly intervalSeconds: number;
  private readonly logger = new Logger(OrphanObjectsSweep.name);

  constructor(
    private readonly config: UploadConfig,
    private readonly permission: OrphanSweepConfig,
    private readonly media: MediaReading,
    private readonly sharedFiles: SharedFiles,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    if (this.permission.orphanSweep === 'off') return {};
    const all = await this.findOrphans(mayContinue);
    // Only a complete listing shows which share of the storage would be removed.
    if (!all) return {};
    const { orphans, found, seen } = all;
    const tooMany = found > TOO_MANY.objects && found > seen * TOO_MANY.share;
    if (tooMany && this.permission.orphanSweep !== 'unlimited') {
      this.logger.error(
        `${found} of ${seen} objects belong to no media item, so none is removed. ` +
          'Check that this database belongs to this storage and is complete; then set ORPHAN_SWEEP=unlimited',
      );
      return { kept: found };
    }
    let removed = 0;
    while (removed < orphans.length && mayContinue()) {
      const batch = orphans.slice(removed, removed + BATCH);
      await this.storage.delete(batch);
      removed += batch.length;
    }
    return { removed };
  }

  /**
   * Finds objects that are old enough and have no media item: their keys, their number, and the number of objects checked.
   * Null if `mayContinue` ended the listing, because listing a large bucket may take longer than a process may take to stop.
   */
  private async findOrphans(mayContinue: () => boolean): Promise<{
    readonly orphans: readonly string[];
    readonly found: number;
    readonly seen: number;
  } | null> {
    const oldEnough = Date.now() - this.config.orphanAgeSeconds * 1000;
    const orphans: string[] = [];
    let found = 0;
    let seen = 0;
    let batch = new Map<string, string>();
    const collectOrphans = async (): Promise<void> => {
      const more = await this.withoutMedia(batch);
      orphans.push(...more.slice(0, MAX_ORPHANS - orphans.length));
      found += more.length;
      seen += batch.size;
      batch = new Map();
    };
    for (const prefix of objectKeys.roots) {
      for await (const { key, modifiedAt } of this.storage.list(prefix)) {
        if (!mayContinue()) return null;
        const slug = objectKeys.slugOf(key);
        // The age protects uploads whose row is not committed yet. Objects with foreign keys are never removed.
        if (slug === null || modifiedAt.getTime() > oldEnough) continue;
        batch.set(key, slug);
        if (batch.size === BATCH) await collectOrphans();
      }
    }
    await collectOrphans();
    return { orphans, found, seen };
  }

  private async withoutMedia(slugsByKey: ReadonlyMap<string, string>): Promise<readonly string[]> {
    if (slugsByKey.size === 0) return [];
    const existing = await this.media.findExistingSlugs([...new Set(slugsByKey.values())]);
    const keys = [...slugsByKey].filter(([, slug]) => !existing.has(slug)).map(([key]) => key);
    // The media item under whose key an object is shared may be deleted.
    const shared = await this.sharedFiles.findShared(keys);
    return keys.filter((key) => !shared.has(key));
  }
}
