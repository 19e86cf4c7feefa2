import type { Sharp } from 'sharp';
import type { VariantExtension } from '../pixels/encoders';
import { openRgbStill, openStill } from '../pixels/open-image';
import { fromPixels, resizePixels, toDeepPixels, toPixels, type Pixels } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';
import { draw } from './drawing';
import { toSrgb } from './colour/to-srgb';
import type { ImageSource } from './image-source';
import { tableConversionFrom } from './from-profile';
import { withProfile } from './tiff-wrapper';

/** A decoded still. Its values are those of `profile`, or of sRGB if that is null. */
export interface Still {
  readonly pixels: Pixels;
  /** A profile made by us, with nothing personal in it. */
  readonly profile: Buffer | null;
}

/** Whether variants of a format keep colours outside of sRGB. All browsers that show WebP or AVIF convert colours. */
const holdsGamut = (ext: VariantExtension): boolean => ext === 'webp' || ext === 'avif';

/**
 * The picture for variants of a format, resized to exactly these dimensions. The encoded values are resized: libvips needs
 * three times the processor time for linear light.
 */
export async function decodeFor(
  ext: VariantExtension,
  source: ImageSource,
  size: Dimensions,
): Promise<Still> {
  const profile = holdsGamut(ext) ? source.wideGamut : null;
  return { pixels: await (profile ? decodeInGamut : decodeInSrgb)(source, size), profile };
}

/**
 * The picture in sRGB. All its pixels are decoded and converted before they are resized, as in browsers: neither step is
 * linear, so the average of converted pixels can be a picture that the converted average does not show.
 */
async function decodeInSrgb(source: ImageSource, size: Dimensions): Promise<Pixels> {
  const { input, isRgb, colour, profile, drawing } = source;
  if (drawing) return toPixels(await draw(drawing, size));
  const coded = (): Sharp => openStill(input, { ignoreIcc: isRgb });
  if (colour) return resizePixels(toSrgb(await toDeepPixels(coded()), colour), size);
  if (!isRgb) return resizePixels(await toPixels(coded()), size);
  const convert = profile && tableConversionFrom(profile);
  if (convert) return resizePixels(convert(await toPixels(coded())), size);
  return resizeRgb(source, size, { ignoreIcc: profile === null });
}

/** The picture in its own colour space. */
const decodeInGamut = (source: ImageSource, size: Dimensions): Promise<Pixels> =>
  resizeRgb(source, size, { ignoreIcc: true });

/** Decodes and resizes row by row, so that a picture of red, green and blue is never in memory as a whole. */
const resizeRgb = (
  { input }: ImageSource,
  { width, height }: Dimensions,
  options: { readonly ignoreIcc: boolean },
): Promise<Pixels> => toPixels(openRgbStill(input, options).resize(width, height, { fit: 'fill' }));

/** A pipeline that starts with a still; what it encodes as WebP or AVIF has its profile. */
export const withGamut = ({ pixels, profile }: Still): Sharp =>
  profile
    ? openStill(withProfile(pixels, profile), { ignoreIcc: true }).keepIccProfile()
    : fromPixels(pixels);

/** The pixels as a viewer in sRGB sees them. */
export const convertToSrgb = async ({ pixels, profile }: Still): Promise<Pixels> =>
  profile ? toPixels(openStill(withProfile(pixels, profile))) : pixels;
