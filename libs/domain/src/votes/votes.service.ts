import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { AuthorsService } from '../authors/authors.service';
import { type Vote, VoteRepository, type VoteTarget } from './vote.repository';
import { type Ballot, type CastVote, castVote, type VoteValue } from './vote.rules';

/** An item, and the user who votes on it. */
export interface VotedItem {
  readonly target: VoteTarget;
  readonly id: number;
  readonly userId: number;
}

/**
 * Votes on posts and comments. Callers lock the item's row first, and change its score by `to - from` in the same
 * transaction.
 */
@Injectable()
export class VotesService {
  constructor(
    private readonly repository: VoteRepository,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * Casts or removes a user's vote within the caller's transaction. The item's row must be locked. Throws
   * `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  async cast(tx: Transaction, { target, id, userId }: VotedItem, ballot: Ballot): Promise<CastVote> {
    await this.authors.holdLiving(tx, userId);
    const vote = castVote(await this.repository.findState(tx, target, id, userId), ballot);
    if (vote.to === vote.from) return vote;
    if (vote.to === 0) await this.repository.remove(tx, target, [id], userId);
    else await this.repository.record(tx, target, id, userId, vote.to);
    return vote;
  }

  /** A user's votes on some items, by item id; empty if `userId` is null. */
  async findVotes(
    userId: number | null,
    target: VoteTarget,
    targetIds: readonly number[],
  ): Promise<ReadonlyMap<number, VoteValue>> {
    if (userId === null || targetIds.length === 0) return new Map();
    const votes = await this.repository.findByUser(target, userId, targetIds);
    return new Map(votes.map(({ targetId, value }) => [targetId, value]));
  }

  /** Up to `limit` items that a user has voted on, in the order of their ids, in which they must be locked. */
  findVotedOn(tx: Transaction, target: VoteTarget, userId: number, limit: number): Promise<number[]> {
    return this.repository.findTargets(tx, target, userId, limit);
  }

  /**
   * Removes a user's votes on some items, whose rows must be locked. Returns the votes that existed: the score of
   * each item falls by the vote's `value`.
   */
  withdraw(
    tx: Transaction,
    target: VoteTarget,
    targetIds: readonly number[],
    userId: number,
  ): Promise<readonly Vote[]> {
    return this.repository.remove(tx, target, targetIds, userId);
  }
}
