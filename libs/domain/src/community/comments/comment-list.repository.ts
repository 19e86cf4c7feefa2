import { Injectable } from '@nestjs/common';
import type { ModerationStatus } from '@vitrine/contracts';
import type { CommentSort, Period } from '@vitrine/contracts/api';
import { Database } from '@vitrine/database';
import { intervalOf } from '../../base/queries/period-interval';
import { isSuspended, isWithheld, restrictionOf } from '../../base/queries/restriction-sql';
import { COMMENT } from './comment.repository';
import type { Comment, CommentedPost } from './comment.types';

/** The part of a list to read. */
export interface ListPart {
  readonly limit: number;
  readonly offset: number;
}

export type UserComment = Comment & { readonly post: CommentedPost };

const POST = `json_build_object(
  'slug', p.slug, 'title', p.title, 'userId', p.user_id, 'visibility', p.visibility,
  'moderationStatus', p.moderation_status, 'empty', p.empty,
  'ownerRestriction', ${restrictionOf('p.user_id')}) as post`;

/** In a thread: comments of suspended accounts are left out unless they have replies, which stay. */
const IN_THREAD = `(c.replies_count > 0 or not ${isSuspended('c.user_id')})`;

/** Which comments of a post to read. */
export interface PostComments {
  readonly postId: number;
  /** Only the direct replies to this comment. */
  readonly parentId: number | null;
  /** The authors whose comments are left out. */
  readonly hidden: readonly number[];
}

/** Which of a user's comments to read: all, or those on posts that others can find. */
export interface UserCommentFilter {
  readonly period: Period;
  /** Only comments on public posts with these statuses; null for comments on all posts. */
  readonly statuses: readonly ModerationStatus[] | null;
}

const ORDERS: Readonly<Record<CommentSort, string>> = {
  oldest: 'c.id',
  latest: 'c.id desc',
  top: 'c.score desc, c.id',
};

const OF_USER = `
  from comments c join posts p on p.id = c.post_id
  where c.user_id = $1 and ($2::interval is null or c.created_at >= now() - $2::interval)
    and ($3::text[] is null or (p.visibility = 'public' and not p.empty and p.moderation_status = any($3::text[])
      -- A moderator may have approved a post that holds nsfw media.
      and (p.listing <> 'nsfw' or 'nsfw' = any($3::text[]))
      and not ${isSuspended('p.user_id')} and not ${isWithheld('c.user_id')}))`;

/** Reads lists of comments. A post's list includes tombstones, because it includes their replies. */
@Injectable()
export class CommentListRepository {
  constructor(private readonly database: Database) {}

  /** Comments of a post, or the direct replies to one of them. */
  findOfPost(list: PostComments, sort: CommentSort, { limit, offset }: ListPart): Promise<Comment[]> {
    const { where, values } = ofPost(list);
    return this.database.read<Comment>(
      `select ${COMMENT} ${where} order by ${ORDERS[sort]} limit $2 offset $3`,
      [list.postId, limit, offset, ...values],
    );
  }

  async countOfPost(list: PostComments): Promise<number> {
    const { where, values } = ofPost(list);
    const [row] = await this.database.read<{ total: number }>(
      `select count(*) as total ${where} and $2::int is null and $3::int is null`,
      [list.postId, null, null, ...values],
    );
    return row?.total ?? 0;
  }

  /** Comments of a user, the latest first. */
  findOfUser(userId: number, filter: UserCommentFilter, { limit, offset }: ListPart): Promise<UserComment[]> {
    return this.database.read<UserComment>(
      `select ${COMMENT}, ${POST} ${OF_USER}
       order by c.id desc limit $4 offset $5`,
      [userId, intervalOf(filter.period), filter.statuses, limit, offset],
    );
  }

  /** Comments that aren't deleted, on any posts, in any order. */
  findByIds(ids: readonly number[]): Promise<UserComment[]> {
    return this.database.read<UserComment>(
      `select ${COMMENT}, ${POST}
       from comments c join posts p on p.id = c.post_id
       where c.id = any($1::bigint[]) and c.deleted_at is null`,
      [ids],
    );
  }

  /** A comment that isn't deleted. */
  async findOne(id: number): Promise<Comment | null> {
    const [row] = await this.database.read<Comment>(
      `select ${COMMENT} from comments c where c.id = $1 and c.deleted_at is null`,
      [id],
    );
    return row ?? null;
  }

  async countOfUser(userId: number, filter: UserCommentFilter): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(`select count(*) as total ${OF_USER}`, [
      userId,
      intervalOf(filter.period),
      filter.statuses,
    ]);
    return row?.total ?? 0;
  }
}

/** The comments of a list as SQL. `$1` is the post; `values` follow from `$4`. */
function ofPost({ parentId, hidden }: PostComments): { readonly where: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const conditions: string[] = [`and ${IN_THREAD}`];
  if (parentId !== null) conditions.push(`and c.parent_id = $${3 + values.push(parentId)}`);
  if (hidden.length > 0) {
    const authors = `select id from unnest($${3 + values.push(hidden)}::bigint[]) as author (id)`;
    conditions.push(`and (c.user_id is null or c.user_id not in (${authors}))`);
  }
  return { where: `from comments c where c.post_id = $1 ${conditions.join(' ')}`, values };
}
