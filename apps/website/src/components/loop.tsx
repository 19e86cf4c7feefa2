import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import type { Sources } from './picture';

interface LoopProps {
  readonly media: Pick<Media, 'width' | 'height' | 'urls'>;
  readonly address: string;
  /** What a script shows if the browser can't play the loop. Inside of the video, browsers would load it in any case. */
  readonly fallback: Sources;
  /** Plays at once. Otherwise a script plays it when it is visible, and without scripts the visitor does. */
  readonly eager: boolean;
  readonly alt: string;
}

/**
 * An animation as a silent video, which has fewer bytes than the picture. If the visitor prefers reduced motion, its still is
 * shown (browser/post/motion.ts plays it when asked to).
 */
export function Loop({ media, address, fallback, eager, alt }: LoopProps): JSX.Element {
  return (
    <video
      class="picture-image"
      data-loop={fallback.src}
      aria-label={alt === '' ? 'Animation' : alt}
      width={media.width}
      height={media.height}
      poster={media.urls.still}
      autoplay={eager}
      controls={!eager}
      preload={eager ? undefined : 'none'}
      muted
      loop
      playsInline
    >
      <source src={address} type="video/mp4" media="(prefers-reduced-motion: no-preference)" />
    </video>
  );
}
