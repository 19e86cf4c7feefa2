/** Sized variants, smallest first. */
export const VARIANT_SIZES = ['xs', 'sm', 'md', 'lg', 'xl'] as const;
export type VariantSize = (typeof VARIANT_SIZES)[number];

/** The sizes of a media item besides its original. */
export const VARIANT_NAMES = [...VARIANT_SIZES, 'thumb'] as const;
export type VariantName = (typeof VARIANT_NAMES)[number];

/**
 * What only some media have. Animations: `still`, the first frame as a picture, and, some of them, `loop`, the animation as
 * MP4. Other pictures that are larger than it: `ml`, a step between `md` and `lg`, for phones.
 */
export const EXTRA_NAMES = ['still', 'loop', 'ml'] as const;
export type ExtraName = (typeof EXTRA_NAMES)[number];

/** Every `<name>` in the addresses `/f/<slug>_<name>.<ext>` of a media item. */
export const FILE_NAMES = [...VARIANT_NAMES, ...EXTRA_NAMES] as const;
export type VariantFileName = (typeof FILE_NAMES)[number];

/** Sizes of pictures, smallest first. */
export const IMAGE_SIZES = ['xs', 'sm', 'md', 'ml', 'lg', 'xl'] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** Edge of an image variant, in pixels: `limitedEdge` says which. */
export const IMAGE_EDGE: Readonly<Record<ImageSize, number>> = {
  xs: 160,
  sm: 320,
  md: 640,
  ml: 960,
  lg: 1280,
  xl: 1920,
};

/** Longest edge of any image variant, in pixels: WebP can't be larger. */
export const MAX_VARIANT_EDGE = 16_383;

interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The pixels of an image that `IMAGE_EDGE` limits: its longest edge, or twice its shortest edge beyond 2 : 1. */
export const limitedEdge = ({ width, height }: Dimensions): number =>
  Math.min(Math.max(width, height), 2 * Math.min(width, height));

/**
 * Dimensions of an image's variant. A long screenshot stays readable, since its longest edge is not limited by
 * `IMAGE_EDGE`. Never enlarged, never below one pixel.
 */
export function imageVariantSize(image: Dimensions, size: ImageSize): { width: number; height: number } {
  const { width, height } = image;
  const scale = Math.min(
    1,
    IMAGE_EDGE[size] / limitedEdge(image),
    MAX_VARIANT_EDGE / Math.max(width, height),
  );
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

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
