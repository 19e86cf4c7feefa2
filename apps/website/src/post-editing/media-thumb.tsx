import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { isVideo, mayBeTransparent, sourcesOf } from '../components/picture';

interface MediaThumbProps {
  readonly media: Media;
  /** Edge in pixels. */
  readonly size: number;
}

/** A square thumbnail. Its name stands beside it. */
export function MediaThumb({ media, size }: MediaThumbProps): JSX.Element {
  const sources = sourcesOf(media);
  return (
    <span class="media-thumb">
      {sources === null ? (
        <Icon name={isVideo(media) ? 'play' : 'images'} />
      ) : (
        <img
          class={mayBeTransparent(media) ? 'transparent' : undefined}
          src={media.processed ? media.urls.thumb : sources.src}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          draggable={false}
        />
      )}
    </span>
  );
}

/** The name of a media item: its title, or its kind and position. */
export const mediaName = (media: Media, index: number): string =>
  media.title ?? `${isVideo(media) ? 'Video' : 'Picture'} ${index + 1}`;
