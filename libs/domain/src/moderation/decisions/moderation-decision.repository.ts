import { Injectable } from '@nestjs/common';
import type { ModerationStatus } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { In, Not } from 'typeorm';
import type { DecisionReason } from './decision.types';
import { ModerationDecisionEntity } from './moderation-decision.entity';

/** Columns of a decision that are null if they are omitted. */
type OptionalColumn = 'scores' | 'note' | 'revision' | 'until';

export type NewDecision = Omit<ModerationDecisionEntity, 'id' | 'createdAt' | OptionalColumn> &
  Partial<Pick<ModerationDecisionEntity, OptionalColumn>>;

/** Which decisions to read. Omitted fields don't filter. */
export interface DecisionFilter {
  readonly subject?: ModerationDecisionEntity['subject'] | undefined;
  readonly slug?: string | undefined;
}

/** A decision with the name of who made it. */
export type DecisionView = Omit<ModerationDecisionEntity, 'decidedByUserId'> & {
  /**
   * Null if the system or the operator decided, or an owner who is a guest or deleted. Moderators keep their names
   * after deletion.
   */
  readonly username: string | null;
};

export interface DecisionPage {
  /** Newest first. */
  readonly items: readonly DecisionView[];
  readonly total: number;
}

/** A decision on a media item or post, which changes its moderation status. */
export type ItemDecision = ModerationDecisionEntity & Record<'from' | 'to', ModerationStatus>;

/** The system's decisions that aren't verdicts on pictures. */
const NO_VERDICTS: readonly DecisionReason[] = ['processing_failed', 'processing_again'];

/** Every write of `moderation_decisions`, whose rows are never changed or removed. */
@Injectable()
export class ModerationDecisionRepository {
  constructor(private readonly database: Database) {}

  /** Returns the decision's id. */
  async append(tx: Transaction, decision: NewDecision): Promise<number> {
    const { scores = null, note = null, revision = null, until = null } = decision;
    const [row] = await tx.query<Pick<ModerationDecisionEntity, 'id'>>(
      `insert into moderation_decisions
         (subject, subject_id, slug, decided_by, decided_by_user_id, from_status, to_status, reason, scores, note, revision, until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
      [
        decision.subject,
        decision.subjectId,
        decision.slug,
        decision.decidedBy,
        decision.decidedByUserId,
        decision.from,
        decision.to,
        decision.reason,
        scores && JSON.stringify(scores),
        note,
        revision,
        until,
      ],
      { prepared: true },
    );
    return row!.id;
  }

  /** The latest decision by automation or a moderator; null if there is none. */
  async findLatestOfMedia(tx: Transaction, mediaId: number): Promise<ItemDecision | null> {
    const found = await tx.repository(ModerationDecisionEntity).findOne({
      where: { subject: 'media', subjectId: mediaId, decidedBy: Not('owner') },
      order: { id: 'DESC' },
    });
    return found as ItemDecision | null;
  }

  /** The latest automated verdict on a media item's pictures; null if there is none. */
  async findLatestVerdict(tx: Transaction, mediaId: number): Promise<ItemDecision | null> {
    const found = await tx.repository(ModerationDecisionEntity).findOne({
      where: { subject: 'media', subjectId: mediaId, decidedBy: 'system', reason: Not(In(NO_VERDICTS)) },
      order: { id: 'DESC' },
    });
    return found as ItemDecision | null;
  }

  /** The id of a moderator's latest decision on a media item or post; null if there is none. */
  async findLatestIdBy(
    tx: Transaction,
    subject: ModerationDecisionEntity['subject'],
    subjectId: number,
    decidedByUserId: number,
  ): Promise<number | null> {
    const found = await tx.repository(ModerationDecisionEntity).findOne({
      select: { id: true },
      where: { subject, subjectId, decidedBy: 'moderator', decidedByUserId },
      order: { id: 'DESC' },
    });
    return found?.id ?? null;
  }

  /** `page` counts from 1. */
  async findPage({ subject, slug }: DecisionFilter, page: number, limit: number): Promise<DecisionPage> {
    const matching = '($1::text is null or subject = $1) and ($2::text is null or slug = $2)';
    const filter = [subject ?? null, slug ?? null];
    const [counted] = await this.database.read<{ total: number }>(
      `select count(*)::integer as total from moderation_decisions where ${matching}`,
      filter,
      { unprepared: true },
    );
    const items = await this.database.read<DecisionView>(
      `select d.id, d.subject, d.subject_id as "subjectId", d.slug, d.decided_by as "decidedBy",
              d.from_status as "from", d.to_status as "to", d.reason, d.scores, d.note, d.revision, d.until,
              d.created_at as "createdAt", u.username
       from (select * from moderation_decisions
             where ${matching}
             order by id desc limit $3 offset $4) as d
       left join users u on u.id = d.decided_by_user_id and u.kind = 'member'
                            and (u.deleted_at is null or d.decided_by = 'moderator')
       order by d.id desc`,
      [...filter, limit, (page - 1) * limit],
      { unprepared: true },
    );
    return { items, total: counted?.total ?? 0 };
  }
}
