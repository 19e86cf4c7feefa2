import { Injectable } from '@nestjs/common';
import type { Period } from '@vitrine/contracts/api';
import { hiddenFromPlanner, Database } from '@vitrine/database';
import { intervalOf } from '../../base/queries/period-interval';
import { countedName, type Feed, type FeedPage, listingsFor, type Neighbours, type PagePlan } from './feed';
import { feedSource, leftOut, rankTable, SqlValues } from './feed-sql';

/** The size of a feed, from the counts. */
export interface FeedSize {
  readonly total: number;
  /** Whether the feed's blocks are counted. */
  readonly dense: boolean;
}

/** The place where reading starts, so that few entries are skipped. */
export interface FeedStart {
  /** Only ids below this are read; null for all ids. */
  readonly below: number | null;
  /** The number of entries below it that come before the page. */
  readonly offset: number;
}

/**
 * Simultaneous transactions may get their ids in another order than their times. So the lowest id of a period is
 * searched among this many of its first entries.
 */
const MADE_AT_ONCE = 100;

/** Reads feeds. Ids rise with time, so the latest entries have the highest ids. */
@Injectable()
export class FeedRepository {
  constructor(private readonly database: Database) {}

  /** The lowest id within a period, or within an interval of PostgreSQL; null if it has no items. */
  async findFloor(
    { items, mayLag }: Feed,
    period: Exclude<Period, 'all'> | '3 days',
  ): Promise<number | null> {
    const [row] = await this.database.read<{ floor: number | null }>(
      `select min(id) as floor
       from (select id from ${items} where created_at >= now() - $1::interval order by created_at, id
             limit ${MADE_AT_ONCE}) as first`,
      [period === '3 days' ? period : intervalOf(period)],
      { replica: mayLag },
    );
    return row?.floor ?? null;
  }

  /** The size of a counted feed. */
  async findSize(feed: Feed): Promise<FeedSize> {
    const values = new SqlValues();
    const counts = countsOf(feed, values);
    const [row] = await this.database.read<FeedSize>(
      `select coalesce(sum(items), 0)::bigint as total,
              exists (select from dense_feeds where feed = $1) as dense
       from (select items from feed_totals where ${counts}
             union all
             select change from feed_deltas where ${counts}) as counted`,
      values.all,
      { replica: feed.mayLag },
    );
    if (!row) throw new Error('A sum has no row');
    return row;
  }

  /** The ids of up to `limit` items of a feed that some users own, the latest first. */
  async findOwned(feed: Feed, userIds: readonly number[], limit: number): Promise<number[]> {
    const values = new SqlValues();
    const owners = hiddenFromPlanner(`${values.add(userIds)}::bigint[]`);
    const { id, from } = feedSource({ ...feed, ofOwner: 'owner.id' }, values);
    const most = values.number(limit);
    // A search for each owner: PostgreSQL would otherwise scan the whole feed for a few items.
    return this.findIds(
      feed,
      `select owned.id from unnest(${owners}) as owner (id)
       cross join lateral (select ${id} as id ${from} order by ${id} desc limit ${most}) as owned
       order by owned.id desc limit ${most}`,
      values,
    );
  }

  /** The items before and after one, the latest first; null for both if the feed doesn't contain it. */
  async findBeside(feed: Feed, beside: number, floor: number | null): Promise<Neighbours> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const lowest = values.number(floor ?? 0);
    const place = `(select ${id} ${from} and ${id} = ${values.number(beside)} and ${id} >= ${lowest})`;
    const [row] = await this.database.read<Neighbours>(
      `select (select ${id} ${from} and ${id} > ${place} and ${id} >= ${lowest} order by ${id} limit 1) as previous,
              (select ${id} ${from} and ${id} < ${place} and ${id} >= ${lowest} order by ${id} desc limit 1) as next`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? { previous: null, next: null };
  }

  /** Counts the items with ids from `floor`, by reading them. */
  async count(feed: Feed, floor: number): Promise<number> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const [row] = await this.database.read<{ total: number }>(
      `select count(*) as total ${from} and ${id} >= ${values.number(floor)}`,
      values.all,
      { replica: feed.mayLag },
    );
    return row?.total ?? 0;
  }

  /**
   * A page of a feed without counts, and its size, by reading all its entries once: the latest first, the highest score
   * first, or in the order of a seed. If it had to find only the page, PostgreSQL would scan the index of all items, which
   * is slow for a rare word.
   */
  async findByReading(feed: Feed, { seed, top = false, floor, offset, limit }: PagePlan): Promise<FeedPage> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const young = floor === null ? '' : `and ${id} >= ${values.number(floor)}`;
    const ranks = top ? `left join ${rankTable(feed.items)} as rank using (id)` : '';
    const order = top ? BY_SCORE : seed === null ? 'id desc' : shuffledOrder('id', values.number(seed));
    const [row] = await this.database.read<FeedPage>(
      `with entries as materialized (select ${id} as id ${from} ${young})
       select (select count(*) from entries) as total,
              array(select id from entries ${ranks} order by ${order}
                    limit ${values.number(limit)} offset ${values.number(offset)}) as ids`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? { ids: [], total: 0 };
  }

  /** As `findBeside`, for a feed without counts: all its entries are read once, as in `findByReading`. */
  async readBeside(feed: Feed, beside: number, floor: number | null, top: boolean): Promise<Neighbours> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const [row] = await this.database.read<Neighbours>(
      `with entries as materialized (select ${id} as id ${from} and ${id} >= ${values.number(floor ?? 0)})
       select previous, next
       from (select id, lag(id) over sorted as previous, lead(id) over sorted as next
             from entries left join ${rankTable(feed.items)} as rank using (id)
             window sorted as (order by ${top ? BY_SCORE : 'id desc'})) as placed
       where id = ${values.number(beside)}`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? { previous: null, next: null };
  }

  /**
   * Counts the items of a dense feed with ids from `floor`. Only the items of the block that contains `floor` are
   * read.
   */
  async countByBlocks(feed: Feed, floor: number): Promise<number> {
    const values = new SqlValues();
    const counts = countsOf(feed, values);
    const lowest = values.number(floor);
    const { id, from } = feedSource(feed, values);
    // One search per level: a join with the levels would read all blocks.
    const without =
      feed.without === undefined
        ? ''
        : `- (select count(*) from (${leftOut(feed.without, values)}) as gone
              where feed_block(id, 0) > feed_block(${lowest}, 0))`;
    const above = LEVELS.map(
      (level) =>
        `select items from feed_blocks where ${counts} and level = ${level}
           and block > feed_block(${lowest}, ${level}) and block <= (feed_block(${lowest}, ${level}) | 63)`,
    );
    const [row] = await this.database.read<{ total: number }>(
      `select (select coalesce(sum(items), 0)::bigint from (${above.join(' union all ')}) as blocks)
            + (select coalesce(sum(change), 0)::bigint from feed_deltas
               where ${counts} and feed_block(item_id, 0) > feed_block(${lowest}, 0))
            + (select count(*) ${from} and ${id} >= ${lowest}
                 and ${id} < (feed_block(${lowest}, 0) + 1) << 10) ${without} as total`,
      values.all,
      { replica: feed.mayLag },
    );
    return row?.total ?? 0;
  }

  /** The start of the block of a dense feed that contains the entry after `offset` others; null after the end. */
  async findStart(feed: Feed, offset: number): Promise<FeedStart | null> {
    const values = new SqlValues();
    const counts = countsOf(feed, values);
    const passed = values.number(offset);
    const without =
      feed.without === undefined
        ? ''
        : `union all select feed_block(id, walk.level - 1), -1 from (${leftOut(feed.without, values)}) as gone
           where feed_block(id, walk.level) = walk.block`;
    const [row] = await this.database.read<FeedStart>(
      `with recursive walk (level, block, before) as (
         select ${LEVELS.length}, 0::bigint, 0::bigint
         union all
         select walk.level - 1, step.block, step.before
         from walk cross join lateral (
           select block, walk.before + upto - items as before
           from (select block, sum(items)::bigint as items, sum(sum(items)) over (order by block desc)::bigint as upto
                 from (select block, items from feed_blocks where ${counts} and feed_blocks.level = walk.level - 1
                         and block between walk.block << 6 and (walk.block << 6) + 63
                       union all
                       select feed_block(item_id, walk.level - 1), change from feed_deltas
                       where ${counts} and feed_block(item_id, walk.level) = walk.block
                       ${without}) as counted
                 group by block) as ranked
           where walk.before + upto > ${passed}
           order by block desc limit 1
         ) as step
         where walk.level > 0
       )
       select (block + 1) << 10 as below, ${passed} - before as offset from walk where level = 0`,
      values.all,
      { replica: feed.mayLag },
    );
    return row ?? null;
  }

  /** Ids of a page that begins at `start`, the latest first. */
  async findLatest(feed: Feed, start: FeedStart, { floor, limit }: PagePlan): Promise<number[]> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const bounds = [
      start.below === null ? '' : `and ${id} < ${values.number(start.below)}`,
      floor === null ? '' : `and ${id} >= ${values.number(floor)}`,
    ];
    return this.findIds(
      feed,
      `select ${id} as id ${from} ${bounds.join(' ')}
       order by ${id} desc limit ${values.number(limit)} offset ${values.number(start.offset)}`,
      values,
    );
  }

  /**
   * Ids of a page in the order of a seed, for feeds that are short enough to be sorted as a whole. The order is the
   * same as in `findShuffledByBuckets`, so a reader doesn't notice when a growing feed changes from one to the other.
   */
  async findShuffled(feed: Feed, seed: number, { floor, offset, limit }: PagePlan): Promise<number[]> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const young = floor === null ? '' : `and ${id} >= ${values.number(floor)}`;
    const by = values.number(seed);
    return this.findIds(
      feed,
      `select ${id} as id ${from} ${young}
       order by ${shuffledOrder(id, by)}
       limit ${values.number(limit)} offset ${values.number(offset)}`,
      values,
    );
  }

  /**
   * Ids of a page in the order of a seed, for the feeds of all posts and all media. The seed orders the buckets, and
   * the items in each bucket. Only the buckets of the page are read.
   */
  async findShuffledByBuckets(feed: Feed, seed: number, { offset, limit }: PagePlan): Promise<number[]> {
    const values = new SqlValues();
    const counts = countsOf(feed, values);
    const by = values.number(seed);
    const [first, most] = [values.number(offset), values.number(limit)];
    const { id, from } = feedSource(feed, values);
    const without =
      feed.without === undefined
        ? ''
        : `union all select shuffle_bucket(id), -1 from (${leftOut(feed.without, values)}) as gone`;
    return this.findIds(
      feed,
      `with counted as (
         select bucket, sum(items)::integer as items
         from (select bucket, items from feed_buckets where ${counts}
               union all
               select shuffle_bucket(item_id), change from feed_deltas where ${counts}
               ${without}) as counts
         group by bucket
       ), placed as (
         select bucket, items, sum(items) over (order by ${bucketOrder('bucket', by)}) - items as before from counted
       ), touched as (
         select bucket, before from placed
         where before < ${first}::bigint + ${most}::bigint and before + items > ${first}::bigint
       )
       select entry.id from touched
       cross join lateral (select ${id} as id ${from} and shuffle_bucket(${id}) = touched.bucket) as entry
       order by touched.before, ${idOrder('entry.id', by)}
       limit ${most} offset ${first}::bigint - (select min(before) from touched)`,
      values,
    );
  }

  private async findIds({ mayLag }: Feed, sql: string, values: SqlValues): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(sql, values.all, { replica: mayLag });
    return rows.map((row) => row.id);
  }
}

/** The levels of blocks. A block of the last level covers 2^28 ids. */
const LEVELS = [0, 1, 2, 3];

/** The condition that selects a feed in the tables of counts. */
const countsOf = (feed: Feed, values: SqlValues): string =>
  `feed = ${hiddenFromPlanner(`${values.add(countedName(feed))}::text`)}
   and listing = any(${hiddenFromPlanner(`${values.add(listingsFor(feed.audience))}::text[]`)}::text[])`;

const BY_SCORE = 'coalesce(rank.score, 0) desc, id desc';
const bucketOrder = (bucket: string, seed: string): string =>
  `hashint8extended(${bucket}::bigint, ${seed}::bigint), ${bucket}`;
const idOrder = (id: string, seed: string): string => `hashint8extended(${id}, ${seed}::bigint), ${id}`;
const shuffledOrder = (id: string, seed: string): string =>
  `${bucketOrder(`shuffle_bucket(${id})`, seed)}, ${idOrder(id, seed)}`;
