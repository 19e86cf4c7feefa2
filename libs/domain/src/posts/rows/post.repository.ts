import { Injectable } from '@nestjs/common';
import { Database, type Transaction, violatedUniqueConstraint } from '@vitrine/database';
import type { Listing, ModerationStatus, Ruling } from '@vitrine/contracts';
import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import { type OwnersFields, PostEntity, type VisiblePost } from './post.entity';
import { restrictionOf } from '../../base/queries/restriction-sql';
import { changeScores, type ScoreChange } from '../../base/queries/score-sql';
import { queueForRanking } from '../feeds/rank-queue';
import { type PostReference, referenceCondition } from './post-reference';
import type { PostAccess } from './post.rules';

export type NewPostRow = Pick<
  PostEntity,
  'slug' | 'userId' | 'title' | 'description' | 'visibility' | 'accessKey' | 'ownerNsfw' | 'tags'
>;

/** A post's names, and what decides who may see it. */
export type PostAccessRow = VisiblePost &
  PostAccess & {
    /** Whether its owner blocks the viewer or is blocked by the viewer. */
    readonly blocked: boolean;
  };

/** The columns of a post that are derived from its media and decisions. */
export interface DerivedColumns {
  readonly id: number;
  readonly status: ModerationStatus;
  readonly listing: Listing;
  readonly empty: boolean;
}

/** Every write of the table `posts`, and the reads that belong to no list or page. */
@Injectable()
export class PostRepository {
  constructor(private readonly database: Database) {}

  /** What decides whether a viewer, by id or null, may see a post. */
  async findAccess(post: PostReference, viewerId: number | null): Promise<PostAccessRow | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await this.database.read<PostAccessRow>(
      `select id, slug, user_id as "userId", title, visibility, score, access_key as "accessKey",
              moderation_status as "moderationStatus", empty, blocked_between(user_id, $2) as blocked,
              ${restrictionOf('posts.user_id')} as "ownerRestriction"
       from posts where ${column} = $1`,
      [value, viewerId],
    );
    return row ?? null;
  }

  find(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    const [column, value] = referenceCondition(post);
    return tx.repository(PostEntity).findOneBy({ [column]: value });
  }

  /** Locks a post; waits for other changes of it. Inserting rows that refer to it doesn't wait. */
  lock(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    const [column, value] = referenceCondition(post);
    return tx
      .repository(PostEntity)
      .findOne({ where: { [column]: value }, lock: { mode: 'for_no_key_update' } });
  }

  /** Locks posts in the order of their ids; returns the ids of those that still exist. */
  async lockAll(tx: Transaction, ids: readonly number[]): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      'select id from posts where id = any($1::bigint[]) order by id for no key update',
      [ids],
    );
    return rows.map((row) => row.id);
  }

  /** The ids of up to `limit` posts of a user, oldest first. */
  async findOwnIds(userId: number, limit: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      'select id from posts where user_id = $1 order by id limit $2',
      [userId, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Locks up to `limit` posts of a user, oldest first, after the one with the id `after`. Returns their ids. */
  async lockNextOf(tx: Transaction, userId: number, after: number, limit: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      'select id from posts where user_id = $1 and id > $2 order by id limit $3 for no key update',
      [userId, after, limit],
    );
    return rows.map((row) => row.id);
  }

  /** Gives posts to another owner, whose feed the trigger `posts_feeds` counts because the statement sets `listing`. */
  async give(tx: Transaction, fromId: number, toId: number): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `update posts set user_id = $2, listing = listing where user_id = $1 returning id`,
      [fromId, toId],
    );
    return rows.map(({ id }) => id);
  }

  /** Throws `SlugTakenError` if the slug is taken; the transaction has failed then. */
  async insert(tx: Transaction, post: NewPostRow): Promise<PostEntity> {
    const table = tx.repository(PostEntity);
    try {
      return await table.save(table.create(post));
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'posts_slug_key') throw new SlugTakenError('post');
      throw error;
    }
  }

  /** Changes the columns that the owner sets. */
  async change(tx: Transaction, id: number, fields: OwnersFields): Promise<void> {
    if (Object.keys(fields).length > 0) await tx.repository(PostEntity).update(id, fields);
  }

  /** The media of the post wait to be ranked: a media item has the highest score of its posts. */
  async remove(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      `with placed as (select media_id as id from post_media where post_id = $1),
            queued as (${queueForRanking('media', 'placed')})
       delete from posts where id = $1`,
      [id],
    );
  }

  /** Adds `by` to the score of each post, which then waits to be ranked, and returns the new scores by id. */
  changeScores(tx: Transaction, changes: readonly ScoreChange[]): Promise<ReadonlyMap<number, number>> {
    return changeScores(tx, 'posts', changes, queueForRanking('posts', 'changed'));
  }

  /** Adds views. Rows are locked in the order of their ids; deleted posts are left out. */
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

  /**
   * Locks the posts that contain some media, and the post `postId` if one is given, in the order of their ids, so
   * that no two transactions deadlock. Returns their ids.
   */
  async lockPostsOfMedia(
    tx: Transaction,
    mediaIds: readonly number[],
    postId: number | null = null,
  ): Promise<readonly number[]> {
    // With `or`, PostgreSQL would read all posts.
    const rows = await tx.query<{ id: number }>(
      `select id from posts
       where id = any(array(select post_id from post_media where media_id = any($1::bigint[])) || $2::bigint)
       order by id for no key update`,
      [mediaIds, postId],
      { prepared: true },
    );
    return rows.map((row) => row.id);
  }

  /** Writes what is derived of locked posts. `byOwner` says whether a change by the owner is the cause. */
  async recordDerived(tx: Transaction, posts: readonly DerivedColumns[], byOwner: boolean): Promise<void> {
    await tx.query(
      `update posts set moderation_status = derived.status, listing = derived.listing, empty = derived.empty,
         media_count = (select count(*) from post_media where post_id = posts.id),
         updated_at = case when $2 then now() else updated_at end
       from jsonb_to_recordset($1::jsonb) as derived (id bigint, status text, listing text, empty boolean)
       where posts.id = derived.id`,
      [JSON.stringify(posts), byOwner],
      { prepared: true },
    );
  }

  /**
   * To be called when the content of some locked posts has changed: raises their revisions and ends rulings of
   * `approved` or `nsfw` on the content before. The owner's `is_nsfw` from before the ruling applies again. Returns
   * the posts whose ruling ended.
   */
  async revise(tx: Transaction, postIds: readonly number[]): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `with before as (
         select id, coalesce(moderator_status in ('approved', 'nsfw'), false) as lapses
         from posts where id = any($1::bigint[])
       ), revised as (
         update posts set revision = revision + 1,
           moderator_status = case when lapses then null else moderator_status end,
           ruling_lapsed_at = case when lapses then now() else ruling_lapsed_at end,
           owner_nsfw = owner_nsfw or (lapses and nsfw_before_ruling),
           nsfw_before_ruling = nsfw_before_ruling and not lapses
         from before where posts.id = before.id
         returning posts.id, lapses
       )
       select id from revised where lapses order by id`,
      [postIds],
    );
    return rows.map((row) => row.id);
  }

  /**
   * Records a moderator's ruling on a locked post. It outranks what the owner has set so far; the owner may raise the
   * status again afterwards.
   */
  async recordRuling(tx: Transaction, id: number, status: Exclude<Ruling, 'pending'>): Promise<void> {
    await tx.query(
      `update posts set moderator_status = $2, ruling_lapsed_at = null, owner_nsfw = false,
         nsfw_before_ruling = nsfw_before_ruling or owner_nsfw
       where id = $1`,
      [id, status],
    );
  }

  /** Removes all rulings from a locked post: what the owner had set before applies again. */
  async removeRulings(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      `update posts set moderator_status = null, ruling_lapsed_at = null, owner_nsfw = owner_nsfw or nsfw_before_ruling,
         nsfw_before_ruling = false
       where id = $1`,
      [id],
    );
  }
}
