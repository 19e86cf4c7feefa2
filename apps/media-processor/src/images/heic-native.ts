import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  writeTilesAsMp4,
  type CodedColour,
  type HeifPicture,
  type HeifPlane,
  type HeifTransform,
} from '@vitrine/formats';
import { failureReason, MachineFaultError, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import type { Dimensions } from '../pixels/variant-plan';
import { HEIC_TILES } from '../tools/decoders';
import { FFMPEG_PREAMBLE, hardenedInput, WITH_CHROMA } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { wrapInTiff } from './tiff-wrapper';

/** Names in ffmpeg's scaler of the matrix coefficients of ITU-T H.273; for 2 the stream decides. */
const MATRICES: Readonly<Record<number, string>> = {
  1: 'bt709',
  2: 'auto',
  5: 'bt601',
  6: 'smpte170m',
  7: 'smpte240m',
  9: 'bt2020',
};
/** Pixels at each edge by which a coded picture may be larger than the size that its file gives. */
const CODING_MARGIN = 64;

/** Without the last two flags, colours are off by one or two in 255, and chroma is not interpolated. */
const SCALER = 'bicubic+accurate_rnd+full_chroma_int';

/** The pixel format to which ffmpeg decodes a HEIC's picture. */
type NativeFormat = 'gray' | 'rgb24' | 'rgb48le';

/** Whether ffmpeg can decode this picture: a coded picture, or a grid of them, in a known colour space. */
export function isNativelyDecodable(picture: HeifPicture): boolean {
  const { colours, alpha, hasAlpha, codedColour } = picture;
  if (!colours) return false;
  if (hasAlpha && (alpha?.width !== colours.width || alpha.height !== colours.height)) return false;
  return codedColour === undefined || MATRICES[codedColour.matrix] !== undefined;
}

/**
 * Decodes the primary picture of a HEIC with ffmpeg, upright, to an uncompressed TIFF that holds `profile`; with 16
 * bits if `deep` is true. The tiles of a grid become the frames of a video, which ffmpeg's tile filter joins. It
 * does not reduce the picture: its scaler averages before values are limited and colours are converted. Throws `UnprocessableFileError`.
 */
export async function decodeHeicNatively(
  job: MediaJob,
  { file, picture }: { readonly file: Uint8Array; readonly picture: HeifPicture },
  { deep, profile }: { readonly deep: boolean; readonly profile: Uint8Array | undefined },
): Promise<Buffer> {
  const { colours, alpha, isPremultiplied, codedColour } = picture;
  if (!colours) throw new UnprocessableFileError(failureReason.unsupported);
  if (colours.width * colours.height > MAX_PIXELS) throw new UnprocessableFileError(failureReason.pixels);
  const size = transformed(colours, picture.transforms);
  const depth = deep ? 16 : 8;
  const decode = (plane: HeifPlane, format: NativeFormat, colour?: CodedColour): Promise<string> =>
    decodePlane(job, {
      tiles: writeTilesAsMp4(file, plane),
      plane,
      format,
      colour,
      transforms: picture.transforms,
      size,
    });

  const opaque = await decode(colours, deep ? 'rgb48le' : 'rgb24', codedColour);
  if (!alpha) {
    const { tiff, pixels } = wrapInTiff({ ...size, channels: 3, depth }, profile);
    await readInto(opaque, pixels);
    return tiff;
  }
  const mask = await decode(alpha, 'gray');
  const { tiff, pixels } = wrapInTiff({ ...size, channels: 4, depth, isPremultiplied }, profile);
  const [rgb, coverage] = [Buffer.alloc((pixels.length / 4) * 3), Buffer.alloc(size.width * size.height)];
  await readInto(opaque, rgb);
  await readInto(mask, coverage);
  interleave(pixels, rgb, coverage, depth / 8);
  return tiff;
}

interface PlaneDecoding {
  /** The plane's tiles as a video, one frame each. */
  readonly tiles: Uint8Array;
  readonly plane: HeifPlane;
  readonly format: NativeFormat;
  readonly colour: CodedColour | undefined;
  readonly transforms: readonly HeifTransform[];
  /** Pixels of the output. */
  readonly size: Dimensions;
}

/** Decodes one plane to a file of raw pixels in the job's folder; returns its path. */
async function decodePlane(job: MediaJob, decoding: PlaneDecoding): Promise<string> {
  const { tiles, plane, format } = decoding;
  const input = join(job.folder, 'tiles.mp4');
  const output = join(job.folder, `decoded.${format}`);
  await writeFile(input, tiles);
  const tilePixels = (plane.tileWidth + CODING_MARGIN) * (plane.tileHeight + CODING_MARGIN);
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, '-xerror', ...threadsWithin(plane), '-f', 'mov'],
      ...hardenedInput(input, HEIC_TILES, tilePixels),
      ...['-vf', filtersOf(decoding).join(','), '-vsync', 'passthrough', '-frames:v', '1'],
      ...['-f', 'rawvideo', `file:${output}`],
    ],
    reason: failureReason.image,
  });
  // In the sandbox, files can't be removed.
  await truncate(input);
  return output;
}

/**
 * A picture in one piece has no second frame for a second thread; its threads share the frame if its encoder allowed
 * that.
 */
const threadsWithin = ({ tiles }: HeifPlane): string[] => (tiles.length > 1 ? [] : ['-thread_type', 'slice']);

function filtersOf({ plane, format, colour, transforms, size }: PlaneDecoding): string[] {
  const { columns, rows, width, height } = plane;
  const range = format === 'gray' || colour?.isFullRange ? 'pc' : colour ? 'tv' : 'auto';
  const matrix = MATRICES[colour?.matrix ?? 2] ?? 'auto';
  return [
    ...(columns * rows > 1 ? [`tile=${columns}x${rows}`] : []),
    `crop=${width}:${height}:0:0:exact=1`,
    ...transforms.flatMap(filterOf),
    ...(format === 'gray' ? [] : [`setparams=range=${range}`, WITH_CHROMA]),
    `scale=${size.width}:${size.height}:in_color_matrix=${matrix}:in_range=${range}:out_range=pc:flags=${SCALER}`,
    `format=${format}`,
  ];
}

function filterOf(transform: HeifTransform): string[] {
  switch (transform.kind) {
    case 'crop':
      return [`crop=${transform.width}:${transform.height}:${transform.left}:${transform.top}:exact=1`];
    case 'turn':
      return Array.from({ length: transform.quarters }, () => 'transpose=cclock');
    case 'mirror':
      return [transform.exchange === 'rows' ? 'vflip' : 'hflip'];
  }
}

/** Pixels of the picture after its transforms. */
function transformed(size: Dimensions, transforms: readonly HeifTransform[]): Dimensions {
  return transforms.reduce<Dimensions>(
    ({ width, height }, transform) =>
      transform.kind === 'crop'
        ? { width: transform.width, height: transform.height }
        : transform.kind === 'turn' && transform.quarters % 2 === 1
          ? { width: height, height: width }
          : { width, height },
    size,
  );
}

/** Fills a buffer from a file of exactly that size, and removes the file. */
async function readInto(path: string, target: Buffer): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size !== target.length) {
      throw new UnprocessableFileError(failureReason.image, `${size} bytes of pixels, not ${target.length}`);
    }
    for (let at = 0; at < target.length;) {
      const { bytesRead } = await file.read(target, at, target.length - at, at);
      if (bytesRead === 0) throw new MachineFaultError(`${path} became shorter`);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  await truncate(path);
}

/** Interleaves red, green, blue (of `bytes` bytes each, little-endian) and an 8-bit alpha. */
function interleave(pixels: Buffer, rgb: Buffer, alpha: Buffer, bytes: number): void {
  for (let from = 0, to = 0, pixel = 0; pixel < alpha.length; pixel++) {
    for (let byte = 0; byte < 3 * bytes; byte++) pixels[to++] = rgb[from++] ?? 0;
    for (let byte = 0; byte < bytes; byte++) pixels[to++] = alpha[pixel] ?? 0;
  }
}
