import type { Media } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon';
import { isVideo } from './picture';

/** How many rows of a grid make the height of a square (styles/grid.css). */
const ROWS = 20;
const FEWEST_ROWS = 9;
const MOST_ROWS = 36;
/** Of what has no picture. */
const EMPTY_ROWS = 14;

/** Pictures of a grid that are in sight at once on most screens. */
export const EAGER_TILES = 4;

/** How wide a tile is shown: the columns of styles/grid.css. */
export const TILE_SIZES =
  '(min-width: 105rem) 17vw, (min-width: 86rem) 20vw, (min-width: 69rem) 25vw, (min-width: 35rem) 33vw, 50vw';

/** The class that gives a tile its rows: as high as its picture, within bounds. */
export function rowsClass(media: Pick<Media, 'width' | 'height'> | null): string {
  const rows = media === null || media.width === 0 ? EMPTY_ROWS : (ROWS * media.height) / media.width;
  return `r${Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.round(rows)))}`;
}

interface BadgeProps {
  readonly icon?: IconName;
  readonly kind?: 'nsfw' | 'status';
  readonly children: ComponentChildren;
}

/** A word on a picture. */
export function Badge({ icon, kind, children }: BadgeProps): JSX.Element {
  return (
    <span class={kind === undefined ? 'badge' : `badge badge-${kind}`}>
      {icon !== undefined && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}

/** Whether its owner keeps a media item out of feeds, and no public post shows it. Only its owner sees this. */
export const isUnlisted = ({ unlisted, listed }: Media): boolean => unlisted === true && listed === false;

/** What kind of media a picture stands for, where that isn't plain to see, and how it stands with it. */
export function MediaBadges({ media }: { readonly media: Media }): JSX.Element {
  return (
    <>
      {isVideo(media) && (
        <Badge icon="play">
          <span class="visually-hidden">Video </span>
          {media.duration === null ? 'Video' : clockTime(media.duration)}
        </Badge>
      )}
      {isUnlisted(media) && (
        <Badge kind="status" icon="lock">
          Unlisted
        </Badge>
      )}
      {media.animated && <Badge>{media.type === 'image/gif' ? 'GIF' : 'Animation'}</Badge>}
      {!media.processed && (
        <Badge kind="status">{media.processing_error === null ? 'Processing' : 'Failed'}</Badge>
      )}
    </>
  );
}

/** The moderators' word, where it isn't a plain yes. */
export function ModerationBadge({
  status,
}: {
  readonly status: Media['moderation_status'];
}): JSX.Element | null {
  if (status === 'approved') return null;
  if (status === 'nsfw') return <Badge kind="nsfw">NSFW</Badge>;
  return <Badge kind="status">{status === 'pending' ? 'Pending' : 'Rejected'}</Badge>;
}

/** What a script plays in place of a picture: `data-play` is its address, `data-motion` its kind. */
export function motionOf(media: Media | null): Readonly<Record<`data-${string}`, string>> {
  if (media === null || !media.processed) return {};
  if (isVideo(media)) return { 'data-motion': 'video', 'data-play': media.urls.xs };
  return media.animated ? { 'data-motion': 'image' } : {};
}

/** Seconds as 1:05 or 1:00:05. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
