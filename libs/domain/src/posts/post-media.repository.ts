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

  /** The posts that a media is in, locked in the order of their ids so that no two transactions deadlock. */
  async lockPostsOfMedia(tx: Transaction, mediaId: number): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `select id from posts where id in (select post_id from post_media where media_id = $1) order by id
       for no key update`,
      [mediaId],
    );
    return rows.map((row) => row.id);
  }

  async append(tx: Transaction, postId: number, mediaId: number): Promise<void> {
    await tx.query(
      `insert into post_media (post_id, media_id, position)
       select $1, $2, coalesce(max(position) + 1, 0) from post_media where post_id = $1`,
      [postId, mediaId],
    );
  }

  async removeMedia(tx: Transaction, mediaId: number): Promise<void> {
    await tx.query('delete from post_media where media_id = $1', [mediaId]);
  }

  async findStatusFacts(
    tx: Transaction,
    postId: number,
  ): Promise<PostStatusFacts & { readonly visibility: Visibility }> {
    const [row] = await tx.query<PostStatusFacts & { readonly visibility: Visibility }>(
      `select visibility, owner_nsfw as "ownerNsfw", moderator_status as "moderatorStatus",
              array(select m.moderation_status from post_media pm join media m on m.id = pm.media_id
                    where pm.post_id = posts.id) as "mediaStatuses"
       from posts where id = $1`,
      [postId],
    );
    if (!row) throw new Error(`Post ${postId} is gone though it is locked`);
    return row;
  }

  async recordDerived(
    tx: Transaction,
    postId: number,
    status: ModerationStatus,
    listing: Listing,
  ): Promise<void> {
    await tx.query(
      `update posts set moderation_status = $2, listing = $3,
         media_count = (select count(*) from post_media where post_id = $1)
       where id = $1`,
      [postId, status, listing],
    );
  }
}
