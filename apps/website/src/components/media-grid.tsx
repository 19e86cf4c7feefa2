import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Picture } from './picture';
import { EAGER_TILES, MediaBadges, ModerationBadge, motionOf, rowsClass, TILE_SIZES } from './tile';

interface MediaGridProps {
  readonly media: readonly Media[];
  /** What the list holds, for those who can't see it. */
  readonly label: string;
  /** Whether pictures are in sight as soon as the page is. */
  readonly eager?: boolean;
}

/** Media as pictures alone. Needs `grid.css`; `grid.js` adds keys, playing and further pages. */
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
