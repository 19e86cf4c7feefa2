/** Sized variants, smallest first. */
export const VARIANT_SIZES = ['xs', 'sm', 'md', 'lg', 'xl'] as const;
export type VariantSize = (typeof VARIANT_SIZES)[number];

/** The sizes of a media item besides its original. */
export const VARIANT_NAMES = [...VARIANT_SIZES, 'thumb'] as const;
export type VariantName = (typeof VARIANT_NAMES)[number];

/** Longest edge of an image variant, in pixels. */
export const IMAGE_EDGE: Readonly<Record<VariantSize, number>> = {
  xs: 160,
  sm: 320,
  md: 640,
  lg: 1280,
  xl: 1920,
};

/** Shorter edge of a video rendition, in pixels ("lines"). */
export const VIDEO_LINES: Readonly<Record<VariantSize, number>> = {
  xs: 240,
  sm: 360,
  md: 480,
  lg: 720,
  xl: 1080,
};

/** Longest edge of the still that stands for a video, in pixels. */
export const VIDEO_THUMB_EDGE = 640;
