import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { DeletionHold, MediaReading, SharedFiles } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';

/** Unused shared files that are deleted at a time. */
const BATCH = 100;

/** Deletes the objects of deleted media. While deletions are held, it deletes nothing; `PendingFilesSweep` does so later. */
@Injectable()
export class PurgeService {
  constructor(
    private readonly media: MediaReading,
    private readonly sharedFiles: SharedFiles,
    private readonly hold: DeletionHold,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Deletes every object of a slug that no other media item shares, unless a media item has this slug, and shared files that
   * no media item uses any longer; returns their number. Idempotent.
   */
  async purge(slug: string): Promise<number> {
    if (await this.hold.isHeld()) return 0;
    const inUse = await this.media.findExistingSlugs([slug]);
    if (inUse.has(slug)) return 0;
    const keys: string[] = [];
    for (const prefix of objectKeys.ofMedia(slug)) {
      for await (const object of this.storage.list(prefix)) keys.push(object.key);
    }
    const shared = await this.sharedFiles.findShared(keys);
    const own = keys.filter((key) => !shared.has(key));
    await this.storage.delete(own);
    return own.length + (await this.deleteUnused());
  }

  /** Deletes the objects of shared files that no media item uses any longer; returns their number. Idempotent. */
  async removeUnused(): Promise<number> {
    return (await this.hold.isHeld()) ? 0 : this.deleteUnused();
  }

  private async deleteUnused(): Promise<number> {
    let removed = 0;
    for (;;) {
      const keys = await this.sharedFiles.findUnused(BATCH);
      if (keys.length > 0) await this.storage.delete(keys);
      await this.sharedFiles.endUnused(keys);
      removed += keys.length;
      if (keys.length < BATCH) return removed;
    }
  }
}
