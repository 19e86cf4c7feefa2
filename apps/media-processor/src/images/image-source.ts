import { readFile } from 'node:fs/promises';
import { orient, type Orientation } from '@vitrine/formats';
import type { Metadata, Sharp } from 'sharp';
import { failureReason, refuseOnFailure, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import type { VariantExtension } from '../pixels/encoders';
import { openAnimation, openFrame, openStill, type ImageInput } from '../pixels/open-image';
import { MAX_ANIMATION_PIXELS, MAX_PIXELS } from '../pixels/pixel-limits';
import { deepen, fromPixels, toPixels, type Pixels } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';
import { joinAnimatedWebp } from './animated-webp';
import { withAvifBrand } from './avif-brand';
import { decodeBmp } from './bmp';
import { readPngColour } from './colour/png-colour';
import { readCodedColour, type SourceColour } from './colour/source-colour';
import { toSrgb } from './colour/to-srgb';
import { compactProfile, profileOfColour } from './colour/wide-gamut';
import { coloursOfSequence, convertAvifSequence } from './convert';
import { type Drawing, openDrawing } from './drawing';
import { readFloatGrey } from './float-grey';
import { decodeHeic, readPicture } from './heic';
import { conversionFrom } from './from-profile';
import { isSrgbProfile } from './colour/icc-profile';
import { decodeJxl } from './jxl';
import { playApng, readApng, type Apng } from './png/apng';
import { openPlainInks } from './inks';
import { greyOf, recodeAvif } from './recoded-avif';

/** An uploaded picture in a form that libvips reads. */
export interface ImageSource extends Dimensions {
  readonly input: ImageInput;
  /** The colour space of a still, if the file declares it without an ICC profile; null for sRGB. */
  readonly colour: SourceColour | null;
  /** The ICC profile of a still in RGB, unless it defines sRGB. */
  readonly profile: Buffer | null;
  /** A profile, free of anything personal, for a still whose values may be outside of sRGB; else null. */
  readonly wideGamut: Buffer | null;
  /** Whether its values are red, green and blue (not grey, not CMYK). */
  readonly isRgb: boolean;
  /** The text of an SVG, which is drawn at the requested size instead of decoded; else null. */
  readonly drawing: Drawing | null;
  /** The timing of an animation; null for stills. */
  readonly timing: { readonly delay: number[]; readonly loop: number } | null;
  /** Whether the original can serve as a variant: it has their format, and is upright and in sRGB. */
  readonly originalServes: boolean;
  /** The format of the variants of a still. */
  readonly extension: (translucent: boolean) => VariantExtension;
}

/**
 * Formats whose originals may serve as a variant: browsers show them, and upload-service accepts, or writes again, only
 * what all decoders read in the same way.
 */
const SERVED_AS_THEY_ARE: readonly string[] = ['jpeg', 'png', 'webp', 'avif'];

/** The name that libvips gives to the content of each format that it reads itself. */
const LIBVIPS_NAME: Readonly<Record<string, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
  tiff: 'tiff',
};

/**
 * Formats whose variants keep the original's extension. Stills of GIF become PNG; for all others it depends.
 */
const KEPT: Readonly<Record<string, VariantExtension>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'png',
};

/**
 * Light that is shown as white in HDR animations, as a multiple of a page's white. It is fixed, so that all frames
 * get the same curve.
 */
const ANIMATION_PEAK = 1000 / 203;

/**
 * Makes a job's file readable for libvips, and reads its header. Throws `UnprocessableFileError` if that isn't
 * possible.
 */
export async function openSource(job: MediaJob): Promise<ImageSource> {
  const { format } = job.media;
  if (format === 'svg') return drawn(await openDrawing(job.source));
  // Without ffmpeg, the source is the still that a sequence holds for programs that can't play it.
  if (format === 'avif' && job.media.frames > 1 && job.tools.ffmpeg)
    return animated(await openSequence(job), false);
  const readable = await makeReadable(job);
  if ('animation' in readable) return animated(readable.animation, false);
  const { input, colour, isAltered } = readable;
  const isOurs = Buffer.isBuffer(input);
  const metadata = await readHeader(input, isOurs ? undefined : LIBVIPS_NAME[format]);
  if ((metadata.pages ?? 1) > 1 && (format === 'gif' || format === 'webp')) {
    return animated(input, format === 'webp' && !needsConversion(metadata));
  }
  const { width, height } = metadata.autoOrient;
  assertPixels(width * height, MAX_PIXELS);
  const profile = colour === null ? rgbProfile(metadata) : null;
  return {
    input,
    colour,
    profile,
    wideGamut: wideGamutOf(colour, profile),
    isRgb: isRgb(metadata),
    drawing: null,
    width,
    height,
    timing: null,
    originalServes:
      SERVED_AS_THEY_ARE.includes(format) && !needsConversion(metadata) && colour === null && !isAltered,
    extension: (translucent) => KEPT[format] ?? (translucent ? 'png' : 'jpg'),
  };
}

/** A still that libvips reads. */
interface ReadableStill extends Pick<ImageSource, 'input' | 'colour'> {
  /**
   * Whether the file rotates or mirrors its picture by other means than an Exif tag, or has a profile of grey or inks without
   * a profile, which not all programs show alike.
   */
  readonly isAltered: boolean;
}

async function makeReadable(job: MediaJob): Promise<ReadableStill | { readonly animation: ImageInput }> {
  const plain = { input: job.source, colour: null, isAltered: false };
  switch (job.media.format) {
    case 'png': {
      const file = await readFile(job.source);
      const [colour, apng] = await refuseOnFailure(() =>
        Promise.resolve([readPngColour(file), readApng(file)] as const),
      );
      if (!apng) return { ...plain, colour };
      const metadata = await readHeader(job.source, LIBVIPS_NAME['png']);
      const profile = colour === null ? rgbProfile(metadata) : null;
      return { animation: await flattenApng(apng, isRgb(metadata), frameConversion(colour, profile)) };
    }
    case 'avif': {
      const file = await readFile(job.source);
      const picture = await readPicture(file);
      if (!picture && job.media.frames > 1)
        throw new UnprocessableFileError(failureReason.unsupported, 'No ffmpeg is installed');
      const colour = picture?.profile ? null : readCodedColour(picture?.codedColour);
      const branded = withAvifBrand(job.source, file);
      const { profile, transforms = [] } = picture ?? {};
      const grey = picture ? greyOf(picture) : null;
      const hasGreyProfile = picture?.isGrey === true && profile !== undefined;
      const deep = colour !== null;
      const input = grey ? await refuseOnFailure(() => recodeAvif(branded, { grey, deep })) : branded;
      return { ...plain, input, colour, isAltered: transforms.length > 0 || hasGreyProfile };
    }
    case 'heic': {
      const { tiff, colour } = await decodeHeic(job);
      return { ...plain, input: tiff, colour };
    }
    case 'jxl':
      return { ...plain, ...(await decodeJxl(job)) };
    case 'tiff': {
      const grey = await refuseOnFailure(() => readFloatGrey(job.source));
      return grey ? { ...plain, input: grey } : plain;
    }
    case 'jpeg': {
      const inks = await refuseOnFailure(() => openPlainInks(job.source));
      return inks ? { ...plain, input: inks, isAltered: true } : plain;
    }
    case 'bmp': {
      const file = await readFile(job.source);
      return { ...plain, input: await refuseOnFailure(() => decodeBmp(file)) };
    }
    default:
      return plain;
  }
}

function drawn(drawing: Drawing): ImageSource {
  const { width, height } = drawing;
  assertPixels(width * height, MAX_PIXELS);
  const still = { colour: null, profile: null, wideGamut: null, isRgb: true, timing: null };
  return { ...still, input: '', drawing, width, height, originalServes: false, extension: () => 'png' };
}

async function animated(input: ImageInput, originalServes: boolean): Promise<ImageSource> {
  const metadata = await refuseOnFailure(() => openAnimation(input).metadata());
  const { width, pageHeight: height = metadata.height, pages = 1, delay = [], loop = 0 } = metadata;
  assertPixels(width * height, MAX_PIXELS);
  assertPixels(width * height * pages, MAX_ANIMATION_PIXELS);
  const delays = Array.from({ length: pages }, (_, page) => Math.max(0, delay[page] ?? 100));
  return {
    input,
    colour: null,
    profile: null,
    wideGamut: null,
    isRgb: true,
    drawing: null,
    width,
    height,
    timing: pages > 1 ? { delay: delays, loop } : null,
    originalServes,
    extension: () => 'webp',
  };
}

/** An AVIF sequence in sRGB. ffmpeg returns the values of its pictures, whatever colours they mean. */
async function openSequence(job: MediaJob): Promise<ImageInput> {
  const { codedColour, profile } = await coloursOfSequence(job.source);
  const colour = profile ? null : readCodedColour(codedColour);
  const input = await convertAvifSequence(job);
  if (!colour && (!profile || isSrgbProfile(Buffer.from(profile)))) return input;
  const metadata = await refuseOnFailure(() => openAnimation(input).metadata());
  const { width, pageHeight: height = metadata.height, pages = 1, delay = [] } = metadata;
  assertPixels(width * height, MAX_PIXELS);
  assertPixels(width * height * pages, MAX_ANIMATION_PIXELS);
  const convert = frameConversion(colour, profile);
  return refuseOnFailure(async () => {
    const frames: { webp: Buffer; delay: number }[] = [];
    for (let page = 0; page < pages; page++) {
      const coded = await toPixels(openFrame(input, page).ensureAlpha());
      const webp = await losslessFrame(fromPixels(await convert(coded)));
      frames.push({ webp, delay: delay[page] ?? 100 });
    }
    return joinAnimatedWebp({ width, height }, 0, frames);
  });
}

/** Converts frames of RGBA to sRGB. An animation in sRGB has neither colours nor a profile. */
function frameConversion(
  colour: SourceColour | null,
  profile: Uint8Array | null | undefined,
): (coded: Pixels) => Promise<Pixels> {
  if (colour) return async (coded) => toSrgb(deepen({ ...coded, channels: 4 }), colour, ANIMATION_PEAK);
  return profile ? conversionFrom(Buffer.from(profile)) : async (coded) => coded;
}

/** Turns a picture as Exif says. sharp mirrors before it rotates, and each only once. */
function turned(picture: Sharp, orientation: Orientation): Sharp {
  const mirrored =
    orientation === 2 ? picture.flop() : [4, 5, 7].includes(orientation) ? picture.flip() : picture;
  const angle = orientation === 3 ? 180 : [5, 6].includes(orientation) ? 90 : orientation >= 7 ? 270 : 0;
  return angle === 0 ? mirrored : mirrored.rotate(angle);
}

const losslessFrame = (pixels: Sharp): Promise<Buffer> =>
  pixels.webp({ lossless: true, effort: 0, exact: true }).toBuffer();

/** Converts an APNG to a lossless animated WebP, frame by frame, so that its frames are never all in memory. */
async function flattenApng(
  apng: Apng,
  ignoreIcc: boolean,
  convert: (coded: Pixels) => Promise<Pixels>,
): Promise<Buffer> {
  assertPixels(apng.width * apng.height, MAX_PIXELS);
  assertPixels(apng.width * apng.height * apng.frames.length, MAX_ANIMATION_PIXELS);
  const frames: { webp: Buffer; delay: number }[] = [];
  return refuseOnFailure(async () => {
    for await (const { canvas, delay } of playApng(apng, { ignoreIcc })) {
      const coded = { data: canvas, width: apng.width, height: apng.height, channels: 4 } as const;
      const upright = turned(fromPixels(await convert(coded)), apng.orientation);
      frames.push({ webp: await losslessFrame(upright), delay });
    }
    return joinAnimatedWebp(orient(apng.width, apng.height, apng.orientation), apng.loop, frames);
  });
}

async function readHeader(input: ImageInput, expected: string | undefined): Promise<Metadata> {
  const metadata = await refuseOnFailure(() => openStill(input).metadata());
  if (expected !== undefined && metadata.format !== expected) {
    throw new UnprocessableFileError(failureReason.image, `Content is ${metadata.format}, not ${expected}`);
  }
  return metadata;
}

/** Whether the picture must be rotated or its colours converted before it looks right. */
function needsConversion({ orientation = 1, space, icc }: Metadata): boolean {
  return orientation !== 1 || space === 'cmyk' || (icc !== undefined && !isSrgbProfile(icc));
}

const isRgb = ({ space }: Metadata): boolean => space === 'srgb' || space === 'rgb16';

const rgbProfile = (metadata: Metadata): Buffer | null =>
  metadata.icc !== undefined && isRgb(metadata) && !isSrgbProfile(metadata.icc) ? metadata.icc : null;

function wideGamutOf(colour: SourceColour | null, profile: Buffer | null): Buffer | null {
  if (colour) return profileOfColour(colour);
  return profile ? compactProfile(profile) : null;
}

function assertPixels(pixels: number, limit: number): void {
  if (pixels > limit) throw new UnprocessableFileError(failureReason.pixels, `${pixels} pixels`);
}
