import { Injectable } from '@nestjs/common';
import type { Listing, ModerationStatus, Visibility } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { type PostReference, referenceCondition } from './post-reference';
import type { PostStatusFacts } from './post.rules';

/** A post that is locked for a change of its media. */
export interface LockedPost {
  readonly id: number;
  readonly userId: number | null;
  readonly mediaCount: number;
}

/** How a post stands, and what its derived columns follow from. */
export interface PostStanding extends PostStatusFacts {
  readonly slug: string;
  readonly revision: number;
  readonly visibility: Visibility;
  readonly moderationStatus: ModerationStatus;
}

/** The columns of a post that are derived from its media and decisions. */
export interface DerivedColumns {
  readonly status: ModerationStatus;
  readonly listing: Listing;
  readonly empty: boolean;
}

/** A media in a post. */
export interface PlacedMedia {
  readonly id: number;
  readonly slug: string;
}

/** Which media are in which post, and what follows for the post's row. */
@Injectable()
export class PostMediaRepository {
  /** By slug or numeric id; waits for whoever is changing the post. */
  async lockPost(tx: Transaction, post: PostReference): Promise<LockedPost | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await tx.query<LockedPost>(
      `select id, user_id as "userId", media_count as "mediaCount" from posts where ${column} = $1
       for no key update`,
      [value],
    );
    return row ?? null;
  }

  /** The posts that some media are in, locked in the order of their ids so that no two transactions deadlock. */
  async lockPostsOfMedia(tx: Transaction, mediaIds: readonly number[]): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `select id from posts where id in (select post_id from post_media where media_id = any($1::bigint[]))
       order by id for no key update`,
      [mediaIds],
    );
    return rows.map((row) => row.id);
  }

  /** In the order in which the post shows them. */
  findMedia(tx: Transaction, postId: number): Promise<PlacedMedia[]> {
    return tx.query<PlacedMedia>(
      `select m.id, m.slug from post_media pm join media m on m.id = pm.media_id
       where pm.post_id = $1 order by pm.position`,
      [postId],
    );
  }

  /** Puts media at the end of a post, in the order given. */
  async append(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    await tx.query(
      `insert into post_media (post_id, media_id, position)
       select $1, added.id, last.position + added.place
       from unnest($2::bigint[]) with ordinality as added (id, place),
            (select coalesce(max(position), -1) as position from post_media where post_id = $1) as last`,
      [postId, mediaIds],
    );
  }

  async removeOne(tx: Transaction, postId: number, mediaId: number): Promise<void> {
    await tx.query('delete from post_media where post_id = $1 and media_id = $2', [postId, mediaId]);
  }

  /** Gives a post's media the places in which their ids are given. */
  async reorder(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    await tx.query(
      `update post_media set position = wanted.place - 1
       from unnest($2::bigint[]) with ordinality as wanted (id, place)
       where post_id = $1 and media_id = wanted.id`,
      [postId, mediaIds],
    );
  }

  async removeMedia(tx: Transaction, mediaIds: readonly number[]): Promise<void> {
    await tx.query('delete from post_media where media_id = any($1::bigint[])', [mediaIds]);
  }

  /** How a locked post stands, and what its derived columns follow from. */
  async findStanding(tx: Transaction, postId: number): Promise<PostStanding> {
    const [row] = await tx.query<PostStanding>(
      `select slug, revision, visibility, moderation_status as "moderationStatus", owner_nsfw as "ownerNsfw",
              moderator_status as "moderatorStatus",
              array(select m.moderation_status from post_media pm join media m on m.id = pm.media_id
                    where pm.post_id = posts.id) as "mediaStatuses"
       from posts where id = $1`,
      [postId],
    );
    if (!row) throw new Error(`Post ${postId} is gone though it is locked`);
    return row;
  }

  /** `byOwner` where the owner's doing is the cause. */
  async recordDerived(
    tx: Transaction,
    postId: number,
    { status, listing, empty }: DerivedColumns,
    byOwner: boolean,
  ): Promise<void> {
    await tx.query(
      `update posts set moderation_status = $2, listing = $3, empty = $4,
         media_count = (select count(*) from post_media where post_id = $1),
         updated_at = case when $5 then now() else updated_at end
       where id = $1`,
      [postId, status, listing, empty, byOwner],
    );
  }

  /**
   * To be called when the content of some locked posts has changed: raises their revisions and ends rulings of `approved`
   * or `nsfw` on the content before. The owner's `is_nsfw` from before the ruling applies again. Returns the posts whose
   * ruling ended.
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
}
