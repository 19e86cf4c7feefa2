import type { Post } from '@vitrine/client';
import { isVideo } from '../components/picture';
import { pluralize } from '../components/words';
import {
  oembedLink,
  openGraphImage,
  openGraphVideo,
  personOf,
  schemaOf,
  summaryOf,
  twitterCard,
  UNTITLED,
  videoSchemas,
} from '../media/media-metadata';
import type { PageHead } from '../results/page';
import { postPath } from '../links/paths';

interface Site {
  readonly site: string;
  readonly siteName: string;
}

/** Maximum number of preview pictures. */
const MAX_IMAGES = 4;

/** The metadata of a post's page for other programs. Private posts have none. */
export function postHead(post: Post, secret: boolean, { site, siteName }: Site): PageHead {
  if (secret) return { robots: 'noindex' };
  const title = post.title ?? UNTITLED;
  const description = describe(post, siteName);
  const canonical = postPath(post.slug);
  const isAdult = post.moderation_status === 'nsfw';
  // Link previews are shown without asking, so they contain no adult content.
  const shown = isAdult ? [] : post.media.filter((media) => media.moderation_status !== 'nsfw');
  const [first] = shown;
  return {
    description,
    canonical,
    robots: post.listed ? undefined : 'noindex',
    openGraph: [
      ['og:site_name', siteName],
      ['og:type', first && isVideo(first) ? 'video.other' : 'article'],
      ['og:url', site + canonical],
      ['og:title', title],
      ['og:description', description],
      ...shown.slice(0, MAX_IMAGES).flatMap(openGraphImage),
      ...(first ? openGraphVideo(first) : []),
    ],
    meta: [
      ...twitterCard(first, { title, description }, site),
      ...(isAdult ? [['rating', 'adult'] as const] : []),
      ...(post.user ? [['author', post.user.username] as const] : []),
    ],
    links: isAdult ? [] : [oembedLink(site, canonical, title)],
    jsonLd: [
      ...(post.listed && !isAdult ? [jsonLdOf(post, title, site)] : []),
      ...videoSchemas(shown, title, site),
    ],
  };
}

/** The description, or else a summary of the content. */
function describe(post: Post, siteName: string): string {
  if (post.description !== null) return summaryOf(post.description);
  const things = pluralize(post.media_count, thingOf(post));
  return post.user ? `${things} by ${post.user.username} on ${siteName}` : `${things} on ${siteName}`;
}

function thingOf({ media }: Post): string {
  if (media.every(isVideo)) return 'video';
  return media.some(isVideo) ? 'file' : 'picture';
}

/** https://schema.org/DiscussionForumPosting */
function jsonLdOf(post: Post, title: string, site: string): object {
  const [videos, pictures] = [post.media.filter(isVideo), post.media.filter((media) => !isVideo(media))];
  const schemas = (media: typeof videos): object[] => media.map((one) => schemaOf(one, title, site));
  const counter = (action: string, count: number): object => ({
    '@type': 'InteractionCounter',
    interactionType: `https://schema.org/${action}`,
    userInteractionCount: count,
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    url: site + postPath(post.slug),
    headline: title,
    ...(post.description !== null && { text: post.description }),
    datePublished: post.created_at,
    dateModified: post.updated_at,
    ...(post.user && { author: personOf(post.user, site) }),
    ...(post.tags.length > 0 && { keywords: post.tags }),
    ...(pictures.length > 0 && { image: schemas(pictures) }),
    ...(videos.length > 0 && { video: schemas(videos) }),
    commentCount: post.comment_count,
    interactionStatistic: [
      counter('ViewAction', post.view_count),
      counter('LikeAction', Math.max(0, post.score)),
      counter('CommentAction', post.comment_count),
    ],
  };
}
