import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { RanksService } from '../../posts/feeds/ranks.service';
import { MediaLocks } from './media-locks.service';
import type { RelistedMedia } from '../rows/media-row.types';
import { MediaRepository } from '../rows/media.repository';

/** Derives which feeds show media. */
@Injectable()
export class MediaListings {
  constructor(
    private readonly repository: MediaRepository,
    private readonly locks: MediaLocks,
    private readonly ranks: RanksService,
  ) {}

  /**
   * Derives which feeds show some media, after their status, the posts that contain them, or the visibility of these
   * posts, have changed. The media must be locked.
   */
  async deriveListings(tx: Transaction, ids: readonly number[]): Promise<void> {
    await this.copyListings(tx, await this.repository.deriveListings(tx, ids));
  }

  /** Copies changed listings to the index of tags and to the ranks. */
  async copyListings(tx: Transaction, changed: readonly RelistedMedia[]): Promise<void> {
    const idsOf = (media: readonly RelistedMedia[]): number[] => media.map(({ id }) => id);
    await this.ranks.relist(tx, 'media', idsOf(changed), idsOf(changed.filter((one) => one.isConnected)));
  }

  /**
   * Gives all media of a user, which must be locked, to another. Which feeds of all people show them stays the same.
   * Returns how many there were.
   */
  async give(tx: Transaction, fromId: number, toId: number): Promise<number> {
    const ids = await this.repository.give(tx, fromId, toId);
    await this.ranks.relist(tx, 'media', ids);
    return ids.length;
  }

  /**
   * Derives which feeds show the next `batch` media of a user, after the one with the id `after`. Returns the id of
   * the last one; null if there are none.
   */
  async relist(tx: Transaction, userId: number, after: number, batch: number): Promise<number | null> {
    const ids = await this.repository.findIdsOf(tx, userId, batch, after);
    await this.locks.lockAll(tx, ids);
    await this.deriveListings(tx, ids);
    return ids.at(-1) ?? null;
  }
}
