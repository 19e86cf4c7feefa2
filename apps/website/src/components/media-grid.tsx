import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Picture } from './picture';
import { EAGER_TILES, MediaBadges, ModerationBadge, motionOf, rowsClass, TILE_SIZES } from './tile';

interface MediaGridProps {
  readonly media: readonly Media[];
  /** Description of the list for screen readers. */
  readonly label: string;
  /** Whether the first pictures are visible when the page opens. */
  readonly eager?: boolean;
}

/** A grid of media. Needs `grid.css`; `grid.js` adds keyboard control, playback and loading of further pages. */
export function MediaGrid({ media, label, eager = true }: MediaGridProps): JSX.Element {
  return (
    <div class="grid-frame">
      <ul class="grid grid-bare" aria-label={label} data-grid>
        {media.map((one, i) => (
          <li key={one.id} class={`tile ${rowsClass(one)}`}>
            <a class="tile-link" href={`/m/${one.slug}`} data-tile={one.slug} {...motionOf(one)}>
              <span class="tile-frame">
                <Picture
                  media={one}
                  sizes={TILE_SIZES}
                  eager={eager && i < EAGER_TILES}
                  alt={one.alt_text ?? one.title ?? `Media ${one.slug}`}
                />
                <span class="badges">
                  <ModerationBadge status={one.moderation_status} />
                  <MediaBadges media={one} />
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
