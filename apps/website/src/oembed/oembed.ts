import type { Author, Media } from '@vitrine/client';
import { isVideo } from '../components/picture';
import { playerFrame } from '../media/embed-codes';
import { previewOf } from '../media/media-metadata';
import { fitInto, imageSize } from '../media/media-facts';

/** The page that an oEmbed response describes. */
export interface OembedSubject {
  readonly title: string | null;
  readonly author: Author | null;
  /** The media item to show; null for adult content. */
  readonly media: Media | null;
}

export interface OembedLimits {
  /** In pixels. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
}

interface Site {
  readonly site: string;
  readonly siteName: string;
}

/** Seconds for which consumers may cache a response. */
export const OEMBED_MAX_AGE = 300;

/** Builds the oEmbed 1.0 response (https://oembed.com, 2.3.4): a photo, a video in an `<iframe>`, or a link. */
export function oembed(subject: OembedSubject, limits: OembedLimits, { site, siteName }: Site): object {
  const { title, author, media } = subject;
  const common = {
    version: '1.0',
    provider_name: siteName,
    provider_url: site,
    cache_age: OEMBED_MAX_AGE,
    ...(title !== null && { title }),
    ...(author && { author_name: author.username, author_url: `${site}/u/${author.username}` }),
  };
  const preview = media && previewOf(media);
  if (!media || !preview) return { type: 'link', ...common };
  const thumbnail = fits(preview, limits)
    ? { thumbnail_url: preview.url, thumbnail_width: preview.width, thumbnail_height: preview.height }
    : {};
  if (isVideo(media)) {
    const size = fitInto(media, limits.maxWidth, limits.maxHeight);
    const html = playerFrame(media, title ?? media.title ?? '', site, size);
    return { type: 'video', ...common, ...thumbnail, html, ...size };
  }
  // The file itself must be within the limits, not only its displayed size.
  const size = (['xl', 'lg', 'md', 'sm', 'xs'] as const).find((name) => fits(imageSize(media, name), limits));
  if (size === undefined) return { type: 'link', ...common };
  return { type: 'photo', ...common, ...thumbnail, url: media.urls[size], ...imageSize(media, size) };
}

const fits = (
  { width, height }: { readonly width: number; readonly height: number },
  { maxWidth = Infinity, maxHeight = Infinity }: OembedLimits,
): boolean => width <= maxWidth && height <= maxHeight;
