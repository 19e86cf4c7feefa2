import type { Media } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon';
import { isVideo } from './picture';
import { VISIBILITIES } from './visibilities';

/** Grid rows for the height of a square (styles/grid/columns.css). */
const ROWS = 20;
const MIN_ROWS = 9;
const MAX_ROWS = 36;
/** Rows of a tile without a picture. */
const EMPTY_ROWS = 14;

/** Pictures of a grid that are visible without scrolling on most screens. */
export const EAGER_TILES = 4;

/**
 * The `sizes` of a tile: the columns of styles/grid/columns.css. On phones it is a tenth less than the column, so that two pixels
 * for each CSS pixel are the size `sm`, which has a third of the bytes of `md`.
 */
export const TILE_SIZES =
  '(min-width: 105rem) 17vw, (min-width: 86rem) 20vw, (min-width: 69rem) 25vw, (min-width: 35rem) 33vw, 41vw';

/** The class with the number of rows of a tile: the height of its picture, within limits. */
export function rowsClass(media: Pick<Media, 'width' | 'height'> | null): string {
  const rows = media === null || media.width === 0 ? EMPTY_ROWS : (ROWS * media.height) / media.width;
  return `r${Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.round(rows)))}`;
}

interface BadgeProps {
  readonly icon?: IconName;
  readonly kind?: 'nsfw' | 'status' | 'video';
  readonly children: ComponentChildren;
}

/** A label on a picture. */
export function Badge({ icon, kind, children }: BadgeProps): JSX.Element {
  return (
    <span class={kind === undefined ? 'badge' : `badge badge-${kind}`}>
      {icon !== undefined && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}

/** Whether the media item is unlisted and in no public post. Only the owner gets this information. */
export const isUnlisted = ({ unlisted, listed }: Media): boolean => unlisted === true && listed === false;

/** Badges for the kind of the media item (if the picture doesn't show it) and for its processing state. */
export function MediaBadges({ media }: { readonly media: Media }): JSX.Element {
  return (
    <>
      {isVideo(media) && (
        <Badge kind="video" icon="play">
          <span class="visually-hidden">Video </span>
          {media.duration === null ? 'Video' : clockTime(media.duration)}
        </Badge>
      )}
      {isUnlisted(media) && (
        <Badge kind="status" icon={VISIBILITIES.hidden.icon}>
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

/** A badge for the moderation status, unless the media item is approved. */
export function ModerationBadge({
  status,
}: {
  readonly status: Media['moderation_status'];
}): JSX.Element | null {
  if (status === 'approved') return null;
  if (status === 'nsfw') return <Badge kind="nsfw">NSFW</Badge>;
  return <Badge kind="status">{status === 'pending' ? 'Pending' : 'Rejected'}</Badge>;
}

/**
 * Attributes for a tile that a script can play: `data-play` is the address of the file, `data-motion` its kind. Without
 * `data-play`, the tile shows the animation itself.
 */
export function motionOf(media: Media | null): Readonly<Record<`data-${string}`, string>> {
  if (media === null || !media.processed) return {};
  if (isVideo(media)) return { 'data-motion': 'video', 'data-play': media.urls.xs };
  if (!media.animated) return {};
  const { still, md } = media.urls;
  return { 'data-motion': 'image', ...(still !== undefined && { 'data-play': md }) };
}

/** Formats seconds as 1:05 or 1:00:05. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
