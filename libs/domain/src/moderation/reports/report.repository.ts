import { Injectable } from '@nestjs/common';
import type { ReportReason, ReportType } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';

/** A report to add. */
export interface NewReport {
  /** Null for a visitor without an account. */
  readonly reporterId: number | null;
  readonly type: ReportType;
  readonly targetId: number;
  readonly reason: ReportReason;
  readonly details: string | null;
  /** Where moderators can answer a visitor. */
  readonly contact?: string | null;
}

/** A report as shown to the user who made it. */
export interface OwnReport {
  readonly id: number;
  readonly type: ReportType;
  /** Slug of a media item or post, id of a comment, username. */
  readonly target: string;
  readonly reason: ReportReason;
  readonly details: string | null;
  readonly createdAt: Date;
}

/** "rept" in ASCII: first half of the advisory locks for counting a user's reports. */
const LOCKS = 0x72657074;

/** Every write of the table `reports`, which the moderation queue reads. */
@Injectable()
export class ReportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds a report, or finds the earlier report of the same item by the same user; returns its id. If the item is
   * deleted, returns null or throws PostgreSQL's foreign_key_violation.
   */
  async insertOrFind(tx: Transaction, report: NewReport): Promise<number | null> {
    const { reporterId, type, targetId, reason, details, contact = null } = report;
    const [inserted] = await tx.query<{ id: number }>(
      `insert into reports (reporter_id, type, media_id, post_id, comment_id, user_id, reason, details, contact)
       values ($1, $2, case when $2 = 'media' then $3::bigint end, case when $2 = 'post' then $3::bigint end,
               case when $2 = 'comment' then $3::bigint end, case when $2 = 'user' then $3::bigint end, $4, $5, $6)
       on conflict on constraint reports_once_key do nothing returning id`,
      [reporterId, type, targetId, reason, details, contact],
    );
    if (inserted) return inserted.id;
    const [found] = await tx.query<{ id: number }>(
      'select id from reports where reporter_id = $1 and type = $2 and target_id = $3',
      [reporterId, type, targetId],
    );
    return found?.id ?? null;
  }

  /** Whether at least `most` reports of visitors without an account about an item are open. */
  hasMostOfVisitors(tx: Transaction, type: ReportType, targetId: number, most: number): Promise<boolean> {
    return tx.affects(
      `select from reports where type = $1 and target_id = $2 and closed_at is null and reporter_id is null
       offset $3 limit 1`,
      [type, targetId, most - 1],
    );
  }

  /** Whether a user has more than `most` open reports. Simultaneous transactions of the user wait for each other. */
  async hasMoreOpen(tx: Transaction, reporterId: number, most: number): Promise<boolean> {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCKS, String(reporterId)]);
    return tx.affects('select from reports where reporter_id = $1 and closed_at is null offset $2 limit 1', [
      reporterId,
      most,
    ]);
  }

  /** A report by the user who made it. */
  async findOwn(id: number, reporterId: number): Promise<OwnReport | null> {
    const [row] = await this.database.read<OwnReport>(
      `select r.id, r.type, coalesce(m.slug, p.slug, r.comment_id::text, u.username) as target, r.reason, r.details,
              r.created_at as "createdAt"
       from reports r
       left join media m on m.id = r.media_id
       left join posts p on p.id = r.post_id
       left join users u on u.id = r.user_id
       where r.id = $1 and r.reporter_id = $2`,
      [id, reporterId],
    );
    return row ?? null;
  }

  /** The id of a comment's post; null if the comment is deleted. */
  async findCommentedPost(commentId: number): Promise<number | null> {
    const [row] = await this.database.read<{ postId: number }>(
      'select post_id as "postId" from comments where id = $1 and deleted_at is null',
      [commentId],
    );
    return row?.postId ?? null;
  }

  /** Closes the open reports of an item, and forgets who may be answered; returns how many. `by` is null for the operator. */
  async close(tx: Transaction, type: ReportType, targetId: number, by: number | null): Promise<number> {
    const closed = await tx.query<{ id: number }>(
      `update reports set closed_at = now(), closed_by = $3, contact = null
       where type = $1 and target_id = $2 and closed_at is null returning id`,
      [type, targetId, by],
    );
    return closed.length;
  }

  /** Reopens the reports that `by` closed in the transaction of a decision; they have its time. */
  async reopen(
    tx: Transaction,
    type: ReportType,
    targetId: number,
    by: number,
    decisionId: number,
  ): Promise<void> {
    await tx.query(
      `update reports set closed_at = null, closed_by = null
       where type = $1 and target_id = $2 and closed_by = $3
         and closed_at = (select created_at from moderation_decisions where id = $4)`,
      [type, targetId, by, decisionId],
    );
  }

  /** Removes the reports by a user and of a user. */
  async removeOfUser(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from reports where reporter_id = $1 or user_id = $1', [userId]);
  }
}
