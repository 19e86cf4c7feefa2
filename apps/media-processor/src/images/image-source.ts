import { open, readFile } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { failureReason, saysDiskFull, UnprocessableFileError } from '../failures';
import type { MediaJob } from '../worker/protocol';
import { joinAnimatedWebp } from './animated-webp';
import { playApng, readApng, type Apng } from './apng';
import { convertAvifSequence, convertToPng } from './convert';
import type { VariantExtension } from './encoders';
import { decodeHeic } from './heic';
import { isSrgbProfile } from './icc-profile';
import { MAX_ANIMATION_PIXELS, MAX_PIXELS, openAnimation, openStill, type ImageInput } from './open-image';
import { fromPixels } from './pixels';
import type { Dimensions } from './variant-plan';

/** A stranger's picture in a form that libvips reads. */
export interface ImageSource extends Dimensions {
  readonly input: ImageInput;
  /** How it moves; null for stills. */
  readonly timing: { readonly delay: number[]; readonly loop: number } | null;
  /** Whether the original is what its variants are: of their format, upright and in sRGB. */
  readonly originalServes: boolean;
  /** The format of stills' variants. */
  readonly extension: (translucent: boolean) => VariantExtension;
}

/** The name that libvips gives to the content of each format that it reads itself. */
const LIBVIPS_NAME: Readonly<Record<string, string>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
  tiff: 'tiff',
  svg: 'svg',
};

/** Formats whose variants keep the original's extension; stills of GIF and SVG become PNG, all else depends. */
const KEPT: Readonly<Record<string, VariantExtension>> = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  gif: 'png',
  svg: 'png',
};

/** Makes a job's file readable, and reads its header. Throws `UnprocessableFileError` where that can't be. */
export async function openSource(job: MediaJob): Promise<ImageSource> {
  const { format } = job.media;
  if (format === 'png') {
    const apng = readApng(await readFile(job.source));
    if (apng) return animated(await flattenApng(apng), false);
  }
  if (format === 'avif' && job.media.frames > 1) return animated(await convertAvifSequence(job), false);
  const input = await readableInput(job);
  const metadata = await readHeader(input, LIBVIPS_NAME[format]);
  if ((metadata.pages ?? 1) > 1 && (format === 'gif' || format === 'webp')) {
    return animated(input, format === 'webp' && !needsConversion(metadata));
  }
  const { width, height } = metadata.autoOrient;
  assertPixels(width * height, MAX_PIXELS);
  return {
    input,
    width,
    height,
    timing: null,
    originalServes:
      ['jpeg', 'png', 'webp', 'avif'].includes(format) &&
      !needsConversion(metadata) &&
      !(format === 'avif' && (await hasItemTransform(job.source))),
    extension: (translucent) => KEPT[format] ?? (translucent ? 'png' : 'jpg'),
  };
}

async function readableInput(job: MediaJob): Promise<ImageInput> {
  switch (job.media.format) {
    case 'svg':
      return readFile(job.source);
    case 'heic':
      return decodeHeic(job.source);
    case 'bmp':
      return convertToPng(job, 'bmp_pipe');
    case 'jxl':
      return convertToPng(job, 'jpegxl_pipe');
    default:
      return job.source;
  }
}

async function animated(input: ImageInput, originalServes: boolean): Promise<ImageSource> {
  const metadata = await refuse(() => openAnimation(input).metadata());
  const { width, pageHeight: height = metadata.height, pages = 1, delay = [], loop = 0 } = metadata;
  assertPixels(width * height, MAX_PIXELS);
  assertPixels(width * height * pages, MAX_ANIMATION_PIXELS);
  const delays = Array.from({ length: pages }, (_, page) => Math.max(0, delay[page] ?? 100));
  return {
    input,
    width,
    height,
    timing: pages > 1 ? { delay: delays, loop } : null,
    originalServes,
    extension: () => 'webp',
  };
}

/** An APNG as a lossless animated WebP, frame by frame, so that its frames are never in memory all at once. */
async function flattenApng(apng: Apng): Promise<Buffer> {
  assertPixels(apng.width * apng.height, MAX_PIXELS);
  assertPixels(apng.width * apng.height * apng.frames.length, MAX_ANIMATION_PIXELS);
  const frames: { webp: Buffer; delay: number }[] = [];
  return refuse(async () => {
    for await (const { canvas, delay } of playApng(apng)) {
      const pixels = fromPixels({ data: canvas, width: apng.width, height: apng.height, channels: 4 });
      frames.push({ webp: await pixels.webp({ lossless: true, effort: 0, exact: true }).toBuffer(), delay });
    }
    return joinAnimatedWebp(apng, apng.loop, frames);
  });
}

async function readHeader(input: ImageInput, expected: string | undefined): Promise<Metadata> {
  const metadata = await refuse(() => openStill(input).metadata());
  if (expected !== undefined && metadata.format !== expected) {
    throw new UnprocessableFileError(failureReason.image, `Content is ${metadata.format}, not ${expected}`);
  }
  return metadata;
}

/** Whether pixels have to be turned or recoloured before they look right (decisions §4: CMYK, rotation by tag, profiles). */
function needsConversion({ orientation = 1, space, icc }: Metadata): boolean {
  return orientation !== 1 || space === 'cmyk' || (icc !== undefined && !isSrgbProfile(icc));
}

/** Whether an AVIF turns or mirrors its picture by a property (ISO/IEC 23008-12, `irot` and `imir`, 9 bytes each). */
async function hasItemTransform(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return head.includes('\0\0\0\x09irot') || head.includes('\0\0\0\x09imir');
  } finally {
    await file.close();
  }
}

function assertPixels(pixels: number, limit: number): void {
  if (pixels > limit) throw new UnprocessableFileError(failureReason.pixels, `${pixels} pixels`);
}

/** Runs a step that only reads the file: whatever fails in it is the file's fault. */
export async function refuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnprocessableFileError) throw error;
    const { message } = error as Error;
    // A decoder's own temporary file.
    if (saysDiskFull(message)) throw error;
    const starved = /out of memory|memory allocation|cannot allocate|bad_alloc/i.test(message);
    throw new UnprocessableFileError(starved ? failureReason.memory : failureReason.image, message);
  }
}
