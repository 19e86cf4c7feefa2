import { Injectable } from '@nestjs/common';
import { isSlug, mediaDeleted } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import type { Viewer } from '../../base/access/viewer';
import { NotFoundError } from '../../base/errors/domain-error';
import { fileNamesOf } from '../links/file-names';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { opensDeletion, readDeletionCode } from './deletion-key';
import { LinkedMediaRepository } from './linked-media.repository';
import { MediaLocks } from './media-locks.service';
import { MediaRepository } from '../rows/media.repository';
import { ProcessingTurns } from '../processing-turns/processing-turns.service';
import { SharedFiles } from '../shared-files/shared-files.service';

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
    await this.sharedFiles.release(tx, await this.repository.removeAll(tx, ids));
    await this.turns.requestNext(tx, uploaders);
    for (const each of linked) {
      const event = { media_id: each.id, slug: each.slug, file_names: fileNamesOf(each) };
      await this.outbox.add(tx, mediaDeleted, event);
    }
  }
}
