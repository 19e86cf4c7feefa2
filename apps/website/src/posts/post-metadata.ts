import type { Post } from '@vitrine/client';
import { isVideo } from '../components/picture';
import { counted } from '../components/counted';
import { openGraphImage, openGraphVideo, schemaOf, summaryOf, twitterCard } from '../media/media-metadata';
import type { PageHead } from '../rendering/page';
import { postPath } from './post-path';

interface Site {
  readonly site: string;
  readonly siteName: string;
}

/** Pictures that programs which show links get to choose from. */
const MOST_IMAGES = 4;

/** What a post without a title is called. */
export const UNTITLED = 'Untitled';

/** What the page of a post says of itself to programs. Of a private post nothing. */
export function postHead(post: Post, mediaPage: number, secret: boolean, { site, siteName }: Site): PageHead {
  if (secret) return { robots: 'noindex' };
  const title = post.title ?? UNTITLED;
  const description = describe(post, siteName);
  const canonical = postPath(post.slug, { mediaPage });
  const isAdult = post.moderation_status === 'nsfw';
  // Previews of links are seen unasked.
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
      ...shown.slice(0, MOST_IMAGES).flatMap(openGraphImage),
      ...(first ? openGraphVideo(first) : []),
    ],
    meta: [
      ...twitterCard(first, { title, description }, site),
      ...(isAdult ? [['rating', 'adult'] as const] : []),
      ...(post.user ? [['author', post.user.username] as const] : []),
    ],
    links: isAdult
      ? []
      : [
          {
            rel: 'alternate',
            type: 'application/json+oembed',
            href: oembedUrl(site, `/p/${post.slug}`),
            title,
          },
        ],
    jsonLd: post.listed && !isAdult ? jsonLdOf(post, title, site) : undefined,
  };
}

/** Address of what oEmbed (https://oembed.com) says of a page. */
export const oembedUrl = (site: string, path: string): string =>
  `${site}/oembed?${new URLSearchParams({ url: site + path, format: 'json' }).toString()}`;

/** The author's words, or else what there is. */
function describe(post: Post, siteName: string): string {
  if (post.description !== null) return summaryOf(post.description);
  const things = counted(post.media_count, thingOf(post));
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
    ...(post.user && {
      author: { '@type': 'Person', name: post.user.username, url: `${site}/u/${post.user.username}` },
    }),
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
