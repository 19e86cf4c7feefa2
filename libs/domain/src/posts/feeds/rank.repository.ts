import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { Period } from '@vitrine/contracts/api';
import { intervalOf } from '../../base/queries/period-interval';
import { queueForRanking } from './rank-queue';

/** What has ranks. */
export type Ranked = 'posts' | 'media';

/** Items whose ranks may be out of date, taken from the queue. */
export interface QueuedRanks {
  /** The number of entries taken. */
  readonly entries: number;
  readonly posts: readonly number[];
  readonly media: readonly number[];
}

/** A range of ids, of which `end` is the first one outside. */
export interface IdRange {
  readonly start: number;
  readonly end: number;
}

/** The score of a media item `media`: the highest one of the listed posts that contain it; 0 if there is none. */
const MEDIA_SCORE = `coalesce((
  select max(p.score) from post_media pm join posts p on p.id = pm.post_id
  where pm.media_id = ranked.id and p.listing <> 'unlisted'), 0)`;

/** For each kind of item, the table of ranks, the score that a rank must have, and that of a new rank, which is queued. */
const RANKS = {
  posts: {
    table: 'post_ranks',
    score: '(select score from posts where id = ranked.id)',
    firstScore: 'score',
  },
  media: { table: 'media_ranks', score: MEDIA_SCORE, firstScore: '0' },
} as const;

/** A floor stays until the items above it are this old, when no open transaction can add one below it. */
const SETTLED = `interval '1 minute'`;
/** A transaction may have read the floors just before they moved: this number of ids before a floor is checked again. */
const RECHECKED = 2000;

/** Every write of the ranks, their queue and the floors of their ages. */
@Injectable()
export class RankRepository {
  constructor(private readonly database: Database) {}

  /** Lets only one transaction rank at a time, so that no older score replaces a newer one. Voters don't wait. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query('lock table rank_floors in share row exclusive mode');
  }

  /** Puts some posts or media into the queue of items whose ranks may be out of date. */
  async queue(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    await tx.query(queueForRanking(items, 'unnest($1::bigint[]) as id'), [ids], { prepared: true });
  }

  /** Adds or removes the ranks of locked items as their listings say. A rank that exists keeps its age and score. */
  async rankListed(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    const { table, firstScore } = RANKS[items];
    await tx.query(
      `with unlisted as (
         delete from ${table} where id in (select id from ${items} where id = any($2::bigint[]) and listing = 'unlisted')
       )
       insert into ${table} (id, user_id, listing, age, score)
       select id, user_id, listing, rank_age($1, id), ${firstScore} from ${items}
       where id = any($2::bigint[]) and listing <> 'unlisted' order by id
       on conflict (id) do update set user_id = excluded.user_id, listing = excluded.listing`,
      [items, ids],
      { prepared: true },
    );
  }

  /** Whether something waits to be ranked. */
  async hasChanges(): Promise<boolean> {
    const rows = await this.database.read('select from rank_changes limit 1');
    return rows.length > 0;
  }

  /** Takes up to `limit` entries from the queue, oldest first. */
  async take(tx: Transaction, limit: number): Promise<QueuedRanks> {
    const [row] = await tx.query<QueuedRanks>(
      `with taken as (
         delete from rank_changes where id in (select id from rank_changes order by id limit $1)
         returning post_id, media_id
       )
       select count(*)::integer as entries,
              coalesce(array_agg(distinct post_id) filter (where post_id is not null), '{}') as posts,
              coalesce(array_agg(distinct media_id) filter (where media_id is not null), '{}') as media
       from taken`,
      [limit],
    );
    if (!row) throw new Error('A count has no row');
    return row;
  }

  /** The ids of the media in some posts. */
  async findMediaOf(tx: Transaction, postIds: readonly number[]): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      'select distinct media_id as id from post_media where post_id = any($1::bigint[])',
      [postIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Gives the ranks of some items their current scores. Rows are locked in the order of their ids. */
  async rankItems(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    const { table, score } = RANKS[items];
    await tx.query(
      `update ${table} set score = current.score
       from (
         select ranked.id, scored.score from ${table} ranked cross join lateral (select ${score} as score) as scored
         where ranked.id = any($1::bigint[]) and ranked.score <> scored.score
         order by ranked.id for no key update of ranked
       ) as current
       where ${table}.id = current.id`,
      [ids],
    );
  }

  /**
   * Moves the floor of a period, over at most `limit` ranks. Returns the range of ids whose ages may have changed, or
   * null if the floor stays where it is.
   */
  async moveFloor(
    tx: Transaction,
    items: Ranked,
    age: number,
    period: Exclude<Period, 'all'>,
    limit: number,
  ): Promise<IdRange | null> {
    const [row] = await tx.query<{ start: number; floor: number }>(
      `with known as (
         select coalesce((select floor from rank_floors where items = $1 and age = $2), 0) as floor
       ), wanted as (
         select min(id) as floor from (
           select id from ${items}
           where created_at >= now() - $3::interval - ${SETTLED} and created_at < now() - ${SETTLED}
           order by created_at, id limit 100) as first
       ), reached as (
         select id as floor from ${RANKS[items].table}
         where id >= (select floor from known) order by id offset $4 limit 1
       ), moved as (
         insert into rank_floors as floors (items, age, floor)
         select $1, $2, least(wanted.floor, (select floor from reached)) from wanted, known
         where wanted.floor > known.floor
         on conflict (items, age) do update set floor = excluded.floor
         returning floor
       )
       select known.floor as start, moved.floor from known, moved`,
      [items, age, intervalOf(period), limit],
    );
    return row ? { start: Math.max(0, row.start - RECHECKED), end: row.floor } : null;
  }

  /** The ids of the ranks in a range of ids that have become older by the floors. */
  async findOlder(tx: Transaction, items: Ranked, { start, end }: IdRange): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      `select id from ${RANKS[items].table} where id >= $2 and id < $3 and age < rank_age($1, id) order by id`,
      [items, start, end],
    );
    return rows.map(({ id }) => id);
  }

  /** Sets the ages of some ranks by the floors. Rows are locked in the order of their ids. */
  async setAges(tx: Transaction, items: Ranked, ids: readonly number[]): Promise<void> {
    const { table } = RANKS[items];
    await tx.query(
      `update ${table} set age = older.age
       from (
         select id, rank_age($1, id) as age from ${table} where id = any($2::bigint[]) order by id for no key update
       ) as older
       where ${table}.id = older.id`,
      [items, ids],
    );
  }

  /** Makes every rank again where it is missing, wrong or superfluous, for example after a bulk load. */
  async rankAll(tx: Transaction, items: Ranked): Promise<void> {
    const { table, score } = RANKS[items];
    await tx.query(`delete from ${table} where id in (select id from ${items} where listing = 'unlisted')`);
    await tx.query(
      `insert into ${table} as known (id, user_id, listing, age, score)
       select ranked.id, ranked.user_id, ranked.listing, rank_age($1, ranked.id), ${score}
       from ${items} ranked where ranked.listing <> 'unlisted'
       on conflict (id) do update
       set user_id = excluded.user_id, listing = excluded.listing, age = excluded.age, score = excluded.score
       where (known.user_id, known.listing, known.age, known.score)
         is distinct from (excluded.user_id, excluded.listing, excluded.age, excluded.score)`,
      [items],
    );
  }
}
