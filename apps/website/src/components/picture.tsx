import type { Media } from '@vitrine/client';
import { imageVariantSize, VARIANT_SIZES, VIDEO_THUMB_EDGE } from '@vitrine/contracts';
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
  alt,
}: PictureProps): JSX.Element {
  const still = media.urls.still;
  const sources = still === undefined || moving ? sourcesOf(media) : { src: still, srcset: undefined };
  const placeholder = media.thumbhash === null ? null : placeholderOf(media.thumbhash);
  const [width, height] = [media.width, media.height];
  const text = alt ?? media.alt_text ?? media.title ?? '';
  return (
    <span class={more === undefined ? 'picture' : `picture ${more}`}>
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

export const isVideo = (media: Pick<Media, 'type'>): boolean => media.type.startsWith('video/');

type Shown = Pick<Media, 'type' | 'processed' | 'processing_error' | 'width' | 'height' | 'urls'>;

export interface Sources {
  readonly src: string;
  readonly srcset?: string;
}

/** The files for `srcset` with their real widths; null if there is none to show yet. */
export function sourcesOf(media: Shown): Sources | null {
  const { urls, width } = media;
  if (isVideo(media)) return media.processed ? { src: urls.thumb } : null;
  if (!media.processed) return media.processing_error === null ? { src: urls.original } : null;
  const sized = VARIANT_SIZES.map((size) => ({
    url: urls[size],
    width: imageVariantSize(media, size).width,
  }));
  // All sizes that aren't smaller than the original are the same file.
  const candidates = sized.filter((_, i) => i === 0 || sized[i - 1]!.width < width);
  const src = candidates.find((candidate) => candidate.width >= VIDEO_THUMB_EDGE / 2) ?? candidates.at(-1)!;
  return {
    src: src.url,
    srcset: candidates.map((candidate) => `${candidate.url} ${candidate.width}w`).join(', '),
  };
}
