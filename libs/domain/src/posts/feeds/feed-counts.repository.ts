import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** The result of folding deltas in one transaction. */
export interface Folded {
  readonly deltas: number;
  /** The names of the feeds that the deltas changed. */
  readonly feeds: readonly string[];
}

/** A post that is new in the feeds, and the id of the last follow whose follower knows of it. */
export interface Announcement {
  readonly postId: number;
  readonly afterFollowId: number;
}

/** The deltas that the counts don't include yet. */
export interface Unfolded {
  readonly deltas: number;
  /** The age of the oldest delta in seconds; 0 if there is none. */
  readonly seconds: number;
}

/** The number of wrong counts by table. */
export interface FeedCountDifferences {
  readonly totals: number;
  readonly blocks: number;
  readonly buckets: number;
}

/** All feeds with their items, one row per item. The counts must agree with this. */
const ENTRIES = `
  select 'posts' as feed, listing, id as item_id from posts where listing <> 'unlisted'
  union all select 'posts:user:' || user_id, listing, id from posts where user_id is not null
  union all select 'posts:tag:' || tag_id, listing, post_id from post_tags where listing <> 'unlisted'
  union all select 'media', listing, id from media where listing <> 'unlisted'
  union all select 'media:user:' || user_id, listing, id from media where user_id is not null
  union all select 'media:tag:' || tag_id, listing, media_id from media_tags where listing <> 'unlisted'
  union all select rank_feed('post_ranks', age, score), listing, id from post_ranks
  union all select rank_feed('media_ranks', age, score), listing, id from media_ranks`;

/** Posts that come into the feeds later than this, for example because their author is no longer limited, are no news. */
const NEWS = `interval '2 days'`;

/** Every write of the counts of feeds, which are updated from the deltas that triggers add. */
@Injectable()
export class FeedCountsRepository {
  constructor(private readonly database: Database) {}

  /** The deltas that aren't folded yet. */
  async findUnfolded(): Promise<Unfolded> {
    const [row]: Unfolded[] = await this.database.query(
      `select count(*)::integer as deltas,
              coalesce(extract(epoch from now() - min(created_at)), 0)::float as seconds from feed_deltas`,
    );
    if (!row) throw new Error('A count has no row');
    return row;
  }

  /**
   * Locks the counts against other writers until the transaction ends. Must be its first statement. Readers don't
   * wait.
   */
  async lock(tx: Transaction): Promise<void> {
    await tx.query('lock table dense_feeds in share row exclusive mode');
  }

  /** Adds up to `limit` deltas, oldest first, to the counts. Posts that come into the feeds for the first time are announced. */
  async fold(tx: Transaction, limit: number): Promise<Folded> {
    const [row] = await tx.query<Folded>(
      `with folded as (
         delete from feed_deltas where id in (select id from feed_deltas order by id limit $1)
         returning feed, listing, item_id, change
       ), totals as (
         insert into feed_totals as counted (feed, listing, items)
         select feed, listing, sum(change) from folded group by feed, listing order by feed, listing
         on conflict (feed, listing) do update set items = counted.items + excluded.items
       ), blocks as (
         insert into feed_blocks as counted (feed, listing, level, block, items)
         select feed, listing, level, feed_block(item_id, level), sum(change)
         from folded join dense_feeds using (feed) cross join generate_series(0, 3) level
         group by 1, 2, 3, 4
         on conflict (feed, listing, level, block) do update set items = counted.items + excluded.items
       ), buckets as (
         insert into feed_buckets as counted (feed, listing, bucket, items)
         select feed, listing, shuffle_bucket(item_id), sum(change) from folded where feed in ('posts', 'media')
         group by 1, 2, 3
         on conflict (feed, listing, bucket) do update set items = counted.items + excluded.items
       ), announced as (
         insert into post_announcements (post_id)
         select distinct p.id from folded join posts p on p.id = folded.item_id
         where folded.feed = 'posts' and folded.change > 0 and p.created_at > now() - ${NEWS}
           and exists (select from follows where followee_id = p.user_id)
           and not exists (select from notifications n where n.post_id = p.id and n.kind = 'post')
         on conflict do nothing
       )
       select count(*)::integer as deltas, coalesce(array_agg(distinct feed), '{}') as feeds from folded`,
      [limit],
    );
    if (!row) throw new Error('A count has no row');
    return row;
  }

  /** Locks the next post whose author's followers are to be notified; other processes take others. */
  async takeAnnouncement(tx: Transaction): Promise<Announcement | null> {
    const [row] = await tx.query<Announcement>(
      `select post_id as "postId", after_follow_id as "afterFollowId"
       from post_announcements order by post_id limit 1 for update skip locked`,
    );
    return row ?? null;
  }

  /** Records how far the followers have been notified; null: all of them. */
  async recordAnnouncement(tx: Transaction, postId: number, afterFollowId: number | null): Promise<void> {
    if (afterFollowId === null) await tx.query('delete from post_announcements where post_id = $1', [postId]);
    else
      await tx.query('update post_announcements set after_follow_id = $2 where post_id = $1', [
        postId,
        afterFollowId,
      ]);
  }

  /** Removes the counts of those of `feeds` that hold the items of one age and score, and are empty now. */
  async forgetEmpty(tx: Transaction, feeds: readonly string[]): Promise<void> {
    const ofRanks = feeds.filter((feed) => feed.includes(':top:'));
    for (const table of ['feed_totals', 'feed_blocks']) {
      await tx.query(`delete from ${table} where feed = any($1) and items = 0`, [ofRanks]);
    }
  }

  /** Those of `feeds` that have become longer than `denseFrom`, so that their blocks must be counted from now on. */
  async findNewlyDense(
    tx: Transaction,
    feeds: readonly string[],
    denseFrom: number,
  ): Promise<readonly string[]> {
    const rows = await tx.query<{ feed: string }>(
      `select feed from feed_totals where feed = any($1) and feed not in (select feed from dense_feeds)
       group by feed having sum(items) > $2`,
      [feeds, denseFrom],
    );
    return rows.map((row) => row.feed);
  }

  /**
   * The number of counts that differ from the items, for each table of counts. Deltas are taken into account. The
   * transaction must run on a snapshot.
   */
  async countDifferences(tx: Transaction): Promise<FeedCountDifferences> {
    const differences = async (counts: { key: string; entries: string; table: string; deltas: string }) => {
      const [row] = await tx.query<{ rows: number }>(
        `select count(*)::integer as rows from (
           select from (
             select ${counts.key}, -1 as items from (${ENTRIES}) as entries ${counts.entries}
             union all select ${counts.key}, items from ${counts.table}
             union all select ${counts.key}, change from feed_deltas ${counts.deltas}
           ) as summed group by ${counts.key} having sum(items) <> 0
         ) as differing`,
      );
      return row?.rows ?? 0;
    };
    const inBlocks = `join dense_feeds using (feed) cross join generate_series(0, 3) as level
                      cross join lateral feed_block(item_id, level) as block`;
    const inBuckets = `cross join lateral shuffle_bucket(item_id) as bucket where feed in ('posts', 'media')`;
    const key = 'feed, listing';
    return {
      totals: await differences({ key, entries: '', table: 'feed_totals', deltas: '' }),
      blocks: await differences({
        key: `${key}, level, block`,
        entries: inBlocks,
        table: 'feed_blocks',
        deltas: inBlocks,
      }),
      buckets: await differences({
        key: `${key}, bucket`,
        entries: inBuckets,
        table: 'feed_buckets',
        deltas: inBuckets,
      }),
    };
  }

  /**
   * Counts the blocks of a feed from its items and deletes its deltas. The transaction must run on a snapshot, so
   * that changes committed later leave deltas that stay.
   */
  async makeDense(tx: Transaction, feed: string): Promise<void> {
    await tx.query('delete from feed_deltas where feed = $1', [feed]);
    await tx.query('delete from feed_totals where feed = $1', [feed]);
    await tx.query(
      `with counted as (
         insert into feed_blocks (feed, listing, level, block, items)
         select $1, listing, level, feed_block(item_id, level), count(*)
         from (${entriesOf(feed)}) as entries cross join generate_series(0, 3) level
         group by 1, 2, 3, 4 order by 1, 2, 3, 4 returning listing, level, items
       )
       insert into feed_totals (feed, listing, items)
       select $1, listing, sum(items) from counted where level = 0 group by listing`,
      [feed],
    );
    await tx.query('insert into dense_feeds (feed) values ($1) on conflict do nothing', [feed]);
  }

  /** Counts every feed again, for example after a bulk load. The transaction must run on a snapshot. */
  async recountAll(tx: Transaction, denseFrom: number): Promise<void> {
    for (const table of ['feed_deltas', 'feed_totals', 'feed_blocks', 'feed_buckets']) {
      await tx.query(`delete from ${table}`);
    }
    await tx.query(
      `insert into feed_totals (feed, listing, items)
       select feed, listing, count(*) from (${ENTRIES}) as entries group by feed, listing`,
    );
    await tx.query(
      `insert into dense_feeds (feed) select feed from feed_totals group by feed having sum(items) > $1
       on conflict do nothing`,
      [denseFrom],
    );
    await tx.query(
      `insert into feed_blocks (feed, listing, level, block, items)
       select feed, listing, 0, feed_block(item_id, 0), count(*) from (${ENTRIES}) as entries
       join dense_feeds using (feed) group by 1, 2, 4 order by 1, 2, 4`,
    );
    await tx.query(
      `insert into feed_blocks (feed, listing, level, block, items)
       select feed, listing, above, block >> (6 * above), sum(items)
       from feed_blocks cross join generate_series(1, 3) above where level = 0 group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    );
    await tx.query(
      `insert into feed_buckets (feed, listing, bucket, items)
       select feed, listing, shuffle_bucket(item_id), count(*) from (${ENTRIES}) as entries
       where feed in ('posts', 'media') group by 1, 2, 3 order by 1, 2, 3`,
    );
  }
}

/** SQL that selects the items of one feed, given its name. Throws if no feed can have this name. */
function entriesOf(feed: string): string {
  const [, items = '', by, id, score] =
    /^(posts|media)(?::(user|tag|top):(\d+)(?::(-?\d+))?)?$/.exec(feed) ?? [];
  if (items === '') throw new Error(`No feed is named ${feed}`);
  const item = items.replace(/s$/, '');
  if (by === 'user') return `select listing, id as item_id from ${items} where user_id = ${id}`;
  if (by === 'tag') {
    return `select listing, ${item}_id as item_id from ${item}_tags where tag_id = ${id} and listing <> 'unlisted'`;
  }
  if (by === 'top') {
    return `select listing, id as item_id from ${item}_ranks
            where listing in ('safe', 'nsfw') and age = ${id} and score = ${score}`;
  }
  return `select listing, id as item_id from ${items} where listing <> 'unlisted'`;
}
