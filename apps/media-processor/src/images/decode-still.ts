import type { Sharp } from 'sharp';
import type { VariantExtension } from '../pixels/encoders';
import { AS_DRAWING, openStill } from '../pixels/open-image';
import { fromPixels, toDeepPixels, toPixels, type Pixels } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';
import { toSrgb } from './colour/to-srgb';
import type { ImageSource } from './image-source';
import { withProfile } from './tiff-wrapper';

/** A decoded still. Its values are those of `profile`, or of sRGB if that is null. */
export interface Still {
  readonly pixels: Pixels;
  /** A profile made by us, with nothing personal in it. */
  readonly profile: Buffer | null;
}

/** Whether variants of a format keep colours outside of sRGB. All browsers that show WebP or AVIF convert colours. */
const holdsGamut = (ext: VariantExtension): boolean => ext === 'webp' || ext === 'avif';

interface DecodeOptions {
  /**
   * Without it, the decoder of JPEG leaves at least twice the wanted pixels for resizing, which is better for small
   * pictures.
   */
  readonly fastShrinkOnLoad?: boolean;
}

/** The picture for variants of a format, resized to exactly these dimensions. */
export const decodeFor = (
  ext: VariantExtension,
  source: ImageSource,
  size: Dimensions,
  options: DecodeOptions = {},
): Promise<Still> =>
  holdsGamut(ext) && source.wideGamut
    ? decodeInGamut(source, source.wideGamut, size, options)
    : decodeInSrgb(source, size, options);

/**
 * The picture in sRGB. Colours are converted after resizing, because converting all 12 megapixels of a phone's picture
 * takes five times as long. They are converted at 8 bits, because sharp converts 16 bits with any profile to Display P3.
 */
async function decodeInSrgb(source: ImageSource, size: Dimensions, options: DecodeOptions): Promise<Still> {
  const { colour, profile } = source;
  const still = openResized(source, size, options);
  if (colour) return { pixels: toSrgb(await toDeepPixels(still), colour), profile: null };
  const coded = await toPixels(still);
  return { pixels: profile ? await toPixels(openStill(withProfile(coded, profile))) : coded, profile: null };
}

/** The picture in its own colour space. */
const decodeInGamut = async (
  source: ImageSource,
  profile: Buffer,
  size: Dimensions,
  options: DecodeOptions,
): Promise<Still> => ({ pixels: await toPixels(openResized(source, size, options)), profile });

function openResized(
  source: ImageSource,
  { width, height }: Dimensions,
  { fastShrinkOnLoad = true }: DecodeOptions,
): Sharp {
  const options = { ignoreIcc: source.isRgb, ...(source.isDrawing ? AS_DRAWING : {}) };
  return openStill(source.input, options).resize(width, height, { fit: 'fill', fastShrinkOnLoad });
}

/** A pipeline that starts with a still; what it encodes as WebP or AVIF has its profile. */
export const withGamut = ({ pixels, profile }: Still): Sharp =>
  profile
    ? openStill(withProfile(pixels, profile), { ignoreIcc: true }).keepIccProfile()
    : fromPixels(pixels);

/** The pixels as a viewer in sRGB sees them. */
export const convertToSrgb = async ({ pixels, profile }: Still): Promise<Pixels> =>
  profile ? toPixels(openStill(withProfile(pixels, profile))) : pixels;
