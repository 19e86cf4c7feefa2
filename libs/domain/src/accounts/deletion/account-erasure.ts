import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { AuditLog } from '../../base/audit/audit-log.service';
import { CollectionsService } from '../../community/collections/collections.service';
import { CommentsService } from '../../community/comments/comments.service';
import { FollowsService } from '../../community/follows/follows.service';
import { TagFollowsService } from '../../community/follows/tag-follows.service';
import { MediaDeletion } from '../../media/items/media-deletion.service';
import { PostEditingService } from '../../posts/posts/post-editing.service';
import { PostsService } from '../../posts/posts/posts.service';
import { NotificationsService } from '../../community/notifications/notifications.service';
import { RelationsService } from '../../community/relations/relations.service';
import { ReportsService } from '../../moderation/reports/reports.service';
import type { Caller } from '../../base/access/caller';
import { AccountDeletion } from './account-deletion.service';
import { GuestsService } from '../users/guests.service';
import type { Proof } from '../../sign-in/factors/reauthentication.service';
import { UnerasedAccounts } from './unerased-accounts.service';

/**
 * The number of items that one transaction erases. It takes tens of milliseconds, so others don't wait long for its
 * locks.
 */
const BATCH = 100;
/** The time for which the request that deletes an account erases, in milliseconds. */
const AT_ONCE_MS = 3_000;
/** The largest number of accounts in one sweep. */
const ACCOUNTS = 100;
/** So many seconds after an account's deletion the request that deleted it no longer erases. */
const LEFT_BEHIND_SECONDS = 2 * (AT_ONCE_MS / 1000);

/**
 * Erases what deleted accounts have made, in batches. Each batch is a short transaction, and the erasure can be
 * interrupted after any batch: the next run finds what is left. Several processes may erase at the same time.
 */
@Injectable()
export class AccountErasure {
  private readonly logger = new Logger(AccountErasure.name);
  /**
   * Each function erases one batch of one kind and returns the number found. Media are erased first: if a private
   * post were deleted before its media, feeds would show the media until they are erased.
   */
  private readonly kinds: readonly ((userId: number) => Promise<number>)[];

  constructor(
    private readonly database: Database,
    private readonly deletion: AccountDeletion,
    private readonly unerased: UnerasedAccounts,
    private readonly guests: GuestsService,
    private readonly reports: ReportsService,
    media: MediaDeletion,
    posts: PostsService,
    postEditing: PostEditingService,
    collections: CollectionsService,
    comments: CommentsService,
    follows: FollowsService,
    tagFollows: TagFollowsService,
    relations: RelationsService,
    notifications: NotificationsService,
    audit: AuditLog,
  ) {
    this.kinds = [
      (userId) => media.eraseMediaOf(userId, BATCH),
      (userId) => postEditing.removeAllOf(userId, BATCH),
      (userId) => collections.eraseCollectionsOf(userId),
      (userId) => comments.eraseCommentsOf(userId, BATCH),
      (userId) => posts.withdrawVotes(userId, BATCH),
      (userId) => comments.eraseVotesOf(userId, BATCH),
      (userId) => follows.eraseFollowsOf(userId, BATCH),
      (userId) => tagFollows.eraseFollowsOf(userId, BATCH),
      (userId) => relations.eraseRelationsOf(userId, BATCH),
      (userId) => notifications.eraseNotificationsOf(userId, BATCH),
      (userId) => audit.eraseAddressesOf(userId, BATCH),
    ];
  }

  /**
   * Deletes the caller's account and erases what it has made for up to three seconds; `eraseLeftBehind` does the
   * rest. Throws as `AccountDeletion.markDeleted` does.
   */
  async deleteAccount(caller: Caller, proof: Proof): Promise<void> {
    await this.deletion.markDeleted(caller, proof);
    await this.eraseAtOnce(caller.userId);
  }

  /** As `deleteAccount`, for the calling guest. Throws as `GuestsService.markDeleted` does. */
  async deleteGuest(guest: Caller): Promise<void> {
    await this.guests.markDeleted(guest);
    await this.eraseAtOnce(guest.userId);
  }

  /**
   * Erases what is left of deleted accounts while `mayContinue` returns true. Returns the number of accounts that are
   * completely erased. An account whose erasure fails is tried again in the next run.
   */
  async eraseLeftBehind(mayContinue: () => boolean, leftForSeconds = LEFT_BEHIND_SECONDS): Promise<number> {
    let erased = 0;
    for (const userId of await this.unerased.find(leftForSeconds, ACCOUNTS)) {
      if (mayContinue() && (await this.eraseSafely(userId, mayContinue))) erased++;
    }
    return erased;
  }

  /** Erases what an account that was just deleted has made, for up to three seconds. */
  async eraseAtOnce(userId: number): Promise<void> {
    const end = performance.now() + AT_ONCE_MS;
    await this.eraseSafely(userId, () => performance.now() < end);
  }

  private async eraseSafely(userId: number, mayContinue: () => boolean): Promise<boolean> {
    try {
      return await this.erase(userId, mayContinue);
    } catch (error) {
      this.logger.warn(`Erasing account ${userId} failed and will be tried again: ${errorMessage(error)}`);
      return false;
    }
  }

  /** Returns whether nothing is left. */
  private async erase(userId: number, mayContinue: () => boolean): Promise<boolean> {
    for (const eraseBatch of this.kinds) {
      do {
        if (!mayContinue()) return false;
      } while ((await eraseBatch(userId)) > 0);
    }
    await this.database.transaction((tx) => this.reports.removeOfUser(tx, userId));
    await this.unerased.markErased(userId);
    return true;
  }
}
