import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { AccountStatesService } from '../states/account-states.service';
import { MediaListings } from '../../media/items/media-listings.service';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { MembersService } from '../users/members.service';

/** The number of items that one transaction lists or unlists. It takes tens of milliseconds. */
const BATCH = 100;
/** The time for which the request that changes a state derives listings, in milliseconds. */
const AT_ONCE_MS = 1_000;
/** The largest number of accounts in one sweep. */
const ACCOUNTS = 100;

/**
 * Derives the listings of what an account owns after a restriction has begun or ended, in batches. Each batch is a
 * short transaction that records how far it came, so the work can be interrupted after any batch, and several
 * processes may do it at the same time. Until it is done, readers leave out what is still listed by the state of its
 * owner.
 */
@Injectable()
export class Relisting {
  private readonly logger = new Logger(Relisting.name);

  constructor(
    private readonly database: Database,
    private readonly states: AccountStatesService,
    private readonly members: MembersService,
    private readonly media: MediaListings,
    private readonly postMedia: PostMediaService,
  ) {}

  /** Relists for up to a second; `runDue` does the rest. */
  async runAtOnce(userId: number): Promise<void> {
    const end = performance.now() + AT_ONCE_MS;
    await this.runSafely(userId, () => performance.now() < end);
  }

  /**
   * Removes restrictions that have ended, and relists what is due, while `mayContinue` returns true. Returns the number of
   * accounts that are completely relisted. An account for which it fails is tried again in the next run.
   */
  async runDue(mayContinue: () => boolean): Promise<number> {
    for (const userId of await this.states.findEnded(ACCOUNTS)) {
      if (mayContinue()) await this.removeEnded(userId);
    }
    let done = 0;
    for (const userId of await this.states.findDueRelistings(ACCOUNTS)) {
      if (mayContinue() && (await this.runSafely(userId, mayContinue))) done++;
    }
    return done;
  }

  private async removeEnded(userId: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.states.beginRelisting(tx, userId);
      await this.members.lock(tx, userId);
      await this.states.removeEnded(tx, userId);
    });
  }

  private async runSafely(userId: number, mayContinue: () => boolean): Promise<boolean> {
    try {
      while (mayContinue()) {
        const outcome = await this.runBatch(userId);
        if (outcome !== 'more') return outcome === 'done';
      }
    } catch (error) {
      this.logger.warn(`Relisting account ${userId} failed and will be tried again: ${errorMessage(error)}`);
    }
    return false;
  }

  /** `done` if nothing is left, `elsewhere` if another process works on this account, or none is due. */
  private runBatch(userId: number): Promise<'more' | 'done' | 'elsewhere'> {
    return this.database.transaction(async (tx) => {
      const progress = await this.states.lockRelisting(tx, userId);
      if (!progress) return 'elsewhere';
      const lastMedia = await this.media.relist(tx, userId, progress.afterMediaId, BATCH);
      if (lastMedia !== null) {
        await this.states.recordRelisting(tx, userId, { ...progress, afterMediaId: lastMedia });
        return 'more';
      }
      const lastPost = await this.postMedia.relist(tx, userId, progress.afterPostId, BATCH);
      if (lastPost !== null) {
        await this.states.recordRelisting(tx, userId, { ...progress, afterPostId: lastPost });
        return 'more';
      }
      await this.states.finishRelisting(tx, userId);
      return 'done';
    });
  }
}
