import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { AuditLog } from '../../base/audit/audit-log.service';
import type { ModerationDecisionEntity } from './moderation-decision.entity';
import {
  type DecisionFilter,
  type DecisionPage,
  type ItemDecision,
  ModerationDecisionRepository,
  type NewDecision,
} from './moderation-decision.repository';

/** The log of decisions on media, posts and accounts. Entries are never changed or removed. */
@Injectable()
export class DecisionLog {
  constructor(
    private readonly repository: ModerationDecisionRepository,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Adds a decision within the transaction that carries it out. The media item, post or account must be locked, so that the
   * log is in the order of the changes. A decision of staff is also an entry in the audit log. Returns the decision's id.
   */
  async append(tx: Transaction, decision: NewDecision): Promise<number> {
    const id = await this.repository.append(tx, decision);
    const { decidedBy, decidedByUserId, subject, subjectId, slug, reason } = decision;
    if (decidedBy === 'moderator' || decidedBy === 'operator') {
      await this.audit.append(tx, {
        by: decidedByUserId === null ? null : { userId: decidedByUserId },
        action: reason === 'application' ? 'application.decide' : `${subject}.rule`,
        subject: { type: subject, id: subjectId, name: slug },
        decisionId: id,
      });
    }
    return id;
  }

  /** Records what the owner of a media item or post has set, and returns the decision's id. */
  appendByOwner(
    tx: Transaction,
    decision: Pick<NewDecision, 'subject' | 'subjectId' | 'slug' | 'from' | 'to'>,
    userId: number,
  ): Promise<number> {
    return this.append(tx, { ...decision, decidedBy: 'owner', decidedByUserId: userId, reason: 'owner' });
  }

  /**
   * The latest decision on a media item by automation or a moderator; null if there is none. What the owner sets
   * isn't among them.
   */
  findLatestOfMedia(tx: Transaction, mediaId: number): Promise<ItemDecision | null> {
    return this.repository.findLatestOfMedia(tx, mediaId);
  }

  /** The latest automated verdict on a media item's pictures; null if there is none. */
  findLatestVerdict(tx: Transaction, mediaId: number): Promise<ItemDecision | null> {
    return this.repository.findLatestVerdict(tx, mediaId);
  }

  /** The id of a moderator's latest decision on a media item or post; null if there is none. */
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
