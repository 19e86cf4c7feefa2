import type { Media } from '@vitrine/client';
import { IMAGE_SIZES, imageVariantSize, VIDEO_THUMB_EDGE } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Icon } from './icon';
import { Loop } from './loop';
import { placeholderOf } from './placeholder';

interface PictureProps {
  readonly media: Media;
  /** The displayed width, in the syntax of the attribute `sizes`. */
  readonly sizes: string;
  /** Loads the picture at once instead of lazily, because it is visible when the page opens. */
  readonly eager?: boolean | undefined;
  readonly class?: string | undefined;
  /** Whether an animation moves, as its loop if it has one. Otherwise its first frame is shown, if it has a still. */
  readonly moving?: boolean;
  /** Whether the original may be shown too, because its details matter. */
  readonly original?: boolean;
  /** Alternative text. Default: the media item's own alternative text or its title. */
  readonly alt?: string | undefined;
}

/**
 * The picture of a media item, or the still of a video or an animation, in the size that the browser needs. A blurred
 * placeholder is shown until it has loaded. The element reserves the space of the picture's aspect ratio.
 */
export function Picture({
  media,
  sizes,
  eager = false,
  class: more,
  moving = false,
  original = false,
  alt,
}: PictureProps): JSX.Element {
  const still = media.urls.still;
  const sources =
    still === undefined || moving ? sourcesOf(media, original) : { src: still, srcset: undefined };
  const placeholder = media.thumbhash === null ? null : placeholderOf(media.thumbhash);
  const names = ['picture', mayBeTransparent(media) && 'transparent', more].filter(Boolean).join(' ');
  const [width, height] = [media.width, media.height];
  const text = alt ?? media.alt_text ?? media.title ?? '';
  return (
    <span class={names}>
      {placeholder !== null && (
        <img class="picture-placeholder" src={placeholder} alt="" width={width} height={height} />
      )}
      {sources === null ? (
        <span class="picture-missing">
          <Icon name={isVideo(media) ? 'play' : 'images'} size={32} />
          {text !== '' && <span class="visually-hidden">{text}</span>}
        </span>
      ) : moving && media.urls.loop !== undefined ? (
        <Loop media={media} address={media.urls.loop} fallback={sources} eager={eager} alt={text} />
      ) : (
        <Still reduced={isMoving(media, moving) ? (still ?? placeholder) : null}>
          <img
            class="picture-image"
            src={sources.src}
            srcset={sources.srcset}
            sizes={sources.srcset === undefined ? undefined : sizes}
            alt={text}
            width={width}
            height={height}
            loading={eager ? 'eager' : 'lazy'}
            decoding="async"
            fetchpriority={eager ? 'high' : undefined}
          />
        </Still>
      )}
    </span>
  );
}

/** If the visitor prefers reduced motion, an animation is replaced by its still or its placeholder, also without scripts. */
function Still({
  reduced,
  children,
}: {
  readonly reduced: string | null;
  readonly children: JSX.Element;
}): JSX.Element {
  if (reduced === null) return children;
  return (
    <picture>
      <source media="(prefers-reduced-motion: reduce)" srcset={reduced} />
      {children}
    </picture>
  );
}

const isMoving = ({ animated, urls }: Media, moving: boolean): boolean =>
  animated && (moving || urls.still === undefined);

/** Whether a hash of transparency (without a placeholder) says so, or an unprocessed picture's type allows it. */
export const mayBeTransparent = ({ thumbhash, processed, type }: Media): boolean =>
  thumbhash === null
    ? !processed && type.startsWith('image/') && type !== 'image/jpeg'
    : placeholderOf(thumbhash) === null;

export const isVideo = (media: Pick<Media, 'type'>): boolean => media.type.startsWith('video/');

const SHOWN_EVERYWHERE = new Set(['jpg', 'jpeg', 'png', 'gif', 'webp', 'avif', 'svg', 'mp4', 'webm']);

/** Whether all browsers can show or play the original. */
export const isShownEverywhere = ({ ext }: Pick<Media, 'ext'>): boolean => SHOWN_EVERYWHERE.has(ext);

/** The largest original in bytes that pages load without being asked: larger ones would take many seconds on a phone. */
const MAX_SHOWN_ORIGINAL = 2_000_000;

type Shown = Pick<
  Media,
  'type' | 'ext' | 'size' | 'animated' | 'processed' | 'processing_error' | 'width' | 'height' | 'urls'
>;

export interface Sources {
  readonly src: string;
  readonly srcset?: string;
}

/**
 * The files for `srcset` with their real widths; null if there is none to show yet. `original`: whether it is one of them,
 * if it has more pixels than the sizes.
 */
export function sourcesOf(media: Shown, original = false): Sources | null {
  const { urls, width } = media;
  if (isVideo(media)) return media.processed ? { src: urls.thumb } : null;
  if (!media.processed) return media.processing_error === null ? { src: urls.original } : null;
  const sized = IMAGE_SIZES.flatMap((size) => {
    const url = urls[size];
    return url === undefined ? [] : [{ url, width: imageVariantSize(media, size).width }];
  });
  // All sizes that aren't smaller than the original are the same file.
  const candidates = sized.filter((_, i) => i === 0 || sized[i - 1]!.width < width);
  const isSharper = candidates.at(-1)!.width < width;
  if (
    original &&
    isSharper &&
    isShownEverywhere(media) &&
    !media.animated &&
    media.size <= MAX_SHOWN_ORIGINAL
  )
    candidates.push({ url: urls.original, width });
  const src = candidates.find((candidate) => candidate.width >= VIDEO_THUMB_EDGE / 2) ?? candidates.at(-1)!;
  return {
    src: src.url,
    srcset: candidates.map((candidate) => `${candidate.url} ${candidate.width}w`).join(', '),
  };
}
