import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import type { ModerationDecisionEntity } from './moderation-decision.entity';
import {
  type DecisionFilter,
  type DecisionPage,
  ModerationDecisionRepository,
  type NewDecision,
} from './moderation-decision.repository';

/** The log of decisions on media and posts, which is only ever added to. */
@Injectable()
export class DecisionLog {
  constructor(private readonly repository: ModerationDecisionRepository) {}

  /**
   * Adds a decision within the transaction that carries it out, under the lock of its media or post, so that the log
   * is in the order of what happened. Returns the decision's id.
   */
  append(tx: Transaction, decision: NewDecision): Promise<number> {
    return this.repository.append(tx, decision);
  }

  /** The decision on a media that is in force; null before the first. */
  findLatestOfMedia(tx: Transaction, mediaId: number): Promise<ModerationDecisionEntity | null> {
    return this.repository.findLatestOfMedia(tx, mediaId);
  }

  /** What automation said of a media's pictures, the latest; null where it never looked. */
  findLatestVerdict(tx: Transaction, mediaId: number): Promise<ModerationDecisionEntity | null> {
    return this.repository.findLatestVerdict(tx, mediaId);
  }

  /** The id of a moderator's latest decision on a media or post; null before the first. */
  findLatestIdBy(
    tx: Transaction,
    subject: ModerationDecisionEntity['subject'],
    subjectId: number,
    userId: number,
  ): Promise<number | null> {
    return this.repository.findLatestIdBy(tx, subject, subjectId, userId);
  }

  /** Decisions, newest first; `page` counts from 1. */
  findPage(filter: DecisionFilter, page: number, limit: number): Promise<DecisionPage> {
    return this.repository.findPage(filter, page, limit);
  }
}
