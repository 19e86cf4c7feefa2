import { Injectable } from '@nestjs/common';
import type { StoredVariant } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { isSuspended } from '../../base/queries/restriction-sql';
import { PROCESSABLE, type ProcessableMedia } from '../rows/media-events';

/** Longer than a request may wait and its work may take, so that a repeated request finds no work in progress. */
const LEASE_SECONDS = 1200;
/** Requests for one media item without an answer, after which it is given up. */
const MAX_ATTEMPTS = 3;
/** Waiting media of which the next ones are chosen: those at the front may not be ready yet. */
const LOOKED_AT = 200;
/** Until those are looked at again, if there are so many of them that others were not looked at. */
const UNREADY_SECONDS = 300;

const IS_OPEN = `w.requested_at > now() - ${LEASE_SECONDS} * interval '1 second'`;
/** Guests take turns together, because anybody can become any number of them. */
const SUBJECT = `case when m.user_id is null or exists (select from users u where u.id = m.user_id and u.kind = 'guest')
  then 'guests' else 'user:' || m.user_id end`;
const TURN = `${PROCESSABLE}, m.variants`;

/** A media item whose alternatives must be made. */
export interface AlternativesTurn extends ProcessableMedia {
  readonly variants: readonly StoredVariant[];
  /** The number of the request. */
  readonly attempt: number;
}

/** What waits for alternatives. */
export interface AlternativesBacklog {
  readonly media: number;
  /** Of these, those that are being made. */
  readonly requested: number;
  /** How long the oldest of them has waited; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** Every query on the table `alternative_work`, and on the records of alternatives. */
@Injectable()
export class AlternativesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Makes a media item wait for its turn, behind the others of its subject, unless it waits already; the subjects
   * alternate.
   */
  async enqueue(mediaId: number): Promise<void> {
    await this.database.write(
      `insert into alternative_work (media_id, subject, turn)
       select m.id, s.subject, greatest(
         (select max(w.turn) + 1 from alternative_work w where w.subject = s.subject),
         (select min(w.turn) from alternative_work w), 0)
       from media m cross join lateral (select ${SUBJECT} as subject) s where m.id = $1
       on conflict (media_id) do nothing`,
      [mediaId],
    );
  }

  /** Makes all media wait that may get alternatives and have none, the newest of each subject first; returns how many. */
  async enqueueAll(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `with added as (
         insert into alternative_work (media_id, subject, turn)
         select m.id, s.subject, row_number() over (partition by s.subject order by m.id desc)
           + greatest((select max(turn) from alternative_work), 0)
         from media m cross join lateral (select ${SUBJECT} as subject) s
         where m.kind = 'image' and m.processed and m.moderation_status <> 'rejected' and m.alternatives = '[]'
           and not ${isSuspended('m.user_id')} and (m.variants @> '[{"ext": "jpg"}]' or m.variants @> '[{"ext": "png"}]')
         on conflict (media_id) do nothing returning media_id
       ) select count(*)::int as count from added`,
    );
    return row!.count;
  }

  /**
   * Records a request for the next media, at most `limit`, and returns their ids. Only media that are decided on and
   * served are requested, and none whose objects are being removed, because the work would use their keys. Those that
   * are withdrawn, or whose owner is suspended, don't wait any longer.
   */
  async takeNext(tx: Transaction, limit: number): Promise<readonly number[]> {
    const taken = await tx.query<{ id: number }>(
      `with candidates as materialized (
         select w.media_id, w.turn, m.moderation_status = 'rejected' or m.processing_error is not null
             or ${isSuspended('m.user_id')} as withdrawn,
           m.processed and m.decided_at is not null
             and not exists (select from processing_turns turn where turn.media_id = m.id)
             and not exists (select from variant_work v where v.media_id = m.id) as ready
         from alternative_work w join media m on m.id = w.media_id
         where (w.requested_at is null or not ${IS_OPEN}) and w.not_before <= now() and w.attempts < ${MAX_ATTEMPTS}
         order by w.turn, w.media_id limit ${LOOKED_AT} for update of w skip locked
       ), dropped as (
         delete from alternative_work w using candidates c where w.media_id = c.media_id and c.withdrawn
       ), later as (
         update alternative_work w set not_before = now() + ${UNREADY_SECONDS} * interval '1 second' from candidates c
         where w.media_id = c.media_id and not c.ready and not c.withdrawn
           and (select count(*) from candidates) = ${LOOKED_AT}
       ), taken as (
         update alternative_work w set requested_at = now(), attempts = attempts + 1, request = nextval('alternative_requests')
         where w.media_id in (
           select media_id from candidates where ready and not withdrawn order by turn, media_id limit $1)
         returning w.media_id as id
       )
       select id from taken`,
      [limit],
    );
    return taken.map(({ id }) => id);
  }

  /**
   * Locks media that were taken, and returns those whose variants stay until the answer: variants are removed only
   * from media that are not requested (`VariantRetentionRepository.findRequested`), and a removal in progress may not
   * delete what the work stores.
   */
  lockTaken(tx: Transaction, mediaIds: readonly number[]): Promise<AlternativesTurn[]> {
    return tx.query<AlternativesTurn>(
      `select ${TURN}, w.request as attempt from alternative_work w join media m on m.id = w.media_id
       where w.media_id = any($1::bigint[]) and not exists (select from variant_work v where v.media_id = m.id)
       order by m.id for share of m skip locked`,
      [mediaIds],
    );
  }

  /** Locks the request for a media item; its number, or null if none is open. */
  async lockRequest(tx: Transaction, mediaId: number): Promise<number | null> {
    const [row] = await tx.query<{ request: number }>(
      'select request from alternative_work where media_id = $1 and requested_at is not null for update',
      [mediaId],
    );
    return row?.request ?? null;
  }

  /**
   * Ends the request for a locked media item, whose answer is then late; returns whether there was one. The next one waits
   * until no work can be in progress any longer.
   */
  async endRequest(tx: Transaction, mediaId: number): Promise<boolean> {
    const ended = await tx.query(
      `update alternative_work set requested_at = null, attempts = 0,
         not_before = requested_at + ${LEASE_SECONDS} * interval '1 second'
       where media_id = $1 and requested_at is not null returning media_id`,
      [mediaId],
    );
    return ended.length > 0;
  }

  /** Makes media wait again, for this number of seconds, as if they had not been requested. */
  async postpone(tx: Transaction, mediaIds: readonly number[], seconds: number): Promise<void> {
    await tx.query(
      `update alternative_work set requested_at = null, attempts = attempts - 1,
         not_before = now() + $2 * interval '1 second' where media_id = any($1::bigint[])`,
      [mediaIds, seconds],
    );
  }

  /** The keys of the recorded alternatives of a locked media item. */
  async findKeys(tx: Transaction, mediaId: number): Promise<readonly string[]> {
    const rows = await tx.query<{ key: string }>(
      `select a ->> 'key' as key from media m, jsonb_array_elements(m.alternatives) a where m.id = $1`,
      [mediaId],
    );
    return rows.map(({ key }) => key);
  }

  /** Ends the wait of some media. */
  async remove(tx: Pick<Transaction, 'query'>, mediaIds: readonly number[]): Promise<void> {
    await tx.query('delete from alternative_work where media_id = any($1::bigint[])', [mediaIds]);
  }

  /** Ends the wait of up to `limit` media that are not being made now; returns how many. */
  async removeWaiting(limit: number): Promise<number> {
    const removed = await this.database.write(
      `delete from alternative_work where media_id in (
         select w.media_id from alternative_work w where w.requested_at is null or not ${IS_OPEN}
         limit $1 for update skip locked)
       returning media_id`,
      [limit],
    );
    return removed.length;
  }

  /** Locks up to `limit` media whose last request got no answer. */
  async lockGivenUp(tx: Transaction, limit: number): Promise<readonly AlternativesTurn[]> {
    return tx.query(
      `select ${TURN}, w.request as attempt
       from alternative_work w join media m on m.id = w.media_id
       where w.attempts >= ${MAX_ATTEMPTS} and not ${IS_OPEN} order by w.media_id limit $1 for update of w skip locked`,
      [limit],
    );
  }

  /** Counts the media that wait, at most `limit`. */
  async findBacklog(limit: number): Promise<AlternativesBacklog> {
    const [row]: AlternativesBacklog[] = await this.database.query(
      `select count(*)::int as media, (count(*) filter (where ${IS_OPEN}))::int as requested,
         coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as "oldestSeconds"
       from (select requested_at, queued_at from alternative_work limit $1) w`,
      [limit],
    );
    return row!;
  }
}
