import { Injectable, Logger } from '@nestjs/common';
import { TransactionRunner } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { CommentsService } from '../../comments/comments.service';
import { FollowsService } from '../../follows/follows.service';
import { MediaService } from '../../media/media.service';
import { PostEditingService } from '../../posts/post-editing.service';
import { PostsService } from '../../posts/posts.service';
import { ReportsService } from '../../reports/reports.service';
import type { Caller } from '../../tokens/caller';
import { GuestsService } from '../guests/guests.service';
import { UsersService } from '../users.service';

/** Things that one transaction erases: some tens of milliseconds, so that nobody waits long for its locks. */
const BATCH = 100;
/** How long the request that deletes an account goes on erasing, in milliseconds. */
const AT_ONCE_MS = 3_000;
/** Accounts that one sweep takes on. */
const ACCOUNTS = 100;
/** What is left of an account this many seconds after its deletion isn't being erased by the request any more. */
const LEFT_BEHIND_SECONDS = 2 * (AT_ONCE_MS / 1000);

/**
 * Erases what deleted accounts have made. It does so in batches, each a short transaction of its own, and may be ended
 * between any two of them: whoever goes on finds what is left by looking. Any number of processes may erase at once.
 */
@Injectable()
export class AccountErasure {
  private readonly logger = new Logger(AccountErasure.name);
  /**
   * One batch of each kind; 0 once there are none. Media go first: a post takes none of them back, whereas those of a
   * deleted private post would show in feeds until they went too.
   */
  private readonly kinds: readonly ((userId: number) => Promise<number>)[];

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly users: UsersService,
    private readonly guests: GuestsService,
    private readonly reports: ReportsService,
    media: MediaService,
    posts: PostsService,
    postEditing: PostEditingService,
    comments: CommentsService,
    follows: FollowsService,
  ) {
    this.kinds = [
      (userId) => media.eraseMediaOf(userId, BATCH),
      (userId) => postEditing.removeAllOf(userId, BATCH),
      (userId) => comments.eraseCommentsOf(userId, BATCH),
      (userId) => posts.withdrawVotes(userId, BATCH),
      (userId) => comments.eraseVotesOf(userId, BATCH),
      (userId) => follows.eraseFollowsOf(userId, BATCH),
    ];
  }

  /**
   * Deletes the caller's account, and erases what it has made for as long as a request may take; `eraseLeftBehind`
   * does the rest. Throws as `UsersService.markDeleted` does.
   */
  async deleteAccount(caller: Caller, password: string): Promise<void> {
    await this.users.markDeleted(caller, password);
    await this.eraseAtOnce(caller.userId);
  }

  /** As `deleteAccount`, for the calling guest. Throws as `GuestsService.markDeleted` does. */
  async deleteGuest(guest: Caller): Promise<void> {
    await this.guests.markDeleted(guest);
    await this.eraseAtOnce(guest.userId);
  }

  /**
   * Erases what is left of deleted accounts, while `goOn` says so; returns how many are erased for good. An account
   * that fails is left to the next time.
   */
  async eraseLeftBehind(goOn: () => boolean, leftForSeconds = LEFT_BEHIND_SECONDS): Promise<number> {
    let erased = 0;
    for (const userId of await this.users.findUnerased(leftForSeconds, ACCOUNTS)) {
      if (goOn() && (await this.eraseSafely(userId, goOn))) erased++;
    }
    return erased;
  }

  private async eraseAtOnce(userId: number): Promise<void> {
    const end = performance.now() + AT_ONCE_MS;
    await this.eraseSafely(userId, () => performance.now() < end);
  }

  private async eraseSafely(userId: number, goOn: () => boolean): Promise<boolean> {
    try {
      return await this.erase(userId, goOn);
    } catch (error) {
      this.logger.warn(`Account ${userId} is not erased yet: ${errorMessage(error)}`);
      return false;
    }
  }

  /** Whether nothing is left. */
  private async erase(userId: number, goOn: () => boolean): Promise<boolean> {
    for (const eraseBatch of this.kinds) {
      do {
        if (!goOn()) return false;
      } while ((await eraseBatch(userId)) > 0);
    }
    await this.transactions.run((tx) => this.reports.removeOfUser(tx, userId));
    await this.users.markErased(userId);
    return true;
  }
}
