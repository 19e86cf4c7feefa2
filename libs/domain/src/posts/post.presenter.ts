import type {
  CreatedPostResource,
  ListedPostResource,
  MediaResource,
  PostResource,
  PostUpdatedResource,
} from '@vitrine/contracts';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { presentMedia, type ShownMedia } from '../media/media.presenter';
import { type Author, presentAuthor } from '../users/author.presenter';
import type { VoteState } from '../votes/vote.rules';
import type { PostEntity } from './post.entity';

/** What is shown of a post's row. */
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
    | 'tags'
    | 'score'
    | 'viewCount'
    | 'commentCount'
    | 'createdAt'
    | 'updatedAt'
  >
>;

/** A post as one viewer sees it, with what its public resource needs besides its own row. */
export interface PostView {
  readonly post: ShownPost;
  /** Null for a guest, and for who has deleted their account. */
  readonly author: Author | null;
  /** The viewer's. */
  readonly vote: VoteState;
  /** Whether the viewer owns it. */
  readonly own: boolean;
  /** Whether the viewer is a moderator, who reads a certain revision of it. */
  readonly reviewed: boolean;
  /** Media in it that the viewer may see. */
  readonly mediaCount: number;
}

/** A post in a list. */
export interface ListedPost extends PostView {
  /** The first that the viewer may see. */
  readonly firstMedia: ShownMedia | null;
}

/** A post by itself. */
export interface SinglePost extends PostView {
  /** One page of those that the viewer may see, in order. They all are the author's. */
  readonly media: readonly ShownMedia[];
}

/** What the owner is told of a post that they made or changed. */
export type OwnPost = Readonly<Pick<PostEntity, 'id' | 'slug' | 'visibility' | 'accessKey'>>;

/** Address of a post in the API. */
export const postLocation = (post: { slug: string }, urls: PublicUrlsConfig): string =>
  `${urls.api}/posts/${post.slug}`;

/** The public resource of a post by itself. */
export const presentPost = (view: SinglePost, urls: PublicUrlsConfig): PostResource => ({
  ...presentBasics(view, urls),
  listed: view.post.listing !== 'unlisted',
  media: view.media.map((media) => presentInside(view, media, urls)),
});

/** The public resource of a post in a list. */
export const presentListedPost = (view: ListedPost, urls: PublicUrlsConfig): ListedPostResource => ({
  ...presentBasics(view, urls),
  first_media: view.firstMedia && presentInside(view, view.firstMedia, urls),
});

/** What the answer to making a post tells of it. */
export const presentCreatedPost = (post: OwnPost, urls: PublicUrlsConfig): CreatedPostResource => ({
  id: post.id,
  slug: post.slug,
  ...presentAccess(post),
  page_url: pageUrl(post, urls),
});

/** The answer to changing a post. */
export const presentPostUpdate = (post: OwnPost): PostUpdatedResource => ({
  message: 'Post updated.',
  ...presentAccess(post),
});

function presentBasics(
  { post, author, vote, own, reviewed, mediaCount }: PostView,
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

/** All media of a post are its owner's. */
const presentInside = ({ author, own }: PostView, media: ShownMedia, urls: PublicUrlsConfig): MediaResource =>
  presentMedia({ media, owner: author }, urls, own);

const presentAccess = (post: OwnPost): { visibility: OwnPost['visibility']; access_key?: string } => {
  const key = accessKeyOf(post);
  return { visibility: post.visibility, ...(key !== null && { access_key: key }) };
};

const accessKeyOf = (post: Pick<OwnPost, 'visibility' | 'accessKey'>): string | null =>
  post.visibility === 'private' ? post.accessKey : null;

const pageUrl = (post: { slug: string }, urls: PublicUrlsConfig): string => `${urls.site}/p/${post.slug}`;
