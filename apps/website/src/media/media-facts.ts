import type { Media } from '@vitrine/client';
import { isVideo } from '../components/picture';

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a number of bytes: `812 B`, `1.2 MB`. */
function inBytes(bytes: number): string {
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
