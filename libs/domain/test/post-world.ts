import type { ModerationStatus } from '@vitrine/contracts';
import type { DomainContext } from '@vitrine/testing';
import type { Caller } from '../src/base/access/caller';
import { randomSlug } from '../src/base/identifiers/slug';
import {
  derivePostListing,
  derivePostStatus,
  isEmptyPost,
  type PostListingFacts,
} from '../src/posts/rows/post.rules';
import { insertCaller } from './insert-caller';

export interface SomeMedia {
  readonly id: number;
  readonly slug: string;
}

/** Creates users and media for specs of posts, and reads the database without the services. */
export class PostWorld {
  constructor(private readonly domain: Pick<DomainContext, 'dataSource'>) {}

  /** Removes all users, media and posts. */
  async clear(): Promise<void> {
    await this.domain.dataSource.query(
      'truncate users, media, posts, outbox, feed_deltas, feed_totals, tags cascade',
    );
  }

  createUser(role?: Caller['role']): Promise<Caller> {
    return insertCaller(this.domain.dataSource, role);
  }

  /** Creates a media item as an upload and a decision do, in no post. */
  async createMedia(
    owner: Pick<Caller, 'userId'> | null,
    status: ModerationStatus = 'approved',
  ): Promise<SomeMedia> {
    const slug = randomSlug();
    const listing = { approved: 'safe', nsfw: 'nsfw', pending: 'unlisted', rejected: 'unlisted' }[status];
    const [row] = await this.domain.dataSource.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256,
         stored_sha256, moderation_status, listing)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 123, sha256('a'), sha256('b'), $3, $4)
       returning id`,
      [slug, owner?.userId ?? null, status, listing],
    );
    return { id: row.id, slug };
  }

  async createManyMedia(owner: Pick<Caller, 'userId'>, count: number): Promise<readonly SomeMedia[]> {
    const media: SomeMedia[] = [];
    while (media.length < count) media.push(await this.createMedia(owner));
    return media;
  }

  /** A post's row, by its columns' names. */
  async post(id: number): Promise<Record<string, unknown>> {
    return (await this.domain.dataSource.query('select * from posts where id = $1', [id]))[0];
  }

  async mediaListing({ id }: SomeMedia): Promise<string> {
    return (await this.domain.dataSource.query('select listing from media where id = $1', [id]))[0].listing;
  }

  /** Ids of a post's media, in order. */
  async mediaOf(postId: number): Promise<readonly number[]> {
    const rows: { media_id: number }[] = await this.domain.dataSource.query(
      'select media_id from post_media where post_id = $1 order by position',
      [postId],
    );
    return rows.map((row) => row.media_id);
  }

  /** Sets a moderator's decision on a post without the service. */
  async rule(postId: number, status: 'approved' | 'nsfw' | 'rejected'): Promise<void> {
    await this.domain.dataSource.query(
      'update posts set moderator_status = $2, moderation_status = $2 where id = $1',
      [postId, status],
    );
  }

  async events(): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]> {
    const rows: { envelope: { type: string; data: Record<string, unknown> } }[] =
      await this.domain.dataSource.query('select envelope from outbox order by id');
    return rows.map(({ envelope: { type, data } }) => ({ type, data }));
  }

  /** Describes every derived column that is wrong; expected to be empty. */
  async findWrongDerivations(): Promise<readonly string[]> {
    const posts: readonly (PostListingFacts & {
      readonly id: number;
      readonly moderationStatus: string;
      readonly listing: string;
      readonly empty: boolean;
    })[] = await this.domain.dataSource.query(
      `select id, visibility, listing, empty, moderation_status as "moderationStatus", owner_nsfw as "ownerNsfw",
              moderator_status as "moderatorStatus",
              exists (select from account_restrictions r where r.user_id = posts.user_id) as withheld,
              array(select m.moderation_status from post_media pm join media m on m.id = pm.media_id
                    where pm.post_id = posts.id) as "mediaStatuses"
       from posts`,
    );
    const wrongPosts = posts.flatMap((post) => [
      ...(post.moderationStatus === derivePostStatus(post) ? [] : [`status of post ${post.id}`]),
      ...(post.listing === derivePostListing(post) ? [] : [`listing of post ${post.id}`]),
      ...(post.empty === isEmptyPost(post) ? [] : [`empty of post ${post.id}`]),
    ]);
    const wrong: readonly { readonly what: string }[] = await this.domain.dataSource.query(
      `select 'media_count of post ' || id as what from posts
       where media_count <> (select count(*) from post_media where post_id = posts.id)
       union all
       select 'score of post ' || id from posts
       where score <> (select coalesce(sum(value), 0) from post_votes where post_id = posts.id)
       union all
       select 'private post without a key ' || id from posts where (visibility = 'private') <> (access_key is not null)
       union all
       select 'listing of media ' || m.id from media m
       where listing <> case
         when moderation_status not in ('approved', 'nsfw') then 'unlisted'
         when exists (select from account_restrictions r where r.user_id = m.user_id) then 'unlisted'
         when (m.unlisted or exists (select from post_media where media_id = m.id))
          and not exists (select from post_media join posts p on p.id = post_id
                          where media_id = m.id and p.visibility = 'public') then 'unlisted'
         when moderation_status = 'approved' then 'safe' else 'nsfw' end
       union all
       select 'count of feed ' || coalesce(counted.feed, true_.feed)
       from (select feed, listing, sum(change) as items from (
               select feed, listing, items as change from feed_totals
               union all select feed, listing, change from feed_deltas) as parts group by feed, listing) as counted
       full join (select 'posts' as feed, listing, count(*) as items from posts where listing <> 'unlisted' group by 2
                  union all
                  select 'media', listing, count(*) from media where listing <> 'unlisted' group by 2) as true_
         using (feed, listing)
       where feed in ('posts', 'media') and coalesce(counted.items, 0) <> coalesce(true_.items, 0)`,
    );
    return [...wrongPosts, ...wrong.map(({ what }) => what)];
  }
}
