import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Period } from '@vitrine/contracts';
import type { DataSource } from 'typeorm';
import { countedName, type Feed, listingsFor } from './feed';
import { feedSource, SqlValues } from './feed-sql';

/** What is known of a feed without reading it. */
export interface FeedSize {
  readonly total: number;
  /** Whether its blocks are counted. */
  readonly dense: boolean;
}

/** Where reading begins so that few entries are passed over. */
export interface FeedStart {
  /** Only ids below it; null for the newest of all. */
  readonly below: number | null;
  /** Entries below it that come before the page. */
  readonly offset: number;
}

const INTERVALS: Readonly<Record<Exclude<Period, 'all'>, string>> = {
  day: '1 day',
  week: '7 days',
  month: '1 month',
  year: '1 year',
};

/** The reading side of feeds. Ids rise with time, so that a feed in the order of its ids is the latest first. */
@Injectable()
export class FeedRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The first id within a period; null where nothing is as young as that. */
  async findFloor(items: Feed['items'], period: Exclude<Period, 'all'>): Promise<number | null> {
    const [row]: { id: number }[] = await this.dataSource.query(
      `select id from ${items} where created_at >= now() - $1::interval order by created_at, id limit 1`,
      [INTERVALS[period]],
    );
    return row?.id ?? null;
  }

  /** The size of a counted feed. */
  async findSize(feed: Feed): Promise<FeedSize> {
    const [row]: FeedSize[] = await this.dataSource.query(
      `select coalesce(sum(items), 0)::bigint as total,
              exists (select from dense_feeds where feed = $1) as dense
       from (select items from feed_totals where feed = $1 and listing = any($2)
             union all
             select change from feed_deltas where feed = $1 and listing = any($2)) as counted`,
      [countedName(feed), listingsFor(feed.audience)],
    );
    if (!row) throw new Error('A sum has no row');
    return row;
  }

  /** Items from `floor` on, by reading them. */
  async count(feed: Feed, floor: number | null): Promise<number> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const young = floor === null ? '' : `and ${id} >= ${values.add(floor)}`;
    const [row]: { total: number }[] = await this.dataSource.query(
      `select count(*) as total ${from} ${young}`,
      values.all,
    );
    return row?.total ?? 0;
  }

  /** Items of a dense feed from `floor` on: only those of the block that `floor` is in are read. */
  async countByBlocks(feed: Feed, floor: number): Promise<number> {
    const values = new SqlValues();
    const counted = blocksOf(feed, values);
    const lowest = values.add(floor);
    const { id, from } = feedSource(feed, values);
    const [row]: { total: number }[] = await this.dataSource.query(
      `select (select coalesce(sum(items), 0) from (${counted}) as counted where block > ${lowest}::bigint >> 12)::bigint
            + (select count(*) ${from} and ${id} >= ${lowest}::bigint
                 and ${id} < ((${lowest}::bigint >> 12) + 1) << 12) as total`,
      values.all,
    );
    return row?.total ?? 0;
  }

  /** The block of a dense feed in which the entry after `offset` others lies; null past the end. */
  async findStart(feed: Feed, offset: number): Promise<FeedStart | null> {
    const values = new SqlValues();
    const counted = blocksOf(feed, values);
    const [row]: FeedStart[] = await this.dataSource.query(
      `with ranked as (
         select block, sum(items) as items, sum(sum(items)) over (order by block desc) as upto
         from (${counted}) as counted group by block
       )
       select (block + 1) << 12 as below, ${values.add(offset)} - (upto - items)::bigint as offset
       from ranked where upto > ${values.add(offset)} order by block desc limit 1`,
      values.all,
    );
    return row ?? null;
  }

  /** Ids of a page, the latest first. */
  async findLatest(feed: Feed, start: FeedStart, floor: number | null, limit: number): Promise<number[]> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const bounds = [
      start.below === null ? '' : `and ${id} < ${values.add(start.below)}`,
      floor === null ? '' : `and ${id} >= ${values.add(floor)}`,
    ];
    return this.findIds(
      `select ${id} as id ${from} ${bounds.join(' ')}
       order by ${id} desc limit ${values.add(limit)} offset ${values.add(start.offset)}`,
      values,
    );
  }

  /**
   * Ids of a page in the order of a seed, for feeds short enough to be put in order as a whole. The order is that of
   * `findShuffledByBuckets`, so that a feed may grow from one to the other under a reader's eyes.
   */
  async findShuffled(
    feed: Feed,
    seed: number,
    floor: number | null,
    offset: number,
    limit: number,
  ): Promise<number[]> {
    const values = new SqlValues();
    const { id, from } = feedSource(feed, values);
    const young = floor === null ? '' : `and ${id} >= ${values.add(floor)}`;
    const by = values.add(seed);
    return this.findIds(
      `select ${id} as id ${from} ${young}
       order by ${bucketOrder(`shuffle_bucket(${id})`, by)}, ${idOrder(id, by)}
       limit ${values.add(limit)} offset ${values.add(offset)}`,
      values,
    );
  }

  /**
   * Ids of a page in the order of a seed, for the feeds of all posts and all media: the seed puts the buckets in
   * order, and the items of each; only the buckets that the page touches are read.
   */
  async findShuffledByBuckets(feed: Feed, seed: number, offset: number, limit: number): Promise<number[]> {
    const values = new SqlValues();
    const name = values.add(countedName(feed));
    const listings = values.add(listingsFor(feed.audience));
    const by = values.add(seed);
    const [first, most] = [values.add(offset), values.add(limit)];
    const { id, from } = feedSource(feed, values);
    return this.findIds(
      `with counted as (
         select bucket, sum(items)::bigint as items
         from (select bucket, items from feed_buckets where feed = ${name} and listing = any(${listings})
               union all
               select shuffle_bucket(item_id), change from feed_deltas
               where feed = ${name} and listing = any(${listings})) as counts
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
       limit ${most} offset ${first}::bigint - (select min(before) from touched)::bigint`,
      values,
    );
  }

  private async findIds(sql: string, values: SqlValues): Promise<number[]> {
    const rows: { id: number }[] = await this.dataSource.query(sql, values.all);
    return rows.map((row) => row.id);
  }
}

/** A dense feed's blocks with what they don't know of yet; a block may come more than once. */
function blocksOf(feed: Feed, values: SqlValues): string {
  const name = values.add(countedName(feed));
  const listings = values.add(listingsFor(feed.audience));
  return `select block, items from feed_blocks where feed = ${name} and listing = any(${listings})
          union all
          select item_id >> 12, change from feed_deltas where feed = ${name} and listing = any(${listings})`;
}

const bucketOrder = (bucket: string, seed: string): string =>
  `hashint8extended(${bucket}::bigint, ${seed}::bigint), ${bucket}`;
const idOrder = (id: string, seed: string): string => `hashint8extended(${id}, ${seed}::bigint), ${id}`;
