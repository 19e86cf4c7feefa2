import type { Media } from '@vitrine/client';
import { isVideo } from '../components/picture';
import type { PageHead } from '../results/page';
import { playerUrl } from './embed-codes';
import { imageSize, stillSize, videoSize } from './shown-size';

type Properties = NonNullable<PageHead['openGraph']>;

/** The picture for link previews of a media item; null if there is none. */
export function previewOf(media: Media): { url: string; width: number; height: number } | null {
  if (media.processing_error !== null || (isVideo(media) && !media.processed)) return null;
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
  if (!isVideo(media) || !media.processed) return [];
  const { width, height } = videoSize(media, 'lg');
  return [
    ['og:video', media.urls.lg],
    ...(media.urls.lg.startsWith('https:') ? [['og:video:secure_url', media.urls.lg] as const] : []),
    ['og:video:type', 'video/mp4'],
    ['og:video:width', width],
    ['og:video:height', height],
  ];
}

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
