import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { ClaimedPurge, PurgeBacklog, PurgeCause, PurgedMedia } from './cache-purge.types';

/** What an attempt led to: due again after this number of seconds, given up (null), or done. */
export interface PurgeResult {
  readonly slug: string;
  readonly requests: number;
  readonly attempt: number;
  readonly wait: number | null;
}

const RESULTS = `jsonb_to_recordset($2::jsonb) as r(slug text, requests integer, attempt integer, wait float8)`;
const OF_RESULT = 'p.cache = $1 and p.slug = r.slug and p.requests = r.requests and p.attempts = r.attempt';

/** Every query on the table `cache_purges`. */
@Injectable()
export class CachePurgeRepository {
  constructor(private readonly database: Database) {}

  /** Makes the purge of each of these media due now in each of these caches, with all its attempts. */
  async request(
    tx: Transaction,
    caches: readonly string[],
    media: readonly PurgedMedia[],
    cause: PurgeCause,
  ): Promise<void> {
    // In one order, so that simultaneous requests wait for each other.
    await tx.query(
      `insert into cache_purges as p (cache, slug, file_names, withdrawn)
       select cache, slug, "fileNames", $3
       from unnest($1::text[]) as cache, jsonb_to_recordset($2::jsonb) as m(slug text, "fileNames" text[])
       order by cache, slug
       on conflict (cache, slug) do update set
         file_names = array(select distinct unnest(p.file_names || excluded.file_names)),
         withdrawn = p.withdrawn or excluded.withdrawn,
         requested_at = now(), requests = p.requests + 1, purged = false, attempts = 0, due_at = now(), error = null`,
      [caches, JSON.stringify(media), cause === 'withdrawn'],
    );
  }

  /** Takes due purges of one cache for an attempt; other processes take different ones for `leaseSeconds`. */
  async claim(tx: Transaction, cache: string, limit: number, leaseSeconds: number): Promise<ClaimedPurge[]> {
    return tx.query<ClaimedPurge>(
      `with due as (
         select cache, slug from cache_purges
         where cache = $1 and due_at <= now()
         order by withdrawn desc, due_at limit $2 for update skip locked
       ),
       claimed as (
         update cache_purges p
         set attempts = p.attempts + 1, due_at = now() + make_interval(secs => $3)
         from due where p.cache = due.cache and p.slug = due.slug
         returning p.*
       )
       select slug, file_names as "fileNames", requests, attempts as attempt, not purged as "isFirst",
              case when withdrawn then 'withdrawn' else 'replaced' end as cause,
              extract(epoch from clock_timestamp() - requested_at)::float8 as age
       from claimed`,
      [cache, limit, leaseSeconds],
    );
  }

  /** Records successful attempts: they are due again after their wait, or removed if it is null. */
  async recordSuccess(tx: Transaction, cache: string, results: readonly PurgeResult[]): Promise<void> {
    const values = [cache, JSON.stringify(results)];
    await tx.query(
      `delete from cache_purges p using ${RESULTS} where ${OF_RESULT} and r.wait is null`,
      values,
    );
    await tx.query(
      `update cache_purges p set purged = true, attempts = 0, error = null, due_at = now() + make_interval(secs => r.wait)
       from ${RESULTS} where ${OF_RESULT} and r.wait is not null`,
      values,
    );
  }

  /** Records failed attempts: they are due again after their wait, or given up if it is null. */
  async recordFailure(
    tx: Transaction,
    cache: string,
    results: readonly PurgeResult[],
    error: string,
  ): Promise<void> {
    await tx.query(
      `update cache_purges p set error = $3, due_at = now() + make_interval(secs => r.wait)
       from ${RESULTS} where ${OF_RESULT}`,
      [cache, JSON.stringify(results), error],
    );
  }

  /** Seconds until the next purge of a cache is due; 0 if one is, null if none follows. */
  async findSecondsToNext(cache: string): Promise<number | null> {
    const rows = await this.database.read<{ seconds: number | null }>(
      `select greatest(0, extract(epoch from min(due_at) - now()))::float8 as seconds
       from cache_purges where cache = $1 and due_at is not null`,
      [cache],
    );
    return rows[0]?.seconds ?? null;
  }

  /** One row for each cache that has rows. */
  findBacklogs(): Promise<PurgeBacklog[]> {
    return this.database.read<PurgeBacklog & object>(
      `select cache, count(due_at)::int as waiting, (count(*) - count(due_at))::int as dead,
              greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "oldestDue",
              (array_agg(error order by requested_at desc) filter (where error is not null))[1] as error
       from cache_purges group by cache order by cache`,
    );
  }

  /** Makes all purges that were given up due again; returns how many. */
  async retryDead(tx: Transaction): Promise<number> {
    const rows = await tx.query<{ count: number }>(
      `with retried as (
         update cache_purges set due_at = now(), attempts = 0, requests = requests + 1 where due_at is null returning 1
       )
       select count(*)::int as count from retried`,
    );
    return rows[0]?.count ?? 0;
  }

  /** Removes what was requested more than `days` ago; returns how many. */
  async removeOld(tx: Transaction, days: number): Promise<number> {
    const rows = await tx.query<{ count: number }>(
      `with removed as (
         delete from cache_purges where requested_at < now() - make_interval(days => $1) returning 1
       )
       select count(*)::int as count from removed`,
      [days],
    );
    return rows[0]?.count ?? 0;
  }
}
