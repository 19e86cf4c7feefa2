import { Injectable } from '@nestjs/common';
import { MediaService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../upload.config';
import { slugOfKey } from './object-key';

/** Objects that are looked up in the database together. */
const BATCH = 1000;

/** Removes objects that no media owns: of uploads whose process was killed, of deletions that came too early. */
@Injectable()
export class OrphanObjectsSweep extends Sweep {
  readonly name = 'orphan objects';
  readonly intervalSeconds: number;

  constructor(
    private readonly config: UploadConfig,
    private readonly media: MediaService,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    const oldEnough = Date.now() - this.config.orphanAgeSeconds * 1000;
    let removed = 0;
    let batch = new Map<string, string>();
    for (const prefix of ['f/', 'frames/']) {
      for await (const { key, modifiedAt } of this.storage.list(prefix)) {
        const slug = slugOfKey(key);
        // The age protects uploads whose row is about to be committed. A key that isn't ours is not ours to remove.
        if (slug === null || modifiedAt.getTime() > oldEnough) continue;
        batch.set(key, slug);
        if (batch.size < BATCH) continue;
        removed += await this.removeOrphans(batch);
        batch = new Map();
      }
    }
    return { removed: removed + (await this.removeOrphans(batch)) };
  }

  private async removeOrphans(slugsByKey: ReadonlyMap<string, string>): Promise<number> {
    if (slugsByKey.size === 0) return 0;
    const existing = await this.media.findExistingSlugs([...new Set(slugsByKey.values())]);
    const orphans = [...slugsByKey].filter(([, slug]) => !existing.has(slug)).map(([key]) => key);
    await this.storage.delete(orphans);
    return orphans.length;
  }
}
