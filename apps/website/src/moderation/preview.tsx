import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { isVideo } from '../components/picture';
import { placeholderOf } from '../components/placeholder';

/**
 * The reported file behind a blurred placeholder. The browser doesn't request the file until the moderator opens it:
 * lazy pictures in a closed `<details>` and videos without preload are not loaded.
 */
export function Preview({ media }: { readonly media: Media }): JSX.Element {
  const veil = media.thumbhash === null ? null : placeholderOf(media.thumbhash);
  const { width, height, urls } = media;
  const text = media.alt_text ?? media.title ?? 'The reported content';
  return (
    <details class="preview">
      <summary>
        {veil !== null && <img class="preview-veil" src={veil} alt="" width={width} height={height} />}
        <span class="preview-hint">
          <Icon name="eye" />
          <span>
            <span class="when-closed">Show</span>
            <span class="when-open">Hide</span> the {isVideo(media) ? 'video' : 'picture'}
          </span>
        </span>
      </summary>
      <div class="preview-file">
        {isVideo(media) ? (
          <video
            src={urls.original}
            width={width}
            height={height}
            controls
            loop
            muted
            playsInline
            preload="none"
            aria-label={text}
          />
        ) : (
          <img src={urls.md} alt={text} width={width} height={height} loading="lazy" />
        )}
      </div>
    </details>
  );
}
