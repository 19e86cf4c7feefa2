import type { PendingOn } from '@vitrine/contracts';
import type {
  CreatedPostResource,
  ListedPostResource,
  MediaResource,
  PostResource,
  PostUpdatedResource,
} from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { presentMedia, type ShownMedia } from '../../media/items/media.presenter';
import { type Author, presentAuthor } from '../../accounts/authors/author.presenter';
import type { VoteState } from '../../community/votes/vote.rules';
import type { PostEntity } from '../rows/post.entity';

/** The columns of a post that are shown. */
export type ShownPost = Readonly<
  Pick<
    PostEntity,
    | 'id'
    | 'slug'
    | 'userId'
    | 'title'
    | 'description'
    | 'visibility'
    | 'accessKey'
    | 'moderationStatus'
    | 'revision'
    | 'empty'
    | 'listing'
    | 'ownerRestriction'
    | 'tags'
    | 'score'
    | 'viewCount'
    | 'commentCount'
    | 'createdAt'
    | 'updatedAt'
  >
>;

/** A post as one viewer sees it, with what its resource needs in addition to the row. */
export interface PostView {
  readonly post: ShownPost;
  /** Null if the owner is a guest or has deleted the account. */
  readonly author: Author | null;
  /** The viewer's vote. */
  readonly vote: VoteState;
  /** Whether the viewer owns it. */
  readonly own: boolean;
  /** Whether the viewer is a moderator, who is shown the revision. */
  readonly reviewed: boolean;
  /** The number of its media that the viewer may see. */
  readonly mediaCount: number;
  /** What a pending post waits for; null if it isn't pending or has no pending media. */
  readonly pendingOn: PendingOn | null;
}

/** A post in a list. */
export interface ListedPost extends PostView {
  /** The first media item that the viewer may see. */
  readonly firstMedia: ShownMedia | null;
}

/** A single post. */
export interface SinglePost extends PostView {
  /** One page of the media that the viewer may see, in order. The author owns all of them. */
  readonly media: readonly ShownMedia[];
  /** Whether the author blocks the viewer or is blocked by the viewer. */
  readonly blocked: boolean;
}

/** What the responses to creating and changing a post contain. */
export type OwnPost = Readonly<Pick<PostEntity, 'id' | 'slug' | 'visibility' | 'accessKey'>>;

/** The URL of a post in the API. */
export const postLocation = (post: { slug: string }, urls: PublicUrlsConfig): string =>
  `${urls.api}/posts/${post.slug}`;

/** The resource of a single post. */
export const presentPost = (view: SinglePost, urls: PublicUrlsConfig): PostResource => ({
  ...presentBasics(view, urls),
  listed: view.post.listing !== 'unlisted',
  media: view.media.map((media) => presentInside(view, media, urls)),
});

/** The resource of a post in a list. */
export const presentListedPost = (view: ListedPost, urls: PublicUrlsConfig): ListedPostResource => ({
  ...presentBasics(view, urls),
  first_media: view.firstMedia && presentInside(view, view.firstMedia, urls),
});

/** The post in the response to its creation. */
export const presentCreatedPost = (post: OwnPost, urls: PublicUrlsConfig): CreatedPostResource => ({
  id: post.id,
  slug: post.slug,
  ...presentAccess(post),
  page_url: pageUrl(post, urls),
});

/** The response to a change of a post. */
export const presentPostUpdate = (post: OwnPost): PostUpdatedResource => ({
  message: 'Post updated.',
  ...presentAccess(post),
});

function presentBasics(
  { post, author, vote, own, reviewed, mediaCount, pendingOn }: PostView,
  urls: PublicUrlsConfig,
): Omit<PostResource, 'media' | 'listed'> {
  return {
    id: post.id,
    slug: post.slug,
    title: post.title,
    description: post.description,
    score: post.score,
    view_count: post.viewCount,
    media_count: mediaCount,
    comment_count: post.commentCount,
    moderation_status: post.moderationStatus,
    pending_on: pendingOn,
    isUpvotedByUser: vote === 1,
    isDownvotedByUser: vote === -1,
    tags: post.tags,
    page_url: pageUrl(post, urls),
    created_at: post.createdAt.toISOString(),
    updated_at: post.updatedAt.toISOString(),
    user: presentAuthor(author, urls),
    ...(reviewed && { revision: post.revision }),
    ...(own && { visibility: post.visibility, access_key: accessKeyOf(post) }),
  };
}

/** The resource of a media item in a post. The post's owner owns all its media. */
const presentInside = ({ author, own }: PostView, media: ShownMedia, urls: PublicUrlsConfig): MediaResource =>
  presentMedia({ media, owner: author }, urls, own);

const presentAccess = (post: OwnPost): { visibility: OwnPost['visibility']; access_key?: string } => {
  const key = accessKeyOf(post);
  return { visibility: post.visibility, ...(key !== null && { access_key: key }) };
};

const accessKeyOf = (post: Pick<OwnPost, 'visibility' | 'accessKey'>): string | null =>
  post.visibility === 'private' ? post.accessKey : null;

const pageUrl = (post: { slug: string }, urls: PublicUrlsConfig): string => `${urls.site}/p/${post.slug}`;
