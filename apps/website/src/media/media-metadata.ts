import type { Author, Media } from '@vitrine/client';
import { isVideo } from '../components/picture';
import type { PageHead } from '../results/page';
import { playerUrl } from './embed-codes';
import { imageSize, stillSize, videoSize } from './media-facts';

/** The name of a post or a media item without a title. */
export const UNTITLED = 'Untitled';

type Properties = NonNullable<PageHead['openGraph']>;

/**
 * The picture for link previews of a media item; null if there is none. While the media item is being processed, the
 * file host holds requests for it.
 */
export function previewOf(media: Media): { url: string; width: number; height: number } | null {
  if (media.processing_error !== null) return null;
  return isVideo(media)
    ? { url: media.urls.thumb, ...stillSize(media) }
    : { url: media.urls.lg, ...imageSize(media, 'lg') };
}

/** OpenGraph properties (https://ogp.me/#structured) of a media item's picture. */
export function openGraphImage(media: Media): Properties {
  const preview = previewOf(media);
  if (!preview) return [];
  const { url, width, height } = preview;
  const alt = media.alt_text ?? media.title;
  return [
    ['og:image', url],
    ['og:image:width', width],
    ['og:image:height', height],
    ...(alt === null ? [] : [['og:image:alt', alt] as const]),
  ];
}

/** OpenGraph properties of a video; empty if it isn't a video or can't be played yet. */
export function openGraphVideo(media: Media): Properties {
  if (!isVideo(media) || !isPlayable(media)) return [];
  const { width, height } = videoSize(media, 'lg');
  return [
    ['og:video', media.urls.lg],
    ...(media.urls.lg.startsWith('https:') ? [['og:video:secure_url', media.urls.lg] as const] : []),
    ['og:video:type', 'video/mp4'],
    ['og:video:width', width],
    ['og:video:height', height],
  ];
}

/** The original of an MP4 that browsers can play stands in until its sizes exist. */
const isPlayable = ({ processed, processing_error: error, type }: Media): boolean =>
  error === null && (processed || type === 'video/mp4');

interface CardText {
  readonly title: string;
  readonly description: string;
}

/** The Twitter card of a page about `media`: with a player, with a picture, or text only. */
export function twitterCard(
  media: Media | undefined,
  { title, description }: CardText,
  site: string,
): Properties {
  const words: Properties = [
    ['twitter:title', title],
    ['twitter:description', description],
  ];
  const preview = media && previewOf(media);
  if (!preview) return [['twitter:card', 'summary'], ...words];
  const picture = [['twitter:image', preview.url] as const];
  if (!isVideo(media)) return [['twitter:card', 'summary_large_image'], ...words, ...picture];
  const { width, height } = videoSize(media, 'lg');
  return [
    ['twitter:card', 'player'],
    ...words,
    ...picture,
    ['twitter:player', playerUrl(media, site)],
    ['twitter:player:width', width],
    ['twitter:player:height', height],
    ['twitter:player:stream', media.urls.lg],
    ['twitter:player:stream:content_type', 'video/mp4'],
  ];
}

/** The schema.org data of a media item (https://schema.org/ImageObject, https://schema.org/VideoObject). */
export function schemaOf(media: Media, name: string, site: string): object {
  const common = {
    name: media.title ?? name,
    ...(media.description !== null && { description: media.description }),
    uploadDate: media.created_at,
    contentUrl: isVideo(media) && media.processed ? media.urls.lg : media.urls.original,
    thumbnailUrl: media.urls.thumb,
    width: media.width,
    height: media.height,
  };
  if (!isVideo(media)) return { '@type': 'ImageObject', ...common };
  return {
    '@type': 'VideoObject',
    ...common,
    description: media.description ?? common.name,
    embedUrl: playerUrl(media, site),
    ...(media.duration !== null && { duration: `PT${Math.round(media.duration)}S` }),
  };
}

/** A top-level `VideoObject` for each video, because many programs read no nested ones. */
export const videoSchemas = (media: readonly Media[], name: string, site: string): readonly object[] =>
  media.filter(isVideo).map((video) => ({
    '@context': 'https://schema.org',
    ...schemaOf(video, name, site),
    ...(video.user && { author: personOf(video.user, site) }),
  }));

/** https://schema.org/Person */
export const personOf = ({ username }: Author, site: string): object => ({
  '@type': 'Person',
  name: username,
  url: `${site}/u/${username}`,
});

/** The `<link>` by which programs find the oEmbed response (https://oembed.com, 4) for the page at `path`. */
export const oembedLink = (
  site: string,
  path: string,
  title: string,
): NonNullable<PageHead['links']>[number] => ({
  rel: 'alternate',
  type: 'application/json+oembed',
  href: `${site}/oembed?${new URLSearchParams({ url: site + path, format: 'json' }).toString()}`,
  title,
});

/**
 * The metadata of a media item's page for other programs. The API doesn't say whether all posts with the media item are
 * hidden or private, so search engines don't index these pages.
 */
export function mediaHead(media: Media, { site, siteName }: { site: string; siteName: string }): PageHead {
  const path = `/m/${media.slug}`;
  const head: PageHead = { robots: 'noindex', canonical: path };
  // Link previews are shown without asking.
  if (media.moderation_status === 'nsfw') return { ...head, meta: [['rating', 'adult']] };
  if (media.moderation_status === 'rejected') return head;
  const title = media.title ?? UNTITLED;
  const thing = isVideo(media) ? 'Video' : 'Picture';
  const description =
    media.description === null
      ? `${thing}${media.user ? ` by ${media.user.username}` : ''} on ${siteName}`
      : summaryOf(media.description);
  return {
    ...head,
    description,
    openGraph: [
      ['og:site_name', siteName],
      ['og:type', isVideo(media) ? 'video.other' : 'article'],
      ['og:url', site + path],
      ['og:title', title],
      ['og:description', description],
      ...openGraphImage(media),
      ...openGraphVideo(media),
    ],
    meta: twitterCard(media, { title, description }, site),
    links: [oembedLink(site, path, title)],
    jsonLd: isVideo(media)
      ? videoSchemas([media], title, site)
      : [{ '@context': 'https://schema.org', ...schemaOf(media, title, site) }],
  };
}

const MAX_DESCRIPTION = 200;

/** The beginning of a text on one line, for search engines and cards. */
export function summaryOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = [...line];
  if (letters.length <= MAX_DESCRIPTION) return line;
  return `${letters
    .slice(0, MAX_DESCRIPTION - 1)
    .join('')
    .trimEnd()}…`;
}
