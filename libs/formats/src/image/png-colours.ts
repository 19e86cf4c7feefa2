import { deflateSync, inflateSync } from 'node:zlib';
import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { readExactly } from '../bytes/read';
import { ascii, asciiBytes } from '../bytes/text';
import type { WindowReader } from '../bytes/window-reader';
import { isKnownPrimaries, isKnownTransfer } from '../metadata/code-points';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import type { ProfileSpace } from '../metadata/plain-profile';
import { CHUNK_OVERHEAD, dataOf, nextChunk, readChunk, writeChunk, type Chunk } from './png-chunks';

/** Chunks that say which colours the values of the pixels mean, and the number of bytes of each but the profile. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['cICP', 4],
  ['sRGB', 1],
  ['gAMA', 4],
  ['cHRM', 32],
  ['mDCV', 24],
  ['mDCv', 24],
  ['cLLI', 8],
  ['cLLi', 8],
]);
const PROFILE = 'iCCP';
/** Describe the screen that an HDR picture was made on. */
const HDR_CHUNKS = ['mDCV', 'mDCv', 'cLLI', 'cLLi'];

/** Profile names that only name the colour space, or that common programs write. All others become `ICC`. */
const PROFILE_NAMES =
  /^(?:icc|(?:photoshop )?icc profile|s?rgb[ \w().-]{0,24}|display p3|dci-p3[ \w-]{0,8}|adobe rgb[ ()\d]{0,8}|kcgcolorspace\w{1,32}|color lcd)$/i;

/**
 * The gamma of sRGB is 45,455, that of linear light 100,000. One beyond the limits makes the picture nearly black or
 * white, except in programs that ignore it.
 */
const GAMMA = { min: 25_000, max: 200_000, srgb: 45_455, tolerance: 1000 };
/** Transfer characteristics (ITU-T H.273, table 3). */
const CAMERA_CURVES: readonly number[] = [1, 6, 14, 15];
const SRGB_CURVE = 13;
/** White, red, green, blue: x and y, times 100,000. */
const SRGB_POINTS = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000];
const POINT_TOLERANCE = 150;
/** The triangle of sRGB has an area of 0.11. */
const MIN_AREA = 0.05;

/** Whether a chunk belongs to those that `readColourChunks` judges. */
export const isColourChunk = (type: string): boolean => type === PROFILE || LENGTHS.has(type);

/**
 * The chunks that define the colours of a PNG, as they are to be written, by their position in the file. All other
 * chunks of these types must be removed, so that all decoders read the same colours: invalid and repeated ones, those
 * after `PLTE` or `IDAT`, and those that a chunk with a higher rank overrides (W3C PNG, third edition, 4.3), unless
 * they mean sRGB.
 */
export async function readColourChunks(
  source: ByteSource,
  reader: WindowReader,
  isGrey: boolean,
  maxChunks: number,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<string, { readonly start: number; readonly data: Uint8Array }>();
  let hasBadPoints = false;
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const chunk = await nextChunk(reader);
    const { type, start, end } = chunk;
    if (type === 'PLTE' || type === 'IDAT' || type === 'IEND') break;
    if (!isColourChunk(type) || found.has(type)) continue;
    const data = await readValid(source, reader, chunk, isGrey);
    reader.position = end;
    if (data) found.set(type, { start, data });
    else hasBadPoints ||= type === 'cHRM';
  }
  // Browsers ignore a gamma beside invalid primaries.
  if (hasBadPoints) found.delete('gAMA');
  keepHighest(found);
  return new Map([...found].map(([type, { start, data }]) => [start, writeChunk(type, data)]));
}

/** Removes all chunks that the one with the highest rank overrides, and those that mean nothing without another. */
function keepHighest(found: Map<string, { readonly data: Uint8Array }>): void {
  const highest = ['cICP', PROFILE, 'sRGB', 'gAMA'].find((type) => found.has(type));
  if (highest !== 'cICP') for (const type of HDR_CHUNKS) found.delete(type);
  else found.delete(PROFILE);
  // Decoders disagree on which of these two counts.
  if (highest === PROFILE) found.delete('sRGB');
  if (highest === 'gAMA') return;
  const [gamma, points] = [found.get('gAMA')?.data, found.get('cHRM')?.data];
  if (gamma && Math.abs(new Cursor(gamma).u32() - GAMMA.srgb) > GAMMA.tolerance) found.delete('gAMA');
  if (points && (!highest || !isNear(pointsOf(points), SRGB_POINTS))) found.delete('cHRM');
}

/** The data of a chunk, clean if it is a profile; undefined if it is not valid. */
async function readValid(
  source: ByteSource,
  reader: WindowReader,
  chunk: Chunk,
  isGrey: boolean,
): Promise<Uint8Array | undefined> {
  const length = chunk.end - chunk.start - CHUNK_OVERHEAD;
  if (chunk.type === PROFILE) {
    if (length > MAX_PROFILE_BYTES) return undefined;
    const whole = await readExactly(source, chunk.start, chunk.end - chunk.start);
    return dataOf(whole) && cleanProfileData(whole.subarray(8, -4), isGrey ? 'GRAY' : 'RGB ');
  }
  const data = length === LENGTHS.get(chunk.type) ? await readChunk(reader, chunk) : undefined;
  if (!data || !isValid(chunk.type, data)) return undefined;
  return chunk.type === 'cICP' ? withKnownCurve(data) : data;
}

/** Code points with the curve of sRGB instead of one of a camera: some programs show these as sRGB, and some don't. */
const withKnownCurve = ([primaries = 0, transfer = 0, ...rest]: Uint8Array): Uint8Array =>
  Uint8Array.of(primaries, CAMERA_CURVES.includes(transfer) ? SRGB_CURVE : transfer, ...rest);

function isValid(type: string, data: Uint8Array): boolean {
  const [first = 0, transfer = 0, matrix, range] = data;
  switch (type) {
    case 'cICP':
      return isKnownPrimaries(first) && isKnownTransfer(transfer) && matrix === 0 && range === 1;
    case 'sRGB':
      return first <= 3;
    case 'gAMA': {
      const gamma = new Cursor(data).u32();
      return gamma >= GAMMA.min && gamma <= GAMMA.max;
    }
    case 'cHRM':
      return arePrimaries(pointsOf(data));
    default:
      return true;
  }
}

type Points = readonly number[];

const pointsOf = (data: Uint8Array): Points => {
  const cursor = new Cursor(data);
  return Array.from({ length: 8 }, () => cursor.u32());
};

const isNear = (points: Points, others: Points): boolean =>
  points.every((value, index) => Math.abs(value - (others[index] ?? 0)) <= POINT_TOLERANCE);

/** Whether red, green and blue are a triangle around white. */
function arePrimaries(points: Points): boolean {
  const [wx = 0, wy = 0, rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0] = points.map((n) => n / 100_000);
  const area = (ax: number, ay: number, cx: number, cy: number, ex: number, ey: number): number =>
    ((cx - ax) * (ey - ay) - (ex - ax) * (cy - ay)) / 2;
  const isPossible = [0, 2, 4, 6].every((at) => {
    const [x = 0, y = 0] = points.slice(at, at + 2);
    return y > 0 && x + y <= 100_000;
  });
  return (
    isPossible &&
    area(rx, ry, gx, gy, bx, by) > MIN_AREA &&
    area(wx, wy, rx, ry, gx, gy) > 0 &&
    area(wx, wy, gx, gy, bx, by) > 0 &&
    area(wx, wy, bx, by, rx, ry) > 0
  );
}

/** The content of a chunk that holds a valid profile, without bytes after it and unusual names. */
function cleanProfileData(data: Uint8Array, space: ProfileSpace): Uint8Array | undefined {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0 || nameEnd > 79 || data[nameEnd + 1] !== 0) return undefined;
  const stream = data.subarray(nameEnd + 2);
  const stored = inflated(stream);
  const profile = stored && cleanProfile(stored.bytes, [space]);
  if (!profile) return undefined;
  const name = ascii(data, 0, nameEnd);
  const compressed = profile === stored.bytes && stored.isAll ? stream : deflateSync(profile);
  return concatBytes([asciiBytes(`${PROFILE_NAMES.test(name) ? name : 'ICC'}\0\0`), compressed]);
}

/**
 * The content of a zlib stream, at most the size limit of a profile, and whether the stream fills its bytes; null if
 * it is no zlib stream.
 */
function inflated(stream: Uint8Array): { readonly bytes: Uint8Array; readonly isAll: boolean } | null {
  try {
    const result: object = inflateSync(stream, { info: true, maxOutputLength: MAX_PROFILE_BYTES });
    if (!isInflation(result)) return null;
    return { bytes: new Uint8Array(result.buffer), isAll: result.engine.bytesWritten === stream.length };
  } catch {
    // If zlib fails for any reason, the chunk holds no profile.
    return null;
  }
}

/** The result of zlib with `info`, which its types don't include. */
function isInflation(
  result: object,
): result is { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } } {
  return 'buffer' in result && 'engine' in result;
}
