import {
  type AlternativeRecord,
  isSized,
  objectKeys,
  type VariantName,
  type StoredVariant,
} from '@vitrine/contracts';
import type { RemainingVariants } from '../rows/media-row.types';
import type { MediaEntity } from '../rows/media.entity';

const DAY_MS = 86_400_000;

/** Formats of stills that libvips decodes in about the time of a JPEG. HEIC, JPEG XL and SVG can take seconds. */
const QUICK_FORMATS = new Set(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff', 'bmp']);
/** Formats in which several pictures are an animation. In others, the variants show the first picture. */
const ANIMATED_FORMATS = new Set(['png', 'webp', 'avif', 'gif']);
/** Megapixels: a phone's largest photographs have 48 or 50. */
const MAX_MEGAPIXELS = 50;

/** The columns of a media item that say whether its variants can be made again while a reader waits. */
export type RemakeSource = Readonly<Pick<MediaEntity, 'kind' | 'format' | 'width' | 'height' | 'frames'>>;

/**
 * Whether variants can be made again within a fraction of a second. Renditions and stills of videos and animations take
 * seconds or minutes, so they are never removed.
 */
export const isQuicklyRemade = ({ kind, format, width, height, frames }: RemakeSource): boolean =>
  kind === 'image' &&
  QUICK_FORMATS.has(format) &&
  (frames === 1 || !ANIMATED_FORMATS.has(format)) &&
  width * height <= MAX_MEGAPIXELS * 1_000_000;

/** A media item whose variants may be due for removal. */
export interface UnusedMedia extends RemakeSource {
  readonly slug: string;
  readonly ext: string;
  readonly variants: readonly StoredVariant[];
  readonly alternatives: readonly AlternativeRecord[];
  /** No stored variant is known to have been requested before this: the latest use of those without an entry in `uses`. */
  readonly usedAt: Date;
  /** The latest day (UTC, `YYYY-MM-DD`) on which each variant was requested, as far as known. */
  readonly uses: Readonly<Partial<Record<VariantName, string>>>;
}

/** The choice for a media item: its records, and the objects to delete. */
export interface Removal extends Omit<RemainingVariants, 'id'> {
  /** Keys of the objects to delete. */
  readonly keys: readonly string[];
}

/**
 * Chooses the variants whose latest use was before `cutoff`. Several variants can be one object, which stays while
 * one of them is used. Their alternatives are removed with them. The original, which can serve as a variant, always
 * stays.
 */
export function chooseRemovals(media: UnusedMedia, cutoff: Date): Removal {
  const { variants, alternatives } = media;
  if (!isQuicklyRemade(media)) return { variants, alternatives, keys: [], usedAt: null };
  const usedAt = new Map<string, number>();
  for (const { name, key, removed } of variants.filter(isSized)) {
    if (removed || key === objectKeys.original(media.slug, media.ext)) continue;
    usedAt.set(key, Math.max(usedAt.get(key) ?? media.usedAt.getTime(), endOfDay(media.uses[name])));
  }
  const isUnused = (time: number): boolean => time < cutoff.getTime();
  const keys = [...usedAt].filter(([, time]) => isUnused(time)).map(([key]) => key);
  const left = [...usedAt.values()].filter((time) => !isUnused(time));
  const isLeft = ({ of }: AlternativeRecord): boolean => !keys.includes(of);
  return {
    variants: markRemoved(variants, keys),
    alternatives: alternatives.filter(isLeft),
    keys: [...keys, ...alternatives.filter((copy) => !isLeft(copy)).map(({ key }) => key)],
    usedAt: left.length > 0 ? new Date(Math.min(...left)) : null,
  };
}

/** The records, of which those with these keys say that nothing is stored. */
export const markRemoved = (
  variants: readonly StoredVariant[],
  keys: readonly string[],
): readonly StoredVariant[] =>
  variants.map((variant) => (keys.includes(variant.key) ? { ...variant, removed: true } : variant));

/** The records; those with this key are changed to say that an object of this number of bytes is stored. */
export const markRemade = (
  variants: readonly StoredVariant[],
  key: string,
  bytes: number,
): readonly StoredVariant[] =>
  variants.map((variant) => {
    if (variant.key !== key || !isSized(variant)) return variant;
    const { removed: _, ...stored } = variant;
    return { ...stored, bytes };
  });

/** A use counts until the end of its day. */
const endOfDay = (day: string | undefined): number => (day === undefined ? 0 : Date.parse(day) + DAY_MS);
