import { Injectable } from '@nestjs/common';
import { mediaLongProcessingRequested, mediaProcessingRequested } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { PROCESSABLE, type ProcessableMedia } from '../rows/media-events';
import type { AnnouncementsDue } from '../rows/media-row.types';
import {
  BEHIND_PATIENCE_SECONDS,
  BEHIND_SECONDS,
  type ProcessingEstimate,
  type ProcessingLane,
  type TurnsInProgress,
  type WaitingTurn,
  type MediaBacklog,
} from './processing-turns.rules';

/** "turn" in ASCII: first half of the advisory locks for giving out one uploader's turns. */
const LOCKS = 0x7475726e;
/** Second half of the lock for giving out turns to the uploaders who wait behind the others. */
const BEHIND_LOCK = 0;
/**
 * The sweeper waits this many times longer before it requests long work again, because the work may still be in
 * progress.
 */
const LONG_PATIENCE = 15;

const START_AGAIN = `on conflict (media_id) do update
  set subject = excluded.subject, lane = excluded.lane, cost = excluded.cost, queued_at = now(), requested_at = null, requests = 0, behind = false`;

/** A media item and the lane for which it is requested. */
export type RequestedMedia = ProcessableMedia & { readonly lane: ProcessingLane };

/** An uploader's file. It is in progress if it was requested, otherwise it waits. */
type FoundTurn = WaitingTurn & { readonly requested: boolean };

/** A file that is no longer waiting or in progress. */
export interface EndedTurn {
  readonly subject: string;
  readonly lane: ProcessingLane;
}

/** A file that was removed. */
export interface RemovedTurn extends EndedTurn {
  /** Whether it had a turn of the uploaders who wait behind the others. */
  readonly behind: boolean;
  /** Whether other files of its uploader wait. */
  readonly othersWait: boolean;
}

/** Every query on the table `processing_turns`. */
@Injectable()
export class ProcessingTurnsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the lock of `lockSubject`, and makes files wait for their turns among those of `subject`; files that already wait or
   * are in progress start again.
   */
  async lockAndEnqueue(
    tx: Transaction,
    subject: string,
    files: readonly (ProcessingEstimate & { readonly mediaId: number })[],
  ): Promise<void> {
    await tx.query(
      `with locked as materialized (select pg_advisory_xact_lock($1, hashtext($2)))
       insert into processing_turns (media_id, subject, lane, cost)
       select file.media_id, $2, file.lane, file.cost
       from locked, unnest($3::bigint[], $4::text[], $5::double precision[]) as file (media_id, lane, cost) ${START_AGAIN}`,
      [
        LOCKS,
        subject,
        files.map(({ mediaId }) => mediaId),
        files.map(({ lane }) => lane),
        files.map(({ cost }) => cost),
      ],
      { prepared: true },
    );
  }

  /** Removes a file, whose uploader must be locked; null if it neither waits nor is in progress. */
  async remove(tx: Transaction, mediaId: number): Promise<RemovedTurn | null> {
    const [ended] = await tx.query<RemovedTurn>(
      `with ended as (delete from processing_turns where media_id = $1 returning subject, lane, behind)
       select subject, lane, behind, exists (select from processing_turns other
         where other.subject = ended.subject and other.requested_at is null and other.media_id <> $1) as "othersWait"
       from ended`,
      [mediaId],
      { prepared: true },
    );
    return ended ?? null;
  }

  /** Ends a file's quick turn and makes it wait for a long one; null if it is not in progress as quick work. */
  async lengthen(tx: Transaction, mediaId: number): Promise<EndedTurn | null> {
    const [ended] = await tx.query<EndedTurn>(
      `with ended as (
         update processing_turns set lane = 'long', requested_at = null, requests = 0, behind = false
         where media_id = $1 and lane = 'quick' and requested_at is not null returning subject
       ) select subject, 'quick' as lane from ended`,
      [mediaId],
    );
    return ended ?? null;
  }

  /** The uploaders of these files, each once, in the order in which their locks are taken. */
  async findSubjects(tx: Transaction, mediaIds: readonly number[]): Promise<readonly string[]> {
    const rows = await tx.query<{ subject: string }>(
      'select distinct subject from processing_turns where media_id = any($1::bigint[]) order by subject',
      [mediaIds],
    );
    return rows.map(({ subject }) => subject);
  }

  /** Stops counting a file that is in progress for its uploader's share. */
  async setAside(tx: Transaction, mediaId: number): Promise<void> {
    await tx.query('update processing_turns set requests = 2 where media_id = $1 and requests = 1', [
      mediaId,
    ]);
  }

  /** Takes the lock under which one transaction at a time gives out an uploader's turns. */
  async lockSubject(tx: Transaction, subject: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCKS, subject], { prepared: true });
  }

  /** As `lockSubject`, for the uploader of a file, if the file waits or is in progress. */
  async lockSubjectOf(tx: Transaction, mediaId: number): Promise<void> {
    await tx.query(
      'select pg_advisory_xact_lock($1, hashtext(subject)) from processing_turns where media_id = $2',
      [LOCKS, mediaId],
      { prepared: true },
    );
  }

  /**
   * Takes the lock under which one transaction at a time gives out turns to uploaders who wait behind the others.
   * Call it after `lockSubject`.
   */
  async lockBehind(tx: Transaction): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, $2)', [LOCKS, BEHIND_LOCK]);
  }

  /**
   * An uploader's files that are in progress, and the next ones that wait in each lane, `limit` at most; null if a file of
   * this uploader exceeded its time within the last hour. A file that was requested again, or set aside, isn't counted:
   * its message may be a dead letter, and must not hold up the others.
   */
  async findTurns(
    tx: Transaction,
    subject: string,
    limit: number,
  ): Promise<{ readonly inProgress: TurnsInProgress; readonly waiting: readonly WaitingTurn[] } | null> {
    // The statement returns at least one row. If the uploader has no turns, the row's `mediaId` is null.
    const found = await tx.query<FoundTurn & { readonly isBehind: boolean }>(
      `select overran."isBehind", turn.* from
         (select exists (select from upload_counts where subject = $1
            and overran_at > now() - $3 * interval '1 second') as "isBehind") overran
       left join (
         select media_id as "mediaId", lane, cost, true as requested from processing_turns
           where subject = $1 and requests = 1
         union all
         (select media_id, lane, cost, false from processing_turns
           where subject = $1 and lane = 'quick' and requested_at is null order by media_id limit $2)
         union all
         (select media_id, lane, cost, false from processing_turns
           where subject = $1 and lane = 'long' and requested_at is null order by media_id limit 1)
       ) turn on not overran."isBehind"`,
      [subject, limit, BEHIND_SECONDS],
      { prepared: true },
    );
    if (found[0]?.isBehind) return null;
    const rows = found.filter(({ mediaId }) => mediaId !== null);
    const quick = rows.filter(({ requested, lane }) => requested && lane === 'quick');
    return {
      inProgress: {
        quick: quick.length,
        quickCost: quick.reduce((sum, { cost }) => sum + cost, 0),
        long: rows.filter(({ requested, lane }) => requested && lane === 'long').length,
      },
      waiting: rows.filter(({ requested }) => !requested),
    };
  }

  /** Records that these waiting files are requested, and returns them in order of their ids. */
  request(tx: Transaction, mediaIds: readonly number[]): Promise<RequestedMedia[]> {
    return tx.query<RequestedMedia>(
      `with requested as (
         update processing_turns set requested_at = now(), requests = 1
         where media_id = any($1::bigint[]) and requested_at is null returning media_id, lane
       ) select ${PROCESSABLE}, requested.lane from requested join media m on m.id = requested.media_id order by m.id`,
      [mediaIds],
      { prepared: true },
    );
  }

  /**
   * Requests the next file of the uploaders who wait behind the others: one file of all of them at a time, and only
   * while no long work of other uploaders is in progress, or once the file has waited very long. The uploader whose
   * overrun is longest ago comes first.
   */
  requestBehind(tx: Transaction): Promise<RequestedMedia[]> {
    return tx.query<RequestedMedia>(
      `with next as (
         select turn.media_id from upload_counts counted join processing_turns turn on turn.subject = counted.subject
         where counted.overran_at > now() - $1 * interval '1 second' and turn.requested_at is null
           and not exists (select from processing_turns other
             where other.requests = 1 and (other.behind or other.subject = turn.subject))
           and (turn.queued_at < now() - $2 * interval '1 second' or not exists (
             select from processing_turns other where other.requests = 1 and other.lane = 'long'))
         order by counted.overran_at, turn.media_id limit 1 for update of turn skip locked
       ), requested as (
         update processing_turns turn set requested_at = now(), requests = 1, lane = 'long', behind = true
         from next where turn.media_id = next.media_id returning turn.media_id, turn.lane
       ) select ${PROCESSABLE}, requested.lane from requested join media m on m.id = requested.media_id`,
      [BEHIND_SECONDS, BEHIND_PATIENCE_SECONDS],
    );
  }

  /** The sweeper's batch: files of a lane whose request seems to be lost. Records that they are requested again. */
  requestOverdue(
    tx: Transaction,
    lane: ProcessingLane,
    { firstAfterSeconds, atMostSeconds }: AnnouncementsDue,
    limit: number,
  ): Promise<RequestedMedia[]> {
    const { type } = lane === 'quick' ? mediaProcessingRequested : mediaLongProcessingRequested;
    const firstAfter = firstAfterSeconds * (lane === 'quick' ? 1 : LONG_PATIENCE);
    return tx.query<RequestedMedia>(
      `with overdue as (
         select turn.media_id from processing_turns turn
         where turn.requested_at < now() - interval '1 second' *
                 least($2 * power(2, least(turn.requests, 20) - 1), $3)
           and turn.lane = $1
           -- What the relay hasn't published yet needs no second copy.
           and not exists (select from outbox where envelope->>'type' = $4
             and (envelope->'data'->>'media_id')::bigint = turn.media_id)
         order by turn.requested_at limit $5 for update skip locked
       ), requested as (
         update processing_turns turn set requested_at = now(), requests = requests + 1
         from overdue where turn.media_id = overdue.media_id returning turn.media_id, turn.lane
       ) select ${PROCESSABLE}, requested.lane from requested join media m on m.id = requested.media_id order by m.id`,
      [lane, firstAfter, Math.max(firstAfter, atMostSeconds), type, limit],
    );
  }

  /** Uploaders with files that wait for their turn; `limit` at most. */
  async findWaitingSubjects(limit: number): Promise<readonly string[]> {
    const rows: { subject: string }[] = await this.database.query(
      'select distinct subject from processing_turns where requested_at is null limit $1',
      [limit],
    );
    return rows.map(({ subject }) => subject);
  }

  /**
   * Counts the media that wait for their variants, at most `limit`: the number in each line, and the longest wait in
   * seconds.
   */
  async findBacklog(limit: number): Promise<readonly MediaBacklog[]> {
    return this.database.query(
      `with turns as (
         select queued_at, behind or exists (select from upload_counts counted
                  where counted.subject = turn.subject and counted.overran_at > now() - $2 * interval '1 second')
                  as is_behind, lane
         from (select * from processing_turns limit $1) turn
       )
       select line, count(queued_at)::int as count,
              coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as "oldestSeconds"
       from unnest(array['quick', 'long', 'behind']) line
       left join turns on line = case when is_behind then 'behind' else lane end
       group by line`,
      [limit, BEHIND_SECONDS],
    );
  }
}
