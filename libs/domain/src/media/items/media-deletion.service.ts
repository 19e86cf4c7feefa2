import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSlug, mediaDeleted, SLUG_LENGTH } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import type { Viewer } from '../../base/access/viewer';
import { NotFoundError } from '../../base/errors/domain-error';
import { mediaEvent } from '../rows/media-events';
import { fileNamesOf } from '../links/file-names';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { LinkedMediaRepository } from './linked-media.repository';
import { MediaLocks } from './media-locks.service';
import { MediaRepository } from '../rows/media.repository';
import { ProcessingTurns } from '../processing-turns/processing-turns.service';
import { SharedFiles } from '../shared-files/shared-files.service';
import { randomBase62 } from '../../base/identifiers/random-base62';

/** 22 random characters of 62 hold 130 bits. */
const KEY_LENGTH = 22;

/**
 * A new key with which anyone may delete one media item. Only its hash is stored. An HMAC of the slug would need a secret
 * that all processes share.
 */
export const mintDeletionKey = (): string => randomBase62(KEY_LENGTH);

/** The hash of a deletion key that is stored. 130 random bits need no slow hash. */
export const deletionKeyHash = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The slug and the key of a text that holds one after the other; null if it has another length. */
const readDeletionCode = (code: string): { readonly slug: string; readonly key: string } | null =>
  code.length === SLUG_LENGTH + KEY_LENGTH
    ? { slug: code.slice(0, SLUG_LENGTH), key: code.slice(SLUG_LENGTH) }
    : null;

/** Whether `key` is the one whose hash is stored; never if none is. */
const opensDeletion = (stored: Buffer | null, key: string): boolean =>
  stored !== null && timingSafeEqual(stored, deletionKeyHash(key));

/** Deletes media: for their owner, for anyone who has the deletion code, with a post, and with an account. */
@Injectable()
export class MediaDeletion {
  constructor(
    private readonly database: Database,
    private readonly repository: MediaRepository,
    private readonly linked: LinkedMediaRepository,
    private readonly locks: MediaLocks,
    private readonly postMedia: PostMediaService,
    private readonly outbox: Outbox,
    private readonly turns: ProcessingTurns,
    private readonly sharedFiles: SharedFiles,
  ) {}

  /**
   * Deletes a media item of the caller, given by slug or numeric id. `media.deleted` leads to the removal of its files.
   * Throws `NotFoundError`, `ForbiddenError`.
   */
  async remove(reference: string, caller: NonNullable<Viewer>): Promise<void> {
    await this.database.transaction(async (tx) => {
      const media = await this.locks.lockOwn(tx, reference, caller);
      await this.removeLocked(tx, [media]);
    });
  }

  /** Deletes those of some media that are the caller's, all or none. Returns their ids. */
  async removeOwn(ids: readonly number[], caller: NonNullable<Viewer>): Promise<ReadonlySet<number>> {
    return this.database.transaction(async (tx) => {
      const locked = await this.locks.lockAll(tx, ids);
      const own = locked.filter(({ userId }) => userId === caller.userId);
      await this.removeLocked(tx, own);
      return new Set(own.map(({ id }) => id));
    });
  }

  /** Whether a text has the form of a deletion code. */
  isDeletionCode(text: string): boolean {
    return readDeletionCode(text) !== null;
  }

  /**
   * Deletes a media item for anyone who has its deletion code: its slug and its deletion key. Throws `NotFoundError`,
   * also for a wrong key.
   */
  async removeWithCode(code: string): Promise<void> {
    const { slug, key } = readDeletionCode(code) ?? { slug: '', key: '' };
    await this.database.transaction(async (tx) => {
      const media = isSlug(slug) ? await this.locks.lockBySlug(tx, slug) : null;
      if (!media || !opensDeletion(media.deletionSha256, key)) throw new NotFoundError();
      // A suspended account can do nothing.
      if (media.ownerRestriction === 'suspended') throw new NotFoundError();
      await this.removeLocked(tx, [media]);
    });
  }

  /** Deletes those of some media that are in no post, within the caller's transaction. The media must be locked. */
  async removeUnplaced(tx: Transaction, ids: readonly number[]): Promise<void> {
    const placed = await this.postMedia.findPlaced(tx, ids);
    const unplaced = ids.filter((id) => !placed.has(id));
    await this.removeLocked(tx, await this.locks.lockAll(tx, unplaced));
  }

  /**
   * Deletes up to `batch` media of a deleted account; `media.deleted` leads to the removal of their files. Returns
   * the number found: 0 if none are left.
   */
  eraseMediaOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const found = await this.repository.findIdsOf(tx, userId, batch);
      await this.removeLocked(tx, await this.locks.lockAll(tx, found));
      return found.length;
    });
  }

  private async removeLocked(tx: Transaction, media: readonly { readonly id: number }[]): Promise<void> {
    const ids = media.map(({ id }) => id);
    const linked = await this.linked.findWithin(tx, ids);
    await this.postMedia.detachEverywhere(tx, ids);
    // Turns are locked after the posts, as in `register`.
    const uploaders = await this.turns.lockSubjectsOf(tx, ids);
    const removed = await this.repository.removeAll(tx, ids);
    await this.sharedFiles.release(tx, [...new Set(removed.flatMap(({ sharedKey }) => sharedKey ?? []))]);
    await this.turns.requestNext(tx, uploaders);
    const factsOf = new Map(removed.map((one) => [one.id, one]));
    const events = linked.map((each) =>
      buildEnvelope(mediaDeleted, {
        ...mediaEvent(each, factsOf.get(each.id)!),
        file_names: fileNamesOf(each),
      }),
    );
    await this.outbox.addAll(tx, events);
  }
}
