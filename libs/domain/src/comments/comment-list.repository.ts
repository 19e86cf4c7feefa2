import { Injectable } from '@nestjs/common';
import type { CommentSort, ModerationStatus, Period } from '@vitrine/contracts';
import { PreparedReads } from '@vitrine/database';
import { intervalOf } from '../periods';
import { COMMENT } from './comment.repository';
import type { Comment, CommentedPost } from './comment.types';

/** Which entries of a list. */
export interface ListPart {
  readonly limit: number;
  readonly offset: number;
}

export type UserComment = Comment & { readonly post: CommentedPost };

const POST = `json_build_object(
  'slug', p.slug, 'title', p.title, 'userId', p.user_id, 'visibility', p.visibility,
  'moderationStatus', p.moderation_status, 'empty', p.empty) as post`;

/** Which of an account's comments: all, or those on posts that others may find. */
export interface UserCommentFilter {
  readonly period: Period;
  /** Of public posts; null for all posts, whatever they are. */
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
      and (p.listing <> 'nsfw' or 'nsfw' = any($3::text[]))))`;

/** The lists of comments. A post's holds its tombstones too, since it holds their replies. */
@Injectable()
export class CommentListRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** Comments of a post, or the direct replies to one of them. */
  findOfPost(
    postId: number,
    parentId: number | null,
    sort: CommentSort,
    { limit, offset }: ListPart,
  ): Promise<Comment[]> {
    const replies = parentId === null ? '' : 'and c.parent_id = $4';
    return this.reads.query<Comment>(
      `select ${COMMENT} from comments c where c.post_id = $1 ${replies}
       order by ${ORDERS[sort]} limit $2 offset $3`,
      [postId, limit, offset, ...(parentId === null ? [] : [parentId])],
    );
  }

  async countOfPost(postId: number, parentId: number | null): Promise<number> {
    const replies = parentId === null ? '' : 'and parent_id = $2';
    const [row] = await this.reads.query<{ total: number }>(
      `select count(*) as total from comments where post_id = $1 ${replies}`,
      [postId, ...(parentId === null ? [] : [parentId])],
    );
    return row?.total ?? 0;
  }

  /** Comments of an account, the latest first. */
  findOfUser(userId: number, filter: UserCommentFilter, { limit, offset }: ListPart): Promise<UserComment[]> {
    return this.reads.query<UserComment>(
      `select ${COMMENT}, ${POST} ${OF_USER}
       order by c.id desc limit $4 offset $5`,
      [userId, intervalOf(filter.period), filter.statuses, limit, offset],
    );
  }

  /** Comments that aren't deleted, on whatever posts, in no order. */
  findByIds(ids: readonly number[]): Promise<UserComment[]> {
    return this.reads.query<UserComment>(
      `select ${COMMENT}, ${POST}
       from comments c join posts p on p.id = c.post_id
       where c.id = any($1::bigint[]) and c.deleted_at is null`,
      [ids],
    );
  }

  /** A comment that isn't deleted. */
  async findOne(id: number): Promise<Comment | null> {
    const [row] = await this.reads.query<Comment>(
      `select ${COMMENT} from comments c where c.id = $1 and c.deleted_at is null`,
      [id],
    );
    return row ?? null;
  }

  async countOfUser(userId: number, filter: UserCommentFilter): Promise<number> {
    const [row] = await this.reads.query<{ total: number }>(`select count(*) as total ${OF_USER}`, [
      userId,
      intervalOf(filter.period),
      filter.statuses,
    ]);
    return row?.total ?? 0;
  }
}
