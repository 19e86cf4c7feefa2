import { Injectable } from '@nestjs/common';
import { FOLLOWED_FEED_REACH } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import type { Feed } from './feed';
import { SqlValues } from './feed-sql';

/** The latest follows of an account that its feed reads; more would make each page slower. */
const MAX_FOLLOWED = 10_000;
/** So many of the newest posts of the site are searched for those of followed people before each person is asked. */
const WINDOW = 3000;
/** Accounts that follow fewer people and tags than this are answered without the window. */
const MANY = 300;
/** Together, the first search of all people and tags reads at least so many posts, if there are as many. */
const FIRST_READ = 2 * FOLLOWED_FEED_REACH;

/** Whose feed, and which part of it. */
export interface FollowedFeed {
  readonly viewerId: number;
  readonly audience: Extract<Feed['audience'], 'everyone' | 'adults'>;
  /** The lowest id within the period; null for `all`. */
  readonly floor: number | null;
  /** The people whose posts are left out. */
  readonly hidden: readonly number[];
  readonly top: boolean;
}

/**
 * Reads the posts of the people and tags that an account follows. Nothing is stored for an account: a post of somebody
 * with a million followers must not cost a million writes.
 */
@Injectable()
export class FollowedFeedRepository {
  constructor(private readonly database: Database) {}

  /** The ids of the feed's newest `FOLLOWED_FEED_REACH` posts at most, in the order of the feed. */
  async find(feed: FollowedFeed): Promise<number[]> {
    const { following } = await this.countFollowed(feed.viewerId);
    const newest = following < MANY ? [] : await this.read(feed, windowSql);
    return newest.length >= FOLLOWED_FEED_REACH ? newest : this.read(feed, probingSql);
  }

  private async countFollowed(viewerId: number): Promise<{ readonly following: number }> {
    const [row] = await this.database.read<{ following: number }>(
      'select following_count as following from users where id = $1',
      [viewerId],
    );
    return row ?? { following: 0 };
  }

  private async read(feed: FollowedFeed, idsSql: (parts: Parts) => string): Promise<number[]> {
    const values = new SqlValues();
    const viewer = values.number(feed.viewerId);
    const ranked =
      feed.top || feed.hidden.length > 0
        ? `join post_ranks rank using (id)
           where rank.user_id is null
              or rank.user_id not in (select id from unnest(${values.add(feed.hidden)}::bigint[]) as gone (id))`
        : '';
    const floor = values.number(feed.floor ?? 0);
    // Written as in the partial indexes, so that PostgreSQL uses them.
    const listing = feed.audience === 'everyone' ? `listing = 'safe'` : `listing <> 'unlisted'`;
    const rows = await this.database.read<{ id: number }>(
      `with person as materialized (
         select followee_id as id from follows
         where follower_id = ${viewer} order by follows.id desc limit ${MAX_FOLLOWED}
       ), tag as materialized (
         select tag_id as id from tag_follows where user_id = ${viewer}
       ), ${idsSql({ viewer, listing, floor })}
       , newest as materialized (
         select distinct id from found order by id desc limit ${FOLLOWED_FEED_REACH}
       )
       select newest.id from newest ${ranked}
       order by ${feed.top ? 'rank.score desc, ' : ''} newest.id desc`,
      values.all,
    );
    return rows.map(({ id }) => id);
  }
}

interface Parts {
  /** The id of the account whose feed it is. */
  readonly viewer: string;
  /** The condition on `listing`. */
  readonly listing: string;
  /** The lowest id. */
  readonly floor: string;
}

/** `found`: the matches among the newest posts of the site. */
const windowSql = ({ viewer, listing, floor }: Parts): string => {
  const recent = `(
    select id, user_id from post_ranks where ${listing} and id >= ${floor} order by id desc limit ${WINDOW}) as recent`;
  // The limit of the inner query makes PostgreSQL look up each author, and stop at the reach.
  return `
  found as (
    (select recent.id from ${recent} cross join lateral (
       select from follows where follower_id = ${viewer} and followee_id = recent.user_id limit 1) as followed
     order by recent.id desc limit ${FOLLOWED_FEED_REACH})
    union all
    select tagged.post_id from tag cross join lateral (
      select post_id from post_tags
      where tag_id = tag.id and ${listing} and post_id >= (select min(id) from ${recent})
      order by post_id desc limit ${FOLLOWED_FEED_REACH}) as tagged
  )`;
};

/**
 * `found`: the newest posts of each person and tag. The first search reads a few of each (`heads`). The feed contains
 * no post older than the one at its reach among these (`oldest`), so only people and tags of whom more than the read
 * posts may be newer are asked again.
 */
const probingSql = ({ listing, floor }: Parts): string => `
  few as materialized (
    select ceil(${FIRST_READ}.0 / greatest(1, (select count(*) from person) + (select count(*) from tag)))::bigint as posts
  ), heads as materialized (
    select person.id as person, null::bigint as tag, head.id
    from person cross join lateral (
      select id from posts where user_id = person.id and ${listing} and id >= ${floor}
      order by id desc limit (select posts from few)) as head
    union all
    select null, tag.id, head.post_id
    from tag cross join lateral (
      select post_id from post_tags where tag_id = tag.id and ${listing} and post_id >= ${floor}
      order by post_id desc limit (select posts from few)) as head
  ), oldest as materialized (
    select coalesce((select distinct id from heads order by id desc offset ${FOLLOWED_FEED_REACH - 1} limit 1), ${floor}) as id
  ), deeper as materialized (
    select person, tag, min(id) as below from heads
    group by person, tag having count(*) = (select posts from few) and min(id) > (select id from oldest)
  ), found as (
    select id from heads where id >= (select id from oldest)
    union all
    select further.id from deeper cross join lateral (
      select id from posts where user_id = deeper.person and ${listing}
        and id >= (select id from oldest) and id < deeper.below
      order by id desc limit ${FOLLOWED_FEED_REACH}) as further where deeper.person is not null
    union all
    select further.post_id from deeper cross join lateral (
      select post_id from post_tags where tag_id = deeper.tag and ${listing}
        and post_id >= (select id from oldest) and post_id < deeper.below
      order by post_id desc limit ${FOLLOWED_FEED_REACH}) as further where deeper.tag is not null
  )`;
