import { Injectable } from '@nestjs/common';
import { PreparedReads, type Transaction } from '@vitrine/database';
import type { Vote } from '../votes/vote.repository';
import { PostEntity } from './post.entity';
import { type PostReference, referenceCondition } from './post-reference';
import type { PostAccess } from './post.rules';
import type { OwnersFields, VisiblePost } from './post.types';

export type NewPostRow = Pick<
  PostEntity,
  'slug' | 'userId' | 'title' | 'description' | 'visibility' | 'accessKey'
>;

/** What says who may see a post, and what names it. */
export type PostAccessRow = VisiblePost & PostAccess;

/** Every query on the table `posts` but those of what derives from its media (`PostMediaRepository`). */
@Injectable()
export class PostRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** Who may see a post, without its media. */
  async findAccess(post: PostReference): Promise<PostAccessRow | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await this.reads.query<PostAccessRow>(
      `select id, slug, user_id as "userId", title, visibility, access_key as "accessKey",
              moderation_status as "moderationStatus", empty
       from posts where ${column} = $1`,
      [value],
    );
    return row ?? null;
  }

  find(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    const [column, value] = referenceCondition(post);
    return tx.repository(PostEntity).findOneBy({ [column]: value });
  }

  /** Waits for whoever is changing the post; those who only refer to it go on. */
  lock(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    const [column, value] = referenceCondition(post);
    return tx
      .repository(PostEntity)
      .findOne({ where: { [column]: value }, lock: { mode: 'for_no_key_update' } });
  }

  /** As `lock`, several posts in the order of their ids; returns the ids of those that are still there. */
  async lockAll(tx: Transaction, ids: readonly number[]): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      'select id from posts where id = any($1::bigint[]) order by id for no key update',
      [ids],
    );
    return rows.map((row) => row.id);
  }

  /** Up to `limit` posts of an account, oldest first. */
  async findOwnIds(userId: number, limit: number): Promise<number[]> {
    const rows = await this.reads.query<{ id: number }>(
      'select id from posts where user_id = $1 order by id limit $2',
      [userId, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Throws PostgreSQL's unique_violation of `posts_slug_key` where the slug is taken. */
  insert(tx: Transaction, post: NewPostRow): Promise<PostEntity> {
    const table = tx.repository(PostEntity);
    return table.save(table.create(post));
  }

  /** Changes what the owner sets. */
  async change(tx: Transaction, id: number, fields: OwnersFields): Promise<void> {
    if (Object.keys(fields).length > 0) await tx.repository(PostEntity).update(id, fields);
  }

  async remove(tx: Transaction, id: number): Promise<void> {
    await tx.repository(PostEntity).delete(id);
  }

  /** Returns the score as it is then. */
  async changeScore(tx: Transaction, id: number, by: number): Promise<number> {
    const [row] = await tx.query<{ score: number }>(
      'with changed as (update posts set score = score + $2 where id = $1 returning score) select score from changed',
      [id, by],
    );
    if (!row) throw new Error(`Post ${id} is gone though it is locked`);
    return row.score;
  }

  /** Takes votes back: each post's score falls by its vote. Returns the scores as they are then, by the posts' ids. */
  async takeFromScores(tx: Transaction, votes: readonly Vote[]): Promise<ReadonlyMap<number, number>> {
    const rows = await tx.query<{ id: number; score: number }>(
      `with changed as (
         update posts set score = score - vote.value
         from unnest($1::bigint[], $2::integer[]) as vote (post_id, value)
         where posts.id = vote.post_id returning posts.id, posts.score
       )
       select id, score from changed`,
      [votes.map(({ targetId }) => targetId), votes.map(({ value }) => value)],
    );
    return new Map(rows.map(({ id, score }) => [id, score]));
  }

  /** Adds views; rows are locked in the order of their ids. Posts that are gone are left out. */
  async addViews(tx: Transaction, views: ReadonlyMap<number, number>): Promise<void> {
    await tx.query(
      `update posts set view_count = view_count + seen.views
       from (select posts.id, counted.views
             from unnest($1::bigint[], $2::bigint[]) as counted (id, views) join posts using (id)
             order by posts.id for no key update of posts) as seen
       where posts.id = seen.id`,
      [[...views.keys()], [...views.values()]],
    );
  }

  async changeCommentCount(tx: Transaction, id: number, by: number): Promise<void> {
    await tx.query('update posts set comment_count = comment_count + $2 where id = $1', [id, by]);
  }
}
