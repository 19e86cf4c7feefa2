import { Injectable } from '@nestjs/common';
import { isSlug, readNumericId } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { owns, type Viewer } from '../../base/access/viewer';
import { ForbiddenError, NotFoundError } from '../../base/errors/domain-error';
import type { MediaEntity } from '../rows/media.entity';
import { MediaRepository } from '../rows/media.repository';
import { canFindMediaById, canSeeMedia } from './media.rules';
import type { LockedMedia } from '../rows/media-row.types';

/** Locks media within the transaction of a change. */
@Injectable()
export class MediaLocks {
  constructor(private readonly repository: MediaRepository) {}

  /** Locks a media item within the caller's transaction, for a decision on it; null if it is deleted. */
  lock(tx: Transaction, mediaId: number): Promise<MediaEntity | null> {
    return this.repository.lockById(tx, mediaId);
  }

  /** As `lock`, by slug. */
  lockBySlug(tx: Transaction, slug: string): Promise<MediaEntity | null> {
    return this.repository.lockBySlug(tx, slug);
  }

  /** Locks several media for a change of the posts that contain them; deleted ones are left out. */
  lockAll(tx: Transaction, ids: readonly number[]): Promise<readonly LockedMedia[]> {
    return this.repository.lockAll(tx, ids);
  }

  /** Locks up to `limit` media of a user; returns how many. */
  async lockOf(tx: Transaction, userId: number, limit: number): Promise<number> {
    return (await this.repository.lockAll(tx, await this.repository.findIdsOf(tx, userId, limit))).length;
  }

  /**
   * Locks a media item of the caller, given by slug or numeric id. Throws `NotFoundError` if the caller may not find it,
   * and `ForbiddenError` if the caller is not its owner.
   */
  async lockOwn(tx: Transaction, reference: string, caller: NonNullable<Viewer>): Promise<MediaEntity> {
    const id = readNumericId(reference);
    const media =
      id !== null
        ? await this.repository.lockById(tx, id)
        : isSlug(reference)
          ? await this.repository.lockBySlug(tx, reference)
          : null;
    if (!media || !canSeeMedia(media, media.ownerRestriction, caller)) throw new NotFoundError();
    if (id !== null && !canFindMediaById(media, caller)) throw new NotFoundError();
    if (!owns(media, caller)) throw new ForbiddenError();
    return media;
  }
}
