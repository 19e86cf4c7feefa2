import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  type CheckedMedia,
  DeletionHold,
  type KeptOriginal,
  type MergingClaim,
  SharedFiles,
} from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { ObjectNotFoundError, ObjectStorage } from '@vitrine/storage';
import { Gauge, Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { EqualFilesConfig } from './equal-files.config';
import { PurgeService } from './purge.service';

/** Media that one statement searches. */
const BATCH = 500;
/** Redundant files that are deleted at a time. */
const REMOVED = 100;
/** Seconds until the next attempt to delete a second copy that was kept because the first one is missing. */
const POSTPONED_SECONDS = 86_400;
/** Attempts for a media item whose older copy is merged or deleted by others at the same moment. */
const MAX_ATTEMPTS = 3;

/**
 * Stores originals with equal bytes once. Uploads always store their own object, so neither their answers nor their times
 * tell whether somebody has the same file. A day later, the media item refers to the older object; another day later, its
 * own one is deleted.
 */
@Injectable()
export class EqualFilesSweep extends Sweep {
  readonly name = 'equal files';
  readonly intervalSeconds: number;
  private readonly logger = new Logger(EqualFilesSweep.name);
  private readonly saved: Gauge;

  constructor(
    { cleanupIntervalSeconds }: UploadConfig,
    private readonly config: EqualFilesConfig,
    private readonly sharedFiles: SharedFiles,
    private readonly purges: PurgeService,
    private readonly hold: DeletionHold,
    private readonly storage: ObjectStorage,
    registry: Registry,
  ) {
    super();
    this.intervalSeconds = cleanupIntervalSeconds;
    this.saved = new Gauge({
      name: 'vitrine_merged_files_saved_bytes',
      help: 'Bytes of originals that are not stored because equal ones are, after the last run of the sweep.',
      registers: [registry],
    });
  }

  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    const unused = await this.purges.removeUnused();
    const claim = await this.sharedFiles.claim();
    if (!claim) return { 'unused removed': unused };
    try {
      // In a restored database, only merging gives an original to media whose second copy was deleted since.
      const removed = (await this.hold.isHeld()) ? 0 : await this.removeRedundant(claim, mayContinue);
      const merged = this.config.isOn ? await this.mergeNext(claim, mayContinue) : 0;
      return { merged, 'second copies removed': removed, 'unused removed': unused };
    } finally {
      await this.sharedFiles.endClaim(claim);
      this.saved.set(await this.sharedFiles.findSavedBytes());
    }
  }

  private async mergeNext(claim: MergingClaim, mayContinue: () => boolean): Promise<number> {
    let merged = 0;
    let position = claim;
    /** Keys of kept objects, and whether they were intact in this run. */
    const checked = new Map<string, boolean>();
    for (;;) {
      const batch = await this.sharedFiles.findNext(position, this.config.afterSeconds, BATCH);
      for (const media of batch) {
        if (media.hasEqual) {
          if (!mayContinue()) return merged;
          if (await this.merge(media, checked)) merged++;
        }
        position = { ...position, processedAt: media.processedAt, mediaId: media.mediaId };
        if (media.hasEqual && !(await this.sharedFiles.advance(position))) return merged;
      }
      if (batch.length === 0 || !(await this.sharedFiles.advance(position))) return merged;
      if (batch.length < BATCH || !mayContinue()) return merged;
    }
  }

  /** Makes a media item refer to the oldest intact original with the same bytes, if there is one. */
  private async merge(media: CheckedMedia, checked: Map<string, boolean>): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const kept = await this.findIntact(media, checked);
      if (!kept) return false;
      if (await this.sharedFiles.merge(media, kept, this.config.afterSeconds)) return true;
    }
    return false;
  }

  private async findIntact(media: CheckedMedia, checked: Map<string, boolean>): Promise<KeptOriginal | null> {
    for (const kept of await this.sharedFiles.findKept(media)) {
      const { key } = kept;
      const isIntact = checked.get(key) ?? (await this.isIntact(key, media));
      checked.set(key, isIntact);
      if (isIntact) return kept;
      this.logger.error(`The object ${key} is missing or damaged, so no equal file is merged with it`);
    }
    return null;
  }

  /** Whether an object has the bytes that its row says: the only other copy of them is about to be deleted. */
  private async isIntact(key: string, { bytes, sha256 }: CheckedMedia): Promise<boolean> {
    try {
      const held = await this.storage.hold(key, 'read');
      try {
        if (held.info.size !== bytes) return false;
        const hash = createHash('sha256');
        for await (const piece of await held.read()) hash.update(piece);
        return hash.digest().equals(sha256);
      } finally {
        await held.close();
      }
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return false;
      throw error;
    }
  }

  private async removeRedundant(claim: MergingClaim, mayContinue: () => boolean): Promise<number> {
    let removed = 0;
    while (mayContinue() && (await this.sharedFiles.advance(claim))) {
      const taken = await this.sharedFiles.takeRedundant(REMOVED);
      const kept = await Promise.all(taken.map(({ sharedKey }) => this.storage.head(sharedKey)));
      const removable = taken.filter(({ bytes }, index) => kept[index]?.size === bytes);
      const needed = taken.filter((file) => !removable.includes(file));
      for (const { key, sharedKey } of needed)
        this.logger.error(`The object ${sharedKey} is missing, so its second copy ${key} is kept`);
      await this.sharedFiles.postponeRedundant(needed, POSTPONED_SECONDS);
      // If this process was stopped for longer than its claim, another one may have deleted them, and they may be stored again.
      if (!(await this.sharedFiles.advance(claim))) break;
      if (removable.length > 0) await this.storage.delete(removable.map(({ key }) => key));
      await this.sharedFiles.endRedundant(removable);
      removed += removable.length;
      if (taken.length < REMOVED) break;
    }
    return removed;
  }
}
