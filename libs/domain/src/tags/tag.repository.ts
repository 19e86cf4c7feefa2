import { Injectable } from '@nestjs/common';
import { PreparedReads, type Transaction } from '@vitrine/database';

/** What can be tagged: its table, and the table and column of its tags. */
export interface Tagged {
  readonly table: 'posts' | 'media';
  readonly tags: 'post_tags' | 'media_tags';
  readonly key: 'post_id' | 'media_id';
}

/** Which of the tags in use to list. */
export interface UsedTags {
  /** The beginning of their names. */
  readonly prefix: string;
  /** Whether nsfw items count as uses. */
  readonly nsfw: boolean;
}

/** A tag, and how much everybody can find under it. */
export interface TagUse {
  readonly name: string;
  readonly postCount: number;
  readonly mediaCount: number;
}

/** Which counts of tags: what the safe feeds show, or what the feeds show with nsfw. */
interface TagCounts {
  readonly posts: string;
  readonly media: string;
  /** Written as in its index, so that PostgreSQL uses it. */
  readonly uses: string;
  /** Of `feed_deltas`. */
  readonly counted: string;
}

const SAFE: TagCounts = {
  posts: 'safe_post_count',
  media: 'safe_media_count',
  uses: '(safe_post_count + safe_media_count)',
  counted: `and listing = 'safe'`,
};
const WITH_NSFW: TagCounts = { posts: 'post_count', media: 'media_count', uses: 'uses', counted: '' };

/** The tags whose counts are not what their rows say, by what the feeds' counts don't know of yet. */
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

/** Every query on the table `tags`, and the writing of `post_tags`, `media_tags` and the items' own `tags`. */
@Injectable()
export class TagRepository {
  constructor(private readonly reads: PreparedReads) {}

  async findId(name: string, replica: boolean): Promise<number | null> {
    const [row] = await this.reads.query<{ id: number }>('select id from tags where name = $1', [name], {
      replica,
    });
    return row?.id ?? null;
  }

  /** Tags in use whose names begin with `prefix`, most used first. Reads no more than the pages up to this one. */
  findUsed({ prefix, nsfw }: UsedTags, offset: number, limit: number, replica: boolean): Promise<TagUse[]> {
    const counts = nsfw ? WITH_NSFW : SAFE;
    const { posts, media, uses } = counts;
    return this.reads.query<TagUse>(
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
      // What begins with a prefix is found by an index for some prefixes and not for others.
      { replica, unprepared: true },
    );
  }

  /** How many tags in use have names that begin with `prefix`. */
  async countUsed({ prefix, nsfw }: UsedTags, replica: boolean): Promise<number> {
    const counts = nsfw ? WITH_NSFW : SAFE;
    const [row] = await this.reads.query<{ total: number }>(
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
   * Makes the tags that don't exist yet. Two transactions that make the same ones wait for each other, which their
   * common order keeps from being a deadlock.
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

  /** Gives an item these tags, which exist, and no others. Its row must be locked: the tags copy its listing. */
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
       ), given as (
         insert into ${tags} (${key}, tag_id, listing)
         select item.id, wanted.tag_id, item.listing from ${table} item, wanted where item.id = $1
         on conflict do nothing
       )
       update ${table} set tags = $2 where id = $1 and tags <> $2`,
      [id, names],
    );
  }
}

const startingWith = (prefix: string): string => `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
