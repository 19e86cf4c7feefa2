import { Injectable } from '@nestjs/common';
import type { ModerationStatus } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { MediaLocks } from './media-locks.service';
import { MediaStatuses } from './media-statuses';
import type { MediaEntity } from '../rows/media.entity';
import { MediaRepository } from '../rows/media.repository';
import type { MediaStatusChange } from './media.types';

/** Applies the decisions of moderation to media, within the transaction that records them. */
@Injectable()
export class MediaDecisions {
  constructor(
    private readonly repository: MediaRepository,
    private readonly statuses: MediaStatuses,
    private readonly locks: MediaLocks,
  ) {}

  /**
   * Records a decision on a locked media item within the caller's transaction: its status, which may be the same as
   * before, and the status of every post that contains it.
   */
  apply(tx: Transaction, media: MediaEntity, status: ModerationStatus): Promise<MediaStatusChange> {
    return this.statuses.change(tx, media, status);
  }

  /** Locks a media item and records a decision on it, like `apply`. Returns null if it is deleted. */
  async changeModerationStatus(
    tx: Transaction,
    mediaId: number,
    status: ModerationStatus,
  ): Promise<MediaStatusChange | null> {
    const media = await this.locks.lock(tx, mediaId);
    return media && this.apply(tx, media, status);
  }

  /**
   * Makes a media item pending again, with its automated decision due, and derives its posts' statuses, within the
   * caller's transaction. Returns null if the media item is deleted.
   */
  async awaitDecision(tx: Transaction, mediaId: number): Promise<MediaStatusChange | null> {
    const change = await this.changeModerationStatus(tx, mediaId, 'pending');
    await this.repository.resetDecision(tx, mediaId);
    return change;
  }

  /** Removes the owner's mark as adult content from a locked media item, because a moderator's ruling replaces it. */
  async clearMark(tx: Transaction, mediaId: number): Promise<void> {
    await this.repository.change(tx, mediaId, { ownerNsfw: false });
  }
}
