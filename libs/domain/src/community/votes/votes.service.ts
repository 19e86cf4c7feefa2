import { Injectable } from '@nestjs/common';
import { voteChanged } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { AuthorsService } from '../../accounts/authors/authors.service';
import type { ScoreChange } from '../../base/queries/score-sql';
import { type VoteOutcome, type Ballot, castVote, type VoteValue } from './vote.rules';
import { VoteRepository, type VoteTarget } from './vote.repository';

/** A user's vote on an item. */
interface VotedItem {
  readonly target: VoteTarget;
  readonly id: number;
  readonly userId: number;
}

/** The repository of the rows that can be voted on, which hold the scores. */
interface ScoredRows {
  /** Adds `by` to the score of each row and returns the new scores by id. */
  changeScores(tx: Transaction, changes: readonly ScoreChange[]): Promise<ReadonlyMap<number, number>>;
}

/** Votes on posts and comments, the scores that follow from them, and their events. Callers lock the item's row first. */
@Injectable()
export class VotesService {
  constructor(
    private readonly repository: VoteRepository,
    private readonly authors: AuthorsService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Casts or removes a user's vote within the caller's transaction. `score` is that of the item's row, which must be locked.
   * Throws `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  async cast(
    tx: Transaction,
    { score, ...item }: VotedItem & { readonly score: number },
    ballot: Ballot,
    rows: ScoredRows,
  ): Promise<VoteOutcome> {
    const { target, id, userId } = item;
    await this.authors.holdLiving(tx, userId);
    const { from, to } = castVote(await this.repository.findState(tx, target, id, userId), ballot);
    if (to === from) return { from, to, score };
    if (to === 0) await this.repository.remove(tx, target, [id], userId);
    else await this.repository.record(tx, target, id, userId, to);
    await rows.changeScores(tx, [{ id, by: to - from }]);
    const outcome = { from, to, score: score + to - from };
    await this.publish(tx, item, outcome);
    return outcome;
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

  /** Removes a user's votes on some items, whose rows must be locked. */
  async withdraw(
    tx: Transaction,
    target: VoteTarget,
    targetIds: readonly number[],
    userId: number,
    rows: ScoredRows,
  ): Promise<void> {
    const votes = await this.repository.remove(tx, target, targetIds, userId);
    const scores = await rows.changeScores(
      tx,
      votes.map(({ targetId, value }) => ({ id: targetId, by: -value })),
    );
    for (const { targetId: id, value } of votes) {
      await this.publish(tx, { target, id, userId }, { from: value, to: 0, score: scores.get(id) ?? 0 });
    }
  }

  private publish(tx: Transaction, { target, id, userId }: VotedItem, outcome: VoteOutcome): Promise<void> {
    return this.outbox.add(tx, voteChanged, { target, target_id: id, user_id: userId, ...outcome });
  }
}
