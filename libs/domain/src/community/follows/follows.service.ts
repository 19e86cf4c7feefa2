import { Injectable } from '@nestjs/common';
import { type EventEnvelope, userFollowed } from '@vitrine/contracts';
import type { UserListQuery } from '@vitrine/contracts/api';
import { type Transaction, Database } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import {
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import type { Caller } from '../../base/access/caller';
import type { Viewer } from '../../base/access/viewer';
import {
  refusalOf,
  type SharedRequest,
  SharedTransactions,
} from '../../base/shared-transactions/shared-transactions';
import type { Author } from '../../accounts/authors/author.types';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { NotificationsService } from '../notifications/notifications.service';
import { RelationsService } from '../relations/relations.service';
import { FollowCountsService } from '../../accounts/users/follow-counts.service';
import { type Follow, type FollowEntry, FollowRepository, type FollowSide } from './follow.repository';

/** An entry of a user's list of followers or followed users. */
export interface FollowView extends Pick<FollowEntry, 'followedAt'> {
  readonly author: Author;
}

/** One page of such a list. */
export interface FollowPage {
  readonly follows: readonly FollowView[];
  /** The number of entries in the whole list. */
  readonly total: number;
}

/** That a user begins or ends to follow another. */
interface FollowChange {
  readonly followeeId: number;
  readonly caller: Caller;
  readonly begins: boolean;
}

/** Which page of such a list. */
export type FollowPageRequest = Pick<UserListQuery, 'page' | 'limit' | 'period'>;

/** Follows. Usernames are read ignoring case. */
@Injectable()
export class FollowsService {
  /** Follows of the same user wait for each other. */
  private readonly changes: SharedTransactions<FollowChange, undefined>;

  constructor(
    private readonly database: Database,
    private readonly repository: FollowRepository,
    private readonly authors: AuthorsService,
    private readonly counts: FollowCountsService,
    private readonly relations: RelationsService,
    private readonly notifications: NotificationsService,
    private readonly outbox: Outbox,
  ) {
    this.changes = new SharedTransactions(database, (tx, requests) => this.changeAll(tx, requests));
  }

  /**
   * Follows a user. Idempotent. Throws `NotFoundError`, also for a user who blocks the caller; `ForbiddenError` for one whom
   * the caller blocks; and `InvalidFieldsError` on `username` if it is the caller's own.
   */
  async follow(username: string, caller: Caller): Promise<void> {
    await this.change(username, caller, true);
  }

  /** Unfollows a user. Idempotent. Throws `NotFoundError`, and `InvalidFieldsError` as `follow` does. */
  async unfollow(username: string, caller: Caller): Promise<void> {
    await this.change(username, caller, false);
  }

  /** Ends the follows between two users in both directions. Both must be locked in the caller's transaction. */
  async endBetween(tx: Transaction, one: number, other: number): Promise<void> {
    for (const follow of [
      { followerId: one, followeeId: other },
      { followerId: other, followeeId: one },
    ]) {
      await this.end(tx, follow);
    }
  }

  /** Whether one user follows the other; false if `followerId` is null. */
  async isFollowing(followerId: number | null, followeeId: number): Promise<boolean> {
    return followerId !== null && this.repository.exists({ followerId, followeeId });
  }

  /**
   * One page of a user's followers or followed users, the latest first, without people whom the viewer blocks or mutes, or
   * who block the viewer; `total` counts them all the same. Throws `NotFoundError`.
   */
  async findPage(
    side: FollowSide,
    username: string,
    viewer: Viewer,
    request: FollowPageRequest,
  ): Promise<FollowPage> {
    const { page, limit, period = 'all' } = request;
    const [userId, hidden] = await Promise.all([
      this.authors.findUserId(username),
      this.relations.findHidden(viewer),
    ]);
    if (userId === null) throw new NotFoundError();
    await this.relations.assertVisible(viewer, userId);
    const list = { side, userId, period, hidden: [...hidden] };
    const [total, entries] = await Promise.all([
      period === 'all' ? this.countAll(side, userId) : this.repository.count(side, userId, period),
      this.repository.findPage(list, { limit, offset: (page - 1) * limit }),
    ]);
    const authors = await this.authors.findVisibleAuthors(entries.map((entry) => entry.userId));
    const follows = entries.flatMap(({ userId, followedAt }) => {
      const author = authors.get(userId);
      return author ? [{ author, followedAt }] : [];
    });
    return { follows, total };
  }

  /**
   * Removes up to `batch` follows by or of a deleted account. Returns the number found: 0 if none are left.
   */
  eraseFollowsOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const found = await this.repository.findOf(tx, userId, batch);
      const others = found.map(({ followerId, followeeId }) =>
        followerId === userId ? followeeId : followerId,
      );
      await this.counts.lock(tx, [userId, ...others]);
      const gone = await this.repository.removeAll(
        tx,
        found.map(({ id }) => id),
      );
      const followees = gone.filter(({ followerId }) => followerId === userId);
      const followers = gone.filter(({ followeeId }) => followeeId === userId);
      await this.counts.changeFollowing(tx, [userId], -followees.length);
      await this.counts.changeFollowers(tx, [userId], -followers.length);
      await this.counts.changeFollowers(
        tx,
        followees.map(({ followeeId }) => followeeId),
        -1,
      );
      await this.counts.changeFollowing(
        tx,
        followers.map(({ followerId }) => followerId),
        -1,
      );
      return found.length;
    });
  }

  private async change(username: string, caller: Caller, begins: boolean): Promise<void> {
    const followeeId = await this.authors.findUserId(username);
    if (followeeId === null) throw new NotFoundError();
    if (followeeId === caller.userId) {
      throw new InvalidFieldsError({ username: ['You cannot follow yourself.'] });
    }
    await this.changes.run(String(followeeId), { followeeId, caller, begins });
  }

  /** Changes the follows of one user by others, one after the other. */
  private async changeAll(
    tx: Transaction,
    requests: readonly SharedRequest<FollowChange>[],
  ): Promise<readonly (undefined | Error)[]> {
    const { followeeId } = requests[0]!.item;
    const living = await this.counts.lock(tx, [
      followeeId,
      ...requests.map(({ item }) => item.caller.userId),
    ]);
    /** How the follow of each user changes in total. */
    const changes = new Map<number, number>();
    const events: EventEnvelope[] = [];
    const outcomes: (undefined | Error)[] = [];
    for (const { item, inContext } of requests) {
      const follow = { followerId: item.caller.userId, followeeId };
      const refusal = await refusalOf(() => this.assertMayChange(tx, item, living));
      outcomes.push(refusal);
      if (refusal || !(await this.repository[item.begins ? 'insert' : 'remove'](tx, follow))) continue;
      changes.set(follow.followerId, (changes.get(follow.followerId) ?? 0) + (item.begins ? 1 : -1));
      if (item.begins) {
        const data = { follower_id: follow.followerId, followee_id: followeeId };
        events.push(inContext(buildEnvelope, userFollowed, data));
        await this.notifications.add(tx, { userId: followeeId, kind: 'follow', actorId: follow.followerId });
      } else {
        await this.notifications.removeFollow(tx, followeeId, follow.followerId);
      }
    }
    for (const by of [1, -1]) {
      const followers = [...changes].filter(([, change]) => change === by).map(([id]) => id);
      if (followers.length === 0) continue;
      await this.counts.changeFollowers(tx, [followeeId], by * followers.length);
      await this.counts.changeFollowing(tx, followers, by);
    }
    await this.outbox.addAll(tx, events);
    return outcomes;
  }

  private async assertMayChange(
    tx: Transaction,
    { followeeId, caller, begins }: FollowChange,
    living: ReadonlySet<number>,
  ): Promise<void> {
    if (!living.has(caller.userId)) throw new UnauthenticatedError();
    if (!living.has(followeeId)) throw new NotFoundError();
    if (!begins || (await this.relations.isReachable(tx, caller, followeeId))) return;
    const { isBlocked } = await this.relations.findStanding(caller, followeeId);
    throw isBlocked ? new NotFoundError() : new ForbiddenError();
  }

  private async end(tx: Transaction, follow: Follow): Promise<void> {
    if (!(await this.repository.remove(tx, follow))) return;
    await this.counts.changeFollowers(tx, [follow.followeeId], -1);
    await this.counts.changeFollowing(tx, [follow.followerId], -1);
    await this.notifications.removeFollow(tx, follow.followeeId, follow.followerId);
  }

  /** The length of the whole list, which the user's row contains. */
  private async countAll(side: FollowSide, userId: number): Promise<number> {
    return (await this.counts.find(userId))?.[side] ?? 0;
  }
}
