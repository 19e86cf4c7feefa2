import type { Media } from '@vitrine/client';
import { isVideo } from '../components/picture';
import { imageVariantSize, VIDEO_LINES, VIDEO_THUMB_EDGE, type VariantSize } from '@vitrine/contracts';

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a number of bytes: `812 B`, `1.2 MB`. */
export function inBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  return `${(amount < 10 ? tenths : whole).format(amount)} ${UNITS[power]}`;
}

/** The word for the kind of a media item. */
export const kindOf = (media: Media): 'Video' | 'Animation' | 'Picture' =>
  isVideo(media) ? 'Video' : media.animated ? 'Animation' : 'Picture';

/** `PNG · 1,600 × 1,000 · 1.2 MB` */
export const factsOf = (media: Media): string =>
  [
    media.ext.toUpperCase(),
    `${whole.format(media.width)} × ${whole.format(media.height)}`,
    inBytes(media.size),
  ].join(' · ');

export interface ShownSize {
  readonly width: number;
  readonly height: number;
}

/** Size in pixels of a picture's variant. */
export const imageSize = (media: Media, size: VariantSize): ShownSize => imageVariantSize(media, size);

/** Size in pixels of a video's rendition. */
export const videoSize = (media: Media, size: VariantSize): ShownSize =>
  scaled(media, VIDEO_LINES[size] / Math.min(media.width, media.height));

/** Size in pixels of a video's still. */
export const stillSize = (media: Media): ShownSize =>
  scaled(media, VIDEO_THUMB_EDGE / Math.max(media.width, media.height));

/** The largest size with the same aspect ratio that fits into a box; undefined sides don't limit it. */
export const fitInto = (media: ShownSize, width = Infinity, height = Infinity): ShownSize =>
  scaled(media, Math.min(width / media.width, height / media.height));

/** Never enlarged. */
function scaled({ width, height }: ShownSize, factor: number): ShownSize {
  const by = Math.min(1, factor);
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) };
}
