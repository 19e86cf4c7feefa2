import type { Media } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';

interface VideoPlayerProps {
  readonly media: Media;
  /** Shown by browsers that can't play the video. */
  readonly children?: ComponentChildren;
}

/** The browser's own player. Small screens get a smaller rendition. */
export function VideoPlayer({ media, children }: VideoPlayerProps): JSX.Element {
  const { urls, width, height } = media;
  return (
    <video
      controls
      playsInline
      preload="metadata"
      poster={urls.thumb}
      width={width}
      height={height}
      aria-label={media.alt_text ?? media.title ?? 'Video'}
    >
      <source src={urls.md} type="video/mp4" media="(max-width: 560px)" />
      <source src={urls.lg} type="video/mp4" />
      {children}
    </video>
  );
}
