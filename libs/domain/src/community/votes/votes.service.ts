import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type EventEnvelope, voteChanged } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { UnauthenticatedError } from '../../base/errors/domain-error';
import type { ScoreChange } from '../../base/queries/score-sql';
import type { SharedRequest } from '../../base/shared-transactions/shared-transactions';
import { type Ballot, castVote, type VoteOutcome, type VoteState, type VoteValue } from './vote.rules';
import { VoteRepository, type VoteTarget } from './vote.repository';

/** An item that is voted on, and its score. */
interface VotedItem {
  readonly target: VoteTarget;
  readonly id: number;
  readonly score: number;
}

/** What a user wants to do with their vote. */
export interface CastBallot {
  readonly userId: number;
  readonly ballot: Ballot;
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
   * Casts or removes votes of users within the caller's transaction, one after the other. `score` is that of the item's row,
   * which must be locked. The outcome is `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  async castAll(
    tx: Transaction,
    { target, id, score: before }: VotedItem,
    requests: readonly SharedRequest<CastBallot>[],
    rows: ScoredRows,
  ): Promise<readonly (VoteOutcome | Error)[]> {
    const userIds = [...new Set(requests.map(({ item }) => item.userId))];
    const living = await this.authors.holdAllLiving(tx, userIds);
    const states = await this.repository.findStates(tx, target, id, userIds);
    const changed = new Map<number, VoteState>();
    const events: EventEnvelope[] = [];
    let score = before;
    const outcomes = requests.map(({ item: { userId, ballot }, inContext }) => {
      if (!living.has(userId)) return new UnauthenticatedError();
      const { from, to } = castVote(changed.get(userId) ?? states.get(userId) ?? 0, ballot);
      score += to - from;
      const outcome = { from, to, score };
      if (to === from) return outcome;
      changed.set(userId, to);
      const data = { target, target_id: id, user_id: userId, ...outcome };
      events.push(inContext(buildEnvelope, voteChanged, data));
      return outcome;
    });
    if (events.length === 0) return outcomes;
    await this.repository.record(tx, target, id, changed);
    await rows.changeScores(tx, [{ id, by: score - before }]);
    await this.outbox.addAll(tx, events);
    return outcomes;
  }

  /** As `castAll`, for the vote of the request that is handled here. Throws the refusal. */
  async cast(tx: Transaction, voted: VotedItem, item: CastBallot, rows: ScoredRows): Promise<VoteOutcome> {
    const request = { item, inContext: AsyncLocalStorage.snapshot() };
    const [outcome] = await this.castAll(tx, voted, [request], rows);
    if (outcome instanceof Error) throw outcome;
    return outcome!;
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
      const outcome = { from: value, to: 0, score: scores.get(id) ?? 0 } as const;
      await this.outbox.add(tx, voteChanged, { target, target_id: id, user_id: userId, ...outcome });
    }
  }
}
