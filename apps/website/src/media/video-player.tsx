import type { Media } from '@vitrine/client';
import { VARIANT_SIZES, VIDEO_LINES } from '@vitrine/contracts';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../components/icon';

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

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

/** The choices beside the browser's own controls; a script shows and obeys them (browser/post/player.ts). */
export function PlayerMenu({ media: { urls, width, height } }: { readonly media: Media }): JSX.Element {
  const lines = Math.min(width, height);
  // All sizes that aren't smaller than the video are the same file.
  const sizes = VARIANT_SIZES.filter((_, i) => i === 0 || VIDEO_LINES[VARIANT_SIZES[i - 1]!] < lines);
  return (
    <details class="fold" data-menu data-player hidden>
      <summary class="button quiet-button">
        <Icon name="play" />
        <span>Playback</span>
      </summary>
      <div class="fold-body">
        <label class="field">
          <span>Speed</span>
          <select name="speed">
            {SPEEDS.map((speed) => (
              <option value={speed} selected={speed === 1}>
                {speed === 1 ? 'Normal' : `${speed} ×`}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Quality</span>
          <select name="quality">
            <option value="">Automatic</option>
            {sizes.map((size) => (
              <option value={size} data-address={urls[size]}>
                {Math.min(VIDEO_LINES[size], lines)}p
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          <input type="checkbox" name="loop" /> Repeat
        </label>
      </div>
    </details>
  );
}
