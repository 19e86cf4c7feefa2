import type { StoredVariant, VariantName } from '@vitrine/contracts';

export interface VariantSource {
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly ext: string;
  /** The number of pictures in an image file. */
  readonly frames: number;
  /** Empty until processed. */
  readonly variants: readonly StoredVariant[];
}

/** Formats that browsers show. Variants of such images keep the format. */
const KEPT = new Set(['jpeg', 'png', 'webp', 'avif']);

/**
 * Formats whose variants are animated if the file is. JPEG and HEIC files with several pictures have still variants.
 */
const ANIMATED = new Set(['gif', 'png', 'webp', 'avif']);

/** Whether a media item is an image whose variants are animated. */
export const isAnimation = ({ kind, format, frames }: Omit<VariantSource, 'ext' | 'variants'>): boolean =>
  kind === 'image' && frames > 1 && ANIMATED.has(format);

/**
 * The extension of a variant: that of the stored file if it is made, else the one expected for its format. An image
 * with alpha in a format that browsers don't show may become `png` instead; the file host serves it under either
 * name.
 */
export function variantExtension(media: VariantSource, name: VariantName): string {
  const made = media.variants.find((variant) => variant.name === name);
  if (made) return made.ext;
  if (media.kind === 'video') return name === 'thumb' ? 'jpg' : 'mp4';
  if (isAnimation(media)) return 'webp';
  if (KEPT.has(media.format)) return media.ext;
  return media.format === 'gif' || media.format === 'svg' ? 'png' : 'jpg';
}

/** Types that every browser shows. Such an original can be served instead of a variant that isn't made yet. */
const SHOWN_BY_BROWSERS = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/svg+xml',
  'video/mp4',
  'video/webm',
]);

/** Whether the original can be served instead of a variant; a video can't replace its still. */
export const canServeOriginalInstead = (media: { kind: string; mime: string }, name: VariantName): boolean =>
  SHOWN_BY_BROWSERS.has(media.mime) && (media.kind === 'image' || name !== 'thumb');
