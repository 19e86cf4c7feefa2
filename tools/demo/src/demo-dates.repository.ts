import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';

/** An id, and its creation time in hours before now. */
export interface Backdated {
  readonly id: number;
  readonly hoursAgo: number;
}

export interface DemoDates {
  readonly users: readonly Backdated[];
  readonly media: readonly Backdated[];
  readonly posts: readonly Backdated[];
  readonly comments: readonly Backdated[];
}

/**
 * Sets creation times in the past. Feeds are sorted by id and assume that times rise with it, so this is allowed only on a
 * site without other content.
 */
@Injectable()
export class DemoDatesRepository {
  constructor(private readonly database: Database) {}

  /** Whether the site has no content yet. */
  isEmpty(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.query(
        'select from media union all select from posts union all select from comments limit 1',
      );
      return rows.length === 0;
    });
  }

  backdate({ users, media, posts, comments }: DemoDates): Promise<void> {
    return this.database.transaction(async (tx) => {
      for (const [table, rows] of Object.entries({ users, media, posts, comments })) {
        const alsoUpdated = table === 'posts' ? ', updated_at = changed.at' : '';
        await tx.query(
          `update ${table} set created_at = changed.at${alsoUpdated}
           from (select id, now() - hours * interval '1 hour' as at
                 from unnest($1::bigint[], $2::float8[]) as given (id, hours)) as changed
           where ${table}.id = changed.id`,
          [rows.map(({ id }) => id), rows.map(({ hoursAgo }) => hoursAgo)],
        );
      }
      await tx.query(
        `update follows set created_at = now() - (1 - rank) * $2 * interval '1 hour'
         from (select id, percent_rank() over (order by id) as rank from follows
               where follower_id = any($1)) as ranked
         where follows.id = ranked.id`,
        [users.map(({ id }) => id), Math.max(...posts.map(({ hoursAgo }) => hoursAgo), 0)],
      );
    });
  }
}
