import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { AuthorsService } from '../users/authors.service';
import { type Vote, VoteRepository, type VoteTarget } from './vote.repository';
import { type CastVote, castVote, type VoteValue } from './vote.rules';

/**
 * Who voted how on what. It knows nothing of the things voted on: whoever owns the thing locks its row first, and
 * changes its score by `to - from` in the same transaction.
 */
@Injectable()
export class VotesService {
  constructor(
    private readonly repository: VoteRepository,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * Casts a vote within the caller's transaction: once more takes it back, the other one switches it. The thing's row
   * must be locked. Throws `UnauthenticatedError` where the account has been deleted meanwhile.
   */
  async cast(
    tx: Transaction,
    target: VoteTarget,
    targetId: number,
    userId: number,
    value: VoteValue,
  ): Promise<CastVote> {
    await this.authors.holdLiving(tx, userId);
    const vote = castVote(await this.repository.findState(tx, target, targetId, userId), value);
    if (vote.to === 0) await this.repository.remove(tx, target, [targetId], userId);
    else await this.repository.record(tx, target, targetId, userId, vote.to);
    return vote;
  }

  /** How somebody voted on some things, by their ids; nobody has no votes. */
  async findVotes(
    userId: number | null,
    target: VoteTarget,
    targetIds: readonly number[],
  ): Promise<ReadonlyMap<number, VoteValue>> {
    if (userId === null || targetIds.length === 0) return new Map();
    const votes = await this.repository.findByUser(target, userId, targetIds);
    return new Map(votes.map(({ targetId, value }) => [targetId, value]));
  }

  /** Up to `limit` things that an account has voted on, in the order of their ids: the order in which to lock them. */
  findVotedOn(tx: Transaction, target: VoteTarget, userId: number, limit: number): Promise<number[]> {
    return this.repository.findTargets(tx, target, userId, limit);
  }

  /**
   * Removes an account's votes on some things, whose rows must be locked. Returns those that there were, by the
   * things' ids: each score falls by its `value`.
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
