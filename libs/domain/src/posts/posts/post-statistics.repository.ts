import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { PostStatistics } from './post.types';

/** Days for which the views of each day are kept. */
const KEPT_DAYS = 90;
/** Days that an owner is shown. */
const SHOWN_DAYS = 30;
/** Sites that are counted for each post. */
const MAX_HOSTS = 50;
/** Sites that an owner is shown. */
const SHOWN_HOSTS = 10;

/** Views from one site. */
export interface ReferredViews {
  readonly postId: number;
  readonly host: string;
  readonly views: number;
}

/** Every query on the tables `post_views` and `post_referrers`. */
@Injectable()
export class PostStatisticsRepository {
  constructor(private readonly database: Database) {}

  /** Adds views of today. Views of deleted posts are dropped. */
  async add(
    tx: Transaction,
    views: ReadonlyMap<number, number>,
    referred: readonly ReferredViews[],
  ): Promise<void> {
    await tx.query(
      `insert into post_views as known (post_id, day, views)
       select posts.id, (now() at time zone 'UTC')::date, counted.views
       from unnest($1::bigint[], $2::bigint[]) as counted (id, views) join posts using (id) order by posts.id
       on conflict (post_id, day) do update set views = known.views + excluded.views`,
      [[...views.keys()], [...views.values()]],
    );
    if (referred.length === 0) return;
    const postIds = referred.map(({ postId }) => postId);
    const hosts = referred.map(({ host }) => host);
    await tx.query(
      `insert into post_referrers as known (post_id, host, views)
       select posts.id, counted.host, counted.views
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as counted (id, host, views) join posts using (id)
       order by posts.id, counted.host
       on conflict (post_id, host) do update set views = known.views + excluded.views`,
      [postIds, hosts, referred.map(({ views }) => views)],
    );
    // Sites that sent no visitor now and few before make room, so that invented ones don't stay for ever.
    await tx.query(
      `delete from post_referrers where (post_id, host) in (
         select post_id, host from (
           select post_id, host, row_number() over (
             partition by post_id
             order by (post_id, host) in (select * from unnest($1::bigint[], $2::text[])) desc, views desc
           ) as place
           from post_referrers where post_id = any($1)
         ) as ranked where place > ${MAX_HOSTS})`,
      [postIds, hosts],
    );
  }

  /** The views of a post on each of the last days, the latest first, and the sites that led most people to it. */
  async find(postId: number): Promise<PostStatistics> {
    const [days, referrers] = await Promise.all([
      this.database.read<PostStatistics['days'][number]>(
        `select to_char(days.day, 'YYYY-MM-DD') as date, coalesce(views, 0)::integer as views
         from generate_series((now() at time zone 'UTC')::date - ${SHOWN_DAYS - 1}, (now() at time zone 'UTC')::date, '1 day') as days (day)
         left join post_views counted on counted.post_id = $1 and counted.day = days.day::date
         order by days.day desc`,
        [postId],
      ),
      this.database.read<PostStatistics['referrers'][number]>(
        `select host, views::integer as views from post_referrers
         where post_id = $1 order by views desc, host limit ${SHOWN_HOSTS}`,
        [postId],
      ),
    ]);
    return { days, referrers };
  }

  /** Removes up to `limit` rows of days that are no longer kept; returns how many. */
  async removeOld(tx: Transaction, limit: number): Promise<number> {
    const rows = await tx.query(
      `delete from post_views where (post_id, day) in (
         select post_id, day from post_views where day < (now() at time zone 'UTC')::date - ${KEPT_DAYS}
         limit $1) returning post_id`,
      [limit],
    );
    return rows.length;
  }
}
