import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { UnavailableError } from '../../base/errors/domain-error';
import { MediaRepository } from '../rows/media.repository';
import {
  type CheckedMedia,
  type KeptOriginal,
  type MergingClaim,
  type MergingPosition,
  type RedundantFile,
  SharedFilesRepository,
  type SharingMedia,
} from './shared-files.repository';

/** Longer than it takes to copy the largest file: until then, no sweep deletes what `separate` stores. */
const SEPARATION_SECONDS = 86_400;
/** The sweep takes a hundred objects at a time, and deletes them within this time. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Originals with equal bytes that are stored once. Media refer to a shared file by its key, and a foreign key keeps the
 * file while one does, so there is no counter that could be wrong. The callers read and delete the objects.
 */
@Injectable()
export class SharedFiles {
  constructor(
    private readonly database: Database,
    private readonly repository: SharedFilesRepository,
    private readonly media: MediaRepository,
  ) {}

  /**
   * Takes the right to merge files and to remove redundant ones, which one process has at a time; null if another one has it.
   * It ends after a minute without `advance`.
   */
  claim(): Promise<MergingClaim | null> {
    return this.repository.claim();
  }

  /** Records how far the search has come, and keeps the right. False if another process has it meanwhile. */
  advance(claim: MergingClaim): Promise<boolean> {
    return this.repository.advance(claim);
  }

  endClaim({ holder }: MergingClaim): Promise<void> {
    return this.repository.endClaim(holder);
  }

  /**
   * The media after a position that were processed at least `seconds` ago, in order. Each is searched for once: whether an
   * equal original is older. So the object that is deleted always belongs to the media item at the position, and a database
   * that is restored to an earlier moment finds it again when it passes that media item.
   */
  findNext(position: MergingPosition, seconds: number, limit: number): Promise<readonly CheckedMedia[]> {
    return this.repository.findNext(position, seconds, limit);
  }

  /** The older originals with the same bytes; the first one whose object is intact should be kept. */
  findKept(media: CheckedMedia): Promise<readonly KeptOriginal[]> {
    return this.repository.findKept(media);
  }

  /**
   * Makes a media item refer to a kept original. Its own object must be deleted after `graceSeconds`, when no reader
   * needs it any longer. False if one of them was deleted or merged meanwhile: then nothing has changed.
   */
  merge(media: CheckedMedia, { key, mediaId }: KeptOriginal, graceSeconds: number): Promise<boolean> {
    const ids = mediaId === null ? [media.mediaId] : [media.mediaId, mediaId];
    return this.database.transaction(async (tx) => {
      if ((await this.repository.lockSeparate(tx, ids)) < ids.length) return false;
      const isHeld =
        mediaId === null ? await this.repository.hold(tx, key) : await this.repository.insert(tx, key, media);
      if (!isHeld) return false;
      await this.media.refer(tx, ids, key);
      const own = objectKeys.original(media.slug, media.ext);
      await this.repository.addRedundant(tx, media.mediaId, own, graceSeconds);
      return true;
    });
  }

  /**
   * Takes redundant files that no reader needs, to delete them. Until they are ended or postponed, `separate` refuses their
   * media.
   */
  takeRedundant(limit: number): Promise<readonly RedundantFile[]> {
    return this.repository.takeRedundant(limit);
  }

  /** Records that these redundant files are deleted. */
  async endRedundant(files: readonly RedundantFile[]): Promise<void> {
    if (files.length > 0) await this.repository.endRedundant(files.map(({ mediaId }) => mediaId));
  }

  /** Gives back taken files that must be kept for now. They can be taken again after `seconds`. */
  async postponeRedundant(files: readonly RedundantFile[], seconds: number): Promise<void> {
    const ids = files.map(({ mediaId }) => mediaId);
    if (ids.length > 0) await this.repository.postponeRedundant(ids, seconds);
  }

  /** Records shared files as unused, within the transaction that deletes media, if no media item refers to them. */
  release(tx: Transaction, keys: readonly string[]): Promise<void> {
    return this.repository.release(tx, keys);
  }

  /** Keys of shared files to which no media item refers any longer, so that their objects must be deleted. */
  findUnused(limit: number): Promise<readonly string[]> {
    return this.repository.findUnused(limit);
  }

  /** Records that the objects of unused shared files are deleted. */
  async endUnused(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.repository.endUnused(keys);
  }

  /** Of these keys, those of objects that `findUnused` names when they may be deleted, and nothing else may delete. */
  findShared(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return keys.length > 0 ? this.repository.findShared(keys) : Promise.resolve(new Set());
  }

  /** Bytes of originals that aren't stored because equal ones are. Reads all media that share files. */
  findSavedBytes(): Promise<number> {
    return this.repository.findSavedBytes();
  }

  /** Media that refer to shared files, in the order of their ids, after the one with the id `after`. */
  findSharing(after: number, limit: number): Promise<readonly SharingMedia[]> {
    return this.repository.findSharing(after, limit);
  }

  /**
   * Makes a media item refer to its own object again, which `store` stores if it is absent. The caller has the right of
   * `claim`. False for the media item under whose key the shared file is stored, while others refer to it. Throws
   * `UnavailableError` while a sweep, which may have lost its claim, deletes the object.
   */
  async separate(media: SharingMedia, store: (key: string) => Promise<void>): Promise<boolean> {
    const { id, slug, ext, sharedKey } = media;
    const own = objectKeys.original(slug, ext);
    if (own !== sharedKey) {
      // If this process is killed before the row has changed, the copy is deleted later.
      await this.database.transaction(async (tx) => {
        if (!(await this.repository.lockSharing(tx, id))) return;
        if (!(await this.repository.addRedundant(tx, id, own, SEPARATION_SECONDS)))
          throw new UnavailableError(RETRY_AFTER_SECONDS);
      });
      await store(own);
    }
    return this.database.transaction(async (tx) => {
      const key = await this.repository.lockSharing(tx, id);
      if (key === null) return true;
      if (key === own) {
        if (!(await this.repository.lockUnshared(tx, id, key))) return false;
        await this.media.refer(tx, [id], null);
        await this.repository.remove(tx, key);
        return true;
      }
      await this.media.refer(tx, [id], null);
      await this.repository.removeRedundant(tx, id);
      await this.repository.release(tx, [key]);
      return true;
    });
  }
}
