import type { Media } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';

interface VideoPlayerProps {
  readonly media: Media;
  /** For browsers that play no such videos. */
  readonly children?: ComponentChildren;
}

/** The browser's own player. Small screens, and small networks, get fewer lines. */
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
