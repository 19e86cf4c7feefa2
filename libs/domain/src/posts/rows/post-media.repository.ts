import { Injectable } from '@nestjs/common';
import type { Listing, ModerationStatus } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { isWithheld } from '../../base/queries/restriction-sql';
import { queueForRanking } from '../feeds/rank-queue';
import type { PostListingFacts } from './post.rules';

/** A post's status, and the facts from which its derived columns follow. */
export interface PostStanding extends PostListingFacts {
  readonly id: number;
  readonly slug: string;
  readonly revision: number;
  readonly moderationStatus: ModerationStatus;
  readonly listing: Listing;
}

/** A media item in a post. */
export interface PlacedMedia {
  readonly id: number;
  readonly slug: string;
}

/** Every query on the table `post_media`: which media are in which post. */
@Injectable()
export class PostMediaRepository {
  /** The media of a post in its order. */
  findMedia(tx: Transaction, postId: number): Promise<PlacedMedia[]> {
    return tx.query<PlacedMedia>(
      `select m.id, m.slug from post_media pm join media m on m.id = pm.media_id
       where pm.post_id = $1 order by pm.position`,
      [postId],
    );
  }

  /** Those of some media that are in a post. */
  async findPlaced(tx: Transaction, mediaIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await tx.query<{ id: number }>(
      'select distinct media_id as id from post_media where media_id = any($1::bigint[])',
      [mediaIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Puts media at the end of a post, in the order given. The media wait to be ranked. */
  async append(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    await tx.query(
      `with added as (
         insert into post_media (post_id, media_id, position)
         select $1, added.id, last.position + added.place
         from unnest($2::bigint[]) with ordinality as added (id, place),
              (select coalesce(max(position), -1) as position from post_media where post_id = $1) as last
         returning media_id as id
       ) ${queueForRanking('media', 'added')}`,
      [postId, mediaIds],
    );
  }

  /** The media item waits to be ranked. */
  async removeOne(tx: Transaction, postId: number, mediaId: number): Promise<void> {
    await tx.query(
      `with removed as (delete from post_media where post_id = $1 and media_id = $2 returning media_id as id)
       ${queueForRanking('media', 'removed')}`,
      [postId, mediaId],
    );
  }

  /** Puts a post's media into the order of `mediaIds`. */
  async reorder(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    await tx.query(
      `update post_media set position = wanted.place - 1
       from unnest($2::bigint[]) with ordinality as wanted (id, place)
       where post_id = $1 and media_id = wanted.id`,
      [postId, mediaIds],
    );
  }

  /** Removes media that are being deleted from every post. */
  async removeMedia(tx: Transaction, mediaIds: readonly number[]): Promise<void> {
    await tx.query('delete from post_media where media_id = any($1::bigint[])', [mediaIds]);
  }

  /** How many posts contain each of some locked media; those in no post are left out. */
  async countPosts(tx: Transaction, mediaIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await tx.query<{ id: number; posts: number }>(
      `select media_id as id, count(*)::int as posts from post_media where media_id = any($1::bigint[])
       group by media_id`,
      [mediaIds],
      { prepared: true },
    );
    return new Map(rows.map(({ id, posts }) => [id, posts]));
  }

  /** The statuses of locked posts, and the facts from which their derived columns follow, in the order of their ids. */
  findStandings(tx: Transaction, postIds: readonly number[]): Promise<readonly PostStanding[]> {
    return tx.query<PostStanding>(
      `select id, slug, revision, visibility, listing, moderation_status as "moderationStatus", owner_nsfw as "ownerNsfw",
              moderator_status as "moderatorStatus", ${isWithheld('posts.user_id')} as withheld,
              array(select m.moderation_status from post_media pm join media m on m.id = pm.media_id
                    where pm.post_id = posts.id) as "mediaStatuses"
       from posts where id = any($1::bigint[]) order by id`,
      [postIds],
      { prepared: true },
    );
  }
}
