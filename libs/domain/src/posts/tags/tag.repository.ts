import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import { startingWith } from '../../base/queries/like-pattern';

/** A kind of item that has tags: its table, and the table and column of its tags. */
export interface Tagged {
  readonly table: 'posts' | 'media';
  readonly tags: 'post_tags' | 'media_tags';
  readonly key: 'post_id' | 'media_id';
  readonly ranks: 'post_ranks' | 'media_ranks';
}

/** Which of the used tags to list. */
export interface UsedTags {
  /** The beginning of their names. */
  readonly prefix: string;
  /** Whether nsfw items count as uses. */
  readonly nsfw: boolean;
}

/** A tag with the numbers of posts and media that others can find by it. */
export interface TagUse {
  readonly name: string;
  readonly postCount: number;
  readonly mediaCount: number;
}

/** The columns of the counts of tags: for safe items, or including nsfw items. */
interface TagCounts {
  readonly posts: string;
  readonly media: string;
  /** Written as in its index, so that PostgreSQL uses it. */
  readonly uses: string;
  /** The condition on `feed_deltas`. */
  readonly counted: string;
}

/** Among so many of the most used tags, similar names are searched, one by one; and so many are found at most. */
const SEARCHED = 10_000;
const MOST_SIMILAR = 100;
/** The least word similarity of pg_trgm, 0 to 1: `wlks` and `walks` have 0.4. Tags are few, so chance likenesses are too. */
const LEAST_SIMILARITY = 0.4;

const SAFE: TagCounts = {
  posts: 'safe_post_count',
  media: 'safe_media_count',
  uses: '(safe_post_count + safe_media_count)',
  counted: `and listing = 'safe'`,
};
const WITH_NSFW: TagCounts = { posts: 'post_count', media: 'media_count', uses: 'uses', counted: '' };

/** The tags with deltas that aren't folded yet, and their counts with these deltas. */
const moved = ({ posts, media, uses, counted }: TagCounts): string => `
  moved as materialized (
    select id, name, ${uses} as uses, ${posts} + posts as posts, ${media} + media as media
    from tags join (
      select split_part(feed, ':', 3)::bigint as id,
             coalesce(sum(change) filter (where feed like 'posts:%'), 0)::bigint as posts,
             coalesce(sum(change) filter (where feed like 'media:%'), 0)::bigint as media
      from feed_deltas where feed like '%:tag:%' ${counted} group by 1
    ) as deltas using (id)
    where name like $1
  )`;

/**
 * Every query on the table `tags`, and every write of `post_tags` and `media_tags`, the index of the items' own
 * `tags`.
 */
@Injectable()
export class TagRepository {
  constructor(private readonly database: Database) {}

  async findId(name: string, replica: boolean): Promise<number | null> {
    const [row] = await this.database.read<{ id: number }>('select id from tags where name = $1', [name], {
      replica,
    });
    return row?.id ?? null;
  }

  /** Used tags whose names begin with `prefix`, most used first. Reads only the pages up to this one. */
  findUsed({ prefix, nsfw }: UsedTags, offset: number, limit: number, replica: boolean): Promise<TagUse[]> {
    const counts = nsfw ? WITH_NSFW : SAFE;
    const { posts, media, uses } = counts;
    return this.database.read<TagUse>(
      `with ${moved(counts)}
       select name, posts as "postCount", media as "mediaCount"
       from (
         (select name, ${posts} as posts, ${media} as media, ${uses} as uses from tags
          where ${uses} > 0 and name like $1 and id not in (select id from moved)
          order by ${uses} desc, name limit $2::bigint + $3)
         union all
         (select name, posts, media, posts + media as uses from moved
          where posts + media > 0 order by uses desc, name)
       ) as used
       order by uses desc, name offset $2 limit $3`,
      [startingWith(prefix), offset, limit],
      // The best plan depends on the prefix, so each call is planned.
      { replica, unprepared: true },
    );
  }

  /**
   * Used tags whose names contain a text or resemble it, the most similar and most used first. Deltas that aren't folded yet
   * don't count.
   */
  findSimilar(text: string, nsfw: boolean, replica: boolean): Promise<TagUse[]> {
    const { posts, media, uses } = nsfw ? WITH_NSFW : SAFE;
    return this.database.read<TagUse>(
      `select name, ${posts} as "postCount", ${media} as "mediaCount"
       from (select * from tags where ${uses} > 0 order by ${uses} desc, name limit ${SEARCHED}) as used
       where name like $2 or word_similarity($1, name) >= ${LEAST_SIMILARITY}
       order by name = $1 desc, name like $2 desc, word_similarity($1, name) desc, ${uses} desc, name
       limit ${MOST_SIMILAR}`,
      [text, `%${startingWith(text)}`],
      { replica },
    );
  }

  /** A tag with its counts, those of deltas included. */
  async findUse(id: number, nsfw: boolean): Promise<TagUse> {
    const { posts, media, counted } = nsfw ? WITH_NSFW : SAFE;
    const changes = (items: string): string =>
      `coalesce((select sum(change) from feed_deltas where feed = '${items}:tag:' || tags.id ${counted}), 0)::bigint`;
    const [row] = await this.database.read<TagUse>(
      `select name, ${posts} + ${changes('posts')} as "postCount", ${media} + ${changes('media')} as "mediaCount"
       from tags where id = $1`,
      [id],
    );
    if (!row) throw new Error('A tag is never deleted');
    return row;
  }

  /** The number of used tags whose names begin with `prefix`. */
  async countUsed({ prefix, nsfw }: UsedTags, replica: boolean): Promise<number> {
    const counts = nsfw ? WITH_NSFW : SAFE;
    const [row] = await this.database.read<{ total: number }>(
      `with ${moved(counts)}
       select (select count(*) from tags where ${counts.uses} > 0 and name like $1)
            + (select count(*) filter (where posts + media > 0) - count(*) filter (where uses > 0)
               from moved) as total`,
      [startingWith(prefix)],
      { replica, unprepared: true },
    );
    return row?.total ?? 0;
  }

  /**
   * Creates those of these tags that don't exist yet. Transactions that create the same tags wait for each other; the
   * common order prevents a deadlock.
   */
  async make(tx: Transaction, names: readonly string[]): Promise<void> {
    await tx.query(
      `insert into tags (name)
       select name from unnest($1::text[]) as wanted (name)
       where not exists (select from tags where tags.name = wanted.name)
       order by name collate "C"
       on conflict do nothing`,
      [names],
    );
  }

  /**
   * Sets the index of an item's tags to exactly these, which must exist. The item's row must be locked, because its
   * listing is copied.
   */
  async assign(
    tx: Transaction,
    { table, tags, key }: Tagged,
    id: number,
    names: readonly string[],
  ): Promise<void> {
    await tx.query(
      `with wanted as (
         select id as tag_id from tags where name = any($2)
       ), taken as (
         delete from ${tags} where ${key} = $1 and tag_id not in (select tag_id from wanted)
       )
       insert into ${tags} (${key}, tag_id, listing)
       select item.id, wanted.tag_id, item.listing from ${table} item, wanted where item.id = $1
       on conflict do nothing`,
      [id, names],
    );
  }

  /** Copies the totals of the feeds of some tags, or of all if `ids` is null, to the tags. */
  async copyCounts(tx: Transaction, ids: readonly number[] | null): Promise<void> {
    await tx.query(
      `update tags set (post_count, safe_post_count, media_count, safe_media_count) = (
         select coalesce(sum(items) filter (where feed like 'posts:%'), 0),
                coalesce(sum(items) filter (where feed like 'posts:%' and listing = 'safe'), 0),
                coalesce(sum(items) filter (where feed like 'media:%'), 0),
                coalesce(sum(items) filter (where feed like 'media:%' and listing = 'safe'), 0)
         from feed_totals where feed in ('posts:tag:' || tags.id, 'media:tag:' || tags.id))
       ${ids ? 'where id = any($1::bigint[])' : ''}`,
      ids ? [ids] : [],
    );
  }

  /** Locks the tags of some items, in the order in which other transactions lock them. */
  async lock(tx: Transaction, { tags, key }: Tagged, ids: readonly number[]): Promise<void> {
    await tx.query(
      `select from ${tags} where ${key} = any($1::bigint[]) order by ${key}, tag_id for no key update`,
      [ids],
    );
  }

  /** Copies the listings of some locked items. */
  async copyListings(tx: Transaction, { table, tags, key }: Tagged, ids: readonly number[]): Promise<void> {
    await tx.query(
      `update ${tags} set listing = item.listing
       from (
         select t.${key} as id, t.tag_id, i.listing from ${table} i join ${tags} t on t.${key} = i.id
         where i.id = any($1::bigint[]) order by t.${key}, t.tag_id for no key update of t
       ) as item
       where ${tags}.${key} = item.id and ${tags}.tag_id = item.tag_id`,
      [ids],
      { prepared: true },
    );
  }

  /** Copies ages and scores from the table of ranks, for some items or, if `ids` is null, for all. */
  async copyRanks(
    tx: Transaction,
    { tags, key, ranks }: Tagged,
    ids: readonly number[] | null,
  ): Promise<void> {
    await tx.query(
      `update ${tags} set age = ranked.age, score = ranked.score
       from (
         select t.${key} as id, t.tag_id, r.age, r.score from ${ranks} r join ${tags} t on t.${key} = r.id
         where ($1::bigint[] is null or r.id = any($1::bigint[])) and (t.age, t.score) is distinct from (r.age, r.score)
         order by t.${key}, t.tag_id for no key update of t
       ) as ranked
       where ${tags}.${key} = ranked.id and ${tags}.tag_id = ranked.tag_id`,
      [ids],
    );
  }
}
