/** Sized variants, smallest first. */
export const VARIANT_SIZES = ['xs', 'sm', 'md', 'lg', 'xl'] as const;
export type VariantSize = (typeof VARIANT_SIZES)[number];

/** The sizes of a media item besides its original. */
export const VARIANT_NAMES = [...VARIANT_SIZES, 'thumb'] as const;
export type VariantName = (typeof VARIANT_NAMES)[number];

/** What only animations have: `still`, the first frame as a picture, and, some of them, `loop`, the animation as MP4. */
export const ANIMATION_NAMES = ['still', 'loop'] as const;
export type AnimationName = (typeof ANIMATION_NAMES)[number];

/** Every `<name>` in the addresses `/f/<slug>_<name>.<ext>` of a media item. */
export const FILE_NAMES = [...VARIANT_NAMES, ...ANIMATION_NAMES] as const;
export type VariantFileName = (typeof FILE_NAMES)[number];

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

/** Extensions of an animation's still: opaque, and translucent. */
export const STILL_EXTENSIONS: readonly string[] = ['jpg', 'webp'];

/** Longest edge of an animation's still, in pixels. */
export const STILL_EDGE = IMAGE_EDGE.md;

/** Longest edge of an animation's loop, in pixels. */
export const LOOP_EDGE = IMAGE_EDGE.lg;

/** Longest edge of the still that stands for a video, in pixels. */
export const VIDEO_THUMB_EDGE = 640;
