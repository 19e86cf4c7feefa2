import { Database } from '@vitrine/database';
import { Injectable } from '@nestjs/common';
import type { ReportReason, ReportType } from '@vitrine/contracts';
import type { DecisionReason, DecisionScores } from '../decisions/decision.types';

/** One open report. */
export interface OpenReport {
  readonly reason: ReportReason;
  readonly details: string | null;
  /** Null for a visitor without an account. */
  readonly reporter: string | null;
  /** Where moderators can answer a visitor. */
  readonly contact: string | null;
  readonly createdAt: Date;
}

/** An item that waits for a moderator. */
export interface QueueEntry {
  readonly type: ReportType;
  /** The id of the media item, post, comment or user. */
  readonly id: number;
  readonly waitingSince: Date;
  /** The number of open reports. */
  readonly reports: number;
  /** The scores of the latest automated decision, for media. */
  readonly scores: DecisionScores | null;
  /** Why automation left it to a moderator, then the reasons of reports, each once. */
  readonly reasons: readonly (DecisionReason | ReportReason)[];
  /** At most ten, latest first. */
  readonly latestReports: readonly OpenReport[];
}

export interface QueuePage {
  /** Oldest first. */
  readonly entries: readonly QueueEntry[];
  /** The number of entries in the whole queue. */
  readonly total: number;
}

/** An entry as JSON from PostgreSQL, in which times are texts. */
type Row = Omit<QueueEntry, 'waitingSince' | 'latestReports'> & {
  readonly waitingSince: string;
  readonly latestReports: readonly (Omit<OpenReport, 'createdAt'> & { readonly createdAt: string })[];
};

/**
 * The moderation queue: media about which automation was unsure, posts whose ruling ended with a change of their
 * content, and existing items with an open report. It is derived, so nothing is in it twice and nothing has to be
 * removed from it.
 */
const QUEUE = `
  select type, id, min(since) as since, sum(reports)::integer as reports
  from (select 'media' as type, media_id as id, waiting_since as since, 0 as reports from moderation_queue
        union all
        select 'post', id, ruling_lapsed_at, 0 from posts where ruling_lapsed_at is not null
        union all
        select r.type, r.target_id, r.created_at, 1 from reports r
        left join comments c on c.id = r.comment_id
        left join users u on u.id = r.user_id
        where r.closed_at is null and c.deleted_at is null and u.deleted_at is null) as waiting
  group by type, id`;

/** Reads the moderation queue. */
@Injectable()
export class QueueRepository {
  constructor(private readonly database: Database) {}

  /** One page; `page` counts from 1. One statement, so that page and total are consistent. */
  async findPage(page: number, limit: number): Promise<QueuePage> {
    const [row]: { total: number; entries: Row[] }[] = await this.database.query(
      `with queue as (${QUEUE}),
       page as (select * from queue order by since, type, id limit $1 offset $2)
       select (select count(*) from queue) as total, array(
         select json_build_object(
           'type', page.type, 'id', page.id, 'waitingSince', page.since, 'reports', page.reports,
           'scores', automation.scores,
           'reasons', coalesce(q.reasons, '{}') || case when p.ruling_lapsed_at is null then '{}'
             else array['content_changed'] end || array(
             select distinct reason from reports r
             where r.type = page.type and r.target_id = page.id and r.closed_at is null order by reason),
           'latestReports', array(
             select json_build_object('reason', r.reason, 'details', r.details, 'reporter', u.username, 'contact', r.contact,
                                      'createdAt', r.created_at)
             from reports r left join users u on u.id = r.reporter_id
             where r.type = page.type and r.target_id = page.id and r.closed_at is null
             order by r.id desc limit ${LATEST_REPORTS}))
         from page
         left join moderation_queue q on page.type = 'media' and q.media_id = page.id
         left join posts p on page.type = 'post' and p.id = page.id
         left join lateral (
           select scores from moderation_decisions d
           where page.type = 'media' and d.subject = 'media' and d.subject_id = page.id and d.decided_by = 'system'
           order by d.id desc limit 1) as automation on true
         order by page.since, page.type, page.id) as entries`,
      [limit, (page - 1) * limit],
    );
    if (!row) throw new Error('A count has no row');
    return { total: row.total, entries: row.entries.map(toEntry) };
  }
}

/** The largest number of reports that an entry shows. */
const LATEST_REPORTS = 10;

const toEntry = ({ waitingSince, latestReports, ...entry }: Row): QueueEntry => ({
  ...entry,
  waitingSince: new Date(waitingSince),
  latestReports: latestReports.map((report) => ({ ...report, createdAt: new Date(report.createdAt) })),
});
