import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';

/** Feeds longer than this have their blocks counted; shorter ones are passed over entry by entry. */
export const DENSE_FROM = 4096;

/** Every feed with its items, one row an item: what the counts must agree with. */
const ENTRIES = `
  select items.feed, items.listing, items.item_id from (
    select 'posts' as feed, listing, id as item_id from posts where listing <> 'unlisted'
    union all select 'posts:user:' || user_id, listing, id from posts where user_id is not null
    union all select 'posts:tag:' || tag_id, listing, post_id from post_tags where listing <> 'unlisted'
    union all select 'media', listing, id from media where listing <> 'unlisted'
    union all select 'media:user:' || user_id, listing, id from media where user_id is not null
    union all select 'media:tag:' || tag_id, listing, media_id from media_tags where listing <> 'unlisted'
  ) as items`;

/** The writing side of feeds: counts, brought up to date from the deltas that triggers leave. */
@Injectable()
export class FeedCountsRepository {
  /** Makes this transaction the only one that counts until it ends; to be its first statement. Readers don't wait. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query('lock table dense_feeds in share row exclusive mode');
  }

  /** Adds up to `limit` deltas, oldest first, to the counts; returns how many those were. */
  async fold(tx: Transaction, limit: number): Promise<number> {
    const [row] = await tx.query<{ folded: number }>(
      `with folded as (
         delete from feed_deltas where id in (select id from feed_deltas order by id limit $1)
         returning feed, listing, item_id, change
       ), totals as (
         insert into feed_totals as counted (feed, listing, items)
         select feed, listing, sum(change) from folded group by feed, listing order by feed, listing
         on conflict (feed, listing) do update set items = counted.items + excluded.items
       ), blocks as (
         insert into feed_blocks as counted (feed, listing, block, items)
         select feed, listing, item_id >> 12, sum(change) from folded join dense_feeds using (feed)
         group by 1, 2, 3
         on conflict (feed, listing, block) do update set items = counted.items + excluded.items
       ), buckets as (
         insert into feed_buckets as counted (feed, listing, bucket, items)
         select feed, listing, shuffle_bucket(item_id), sum(change) from folded where feed in ('posts', 'media')
         group by 1, 2, 3
         on conflict (feed, listing, bucket) do update set items = counted.items + excluded.items
       )
       select count(*)::integer as folded from folded`,
      [limit],
    );
    return row?.folded ?? 0;
  }

  /** Feeds that have grown so long that their blocks must be counted from now on. */
  async findNewlyDense(tx: Transaction): Promise<readonly string[]> {
    const rows = await tx.query<{ feed: string }>(
      `select feed from feed_totals where items > $1 and feed not in (select feed from dense_feeds) group by feed`,
      [DENSE_FROM],
    );
    return rows.map((row) => row.feed);
  }

  /**
   * Counts the blocks of a feed from its items. The transaction must see one moment, that of the deltas it deletes:
   * what is committed later leaves deltas that stay.
   */
  async makeDense(tx: Transaction, feed: string): Promise<void> {
    await tx.query('delete from feed_deltas where feed = $1', [feed]);
    await tx.query('delete from feed_totals where feed = $1', [feed]);
    await tx.query(
      `with counted as (
         insert into feed_blocks (feed, listing, block, items)
         select feed, listing, item_id >> 12, count(*) from (${ENTRIES}) as entries where feed = $1
         group by 1, 2, 3 returning listing, items
       )
       insert into feed_totals (feed, listing, items) select $1, listing, sum(items) from counted group by listing`,
      [feed],
    );
    await tx.query('insert into dense_feeds (feed) values ($1) on conflict do nothing', [feed]);
  }

  /** Counts every feed anew, as after a bulk load. The transaction must see one moment. */
  async recountAll(tx: Transaction): Promise<void> {
    for (const table of ['feed_deltas', 'feed_totals', 'feed_blocks', 'feed_buckets']) {
      await tx.query(`delete from ${table}`);
    }
    await tx.query(
      `insert into feed_totals (feed, listing, items)
       select feed, listing, count(*) from (${ENTRIES}) as entries group by feed, listing`,
    );
    await tx.query(
      `insert into dense_feeds (feed) select feed from feed_totals where items > $1 on conflict do nothing`,
      [DENSE_FROM],
    );
    await tx.query(
      `insert into feed_blocks (feed, listing, block, items)
       select feed, listing, item_id >> 12, count(*) from (${ENTRIES}) as entries
       join dense_feeds using (feed) group by 1, 2, 3`,
    );
    await tx.query(
      `insert into feed_buckets (feed, listing, bucket, items)
       select feed, listing, shuffle_bucket(item_id), count(*) from (${ENTRIES}) as entries
       where feed in ('posts', 'media') group by 1, 2, 3`,
    );
  }
}
