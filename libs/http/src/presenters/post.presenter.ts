import type {
  CreatedPostResource,
  ListedPostResource,
  MediaResource,
  PostResource,
  PostUpdatedResource,
} from '@vitrine/contracts/api';
import type { PublicUrlsConfig } from '@vitrine/runtime';
import { presentMedia } from './media.presenter';
import { presentAuthor } from './author.presenter';
import type { ShownMedia, PostView, ListedPost, SinglePost, OwnPost } from '@vitrine/domain';

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
