import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { ModerationDecisionEntity } from './moderation-decision.entity';

export type NewDecision = Omit<ModerationDecisionEntity, 'id' | 'createdAt'>;

/** Every query on `moderation_decisions`, which only ever grows. */
@Injectable()
export class ModerationDecisionRepository {
  /** Returns the decision's id. */
  async append(tx: Transaction, decision: NewDecision): Promise<number> {
    const { identifiers } = await tx.repository(ModerationDecisionEntity).insert(decision);
    return (identifiers[0] as Pick<ModerationDecisionEntity, 'id'>).id;
  }

  /** The decision that is in force; null before the first. */
  findLatestOfMedia(tx: Transaction, mediaId: number): Promise<ModerationDecisionEntity | null> {
    return tx
      .repository(ModerationDecisionEntity)
      .findOne({ where: { subject: 'media', subjectId: mediaId }, order: { id: 'DESC' } });
  }
}
