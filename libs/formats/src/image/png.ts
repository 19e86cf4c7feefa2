import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u32 } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { ascii, asciiBytes, hasAscii } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import { orient, orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { isSoftwareName } from '../metadata/software-name';
import { RewriteBuilder } from '../rewriting/rewrite-builder';

const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD = 12;
const IHDR_BYTES = 13;
/** Encoders write chunks of some kilobytes. No real picture consists of chunks of 100 bytes. */
const MAX_CHUNKS = 1_000_000;
/** Profile names that only name the colour space, or that common programs write. All others become `ICC`. */
const PROFILE_NAMES =
  /^(?:icc|(?:photoshop )?icc profile|s?rgb[ \w().-]{0,24}|display p3|dci-p3[ \w-]{0,8}|adobe rgb[ ()\d]{0,8}|kcgcolorspace\w{1,32}|color lcd)$/i;
const PROGRAM = 'Software\0';
/** A program's name is shorter. */
const MAX_NOTE = 128;
/** A larger EXIF block is not read for its orientation. */
const MAX_EXIF_BYTES = 1024 * 1024;

/**
 * The chunks that showing the picture needs, with the largest number of bytes that each may hold (W3C PNG, third
 * edition). A longer one is invalid, ignored by decoders, and could hold anything.
 */
const KEPT_CHUNKS: ReadonlyMap<string, number> = new Map([
  ['PLTE', 768],
  ['IDAT', Infinity],
  ['acTL', 8],
  ['fcTL', 26],
  ['fdAT', Infinity],
  ['tRNS', 256],
  ['gAMA', 4],
  ['cHRM', 32],
  ['sRGB', 1],
  ['sBIT', 4],
  ['bKGD', 6],
  ['pHYs', 9],
  ['hIST', 512],
  ['oFFs', 9],
  ['sTER', 1],
  ['vpAg', 9],
  ['caNv', 16],
  ['cICP', 4],
  ['mDCV', 24],
  ['mDCv', 24],
  ['cLLI', 8],
  ['cLLi', 8],
]);

const ANIMATION_CHUNKS: ReadonlySet<string> = new Set(['acTL', 'fcTL', 'fdAT']);

/** Reads and scrubs a PNG or APNG. @throws UnreadableFileError if it is truncated or its header is damaged. */
export async function inspectPng(source: ByteSource): Promise<Inspection> {
  const reader = new WindowReader(source, SIGNATURE_BYTES);
  const header = await readHeader(reader);
  const body = new RewriteBuilder();
  /** The same without animation chunks: for a file whose animation is one frame, other than its still picture. */
  const still = new RewriteBuilder();
  let orientation: Orientation | undefined;
  let profile = false;
  let [animated, frames, hasPixels, ended] = [false, 0, false, false];
  let [plainExif, hasProgram, hasFrameData] = [false, false, false];

  for (let chunks = 0; !ended; chunks++) {
    if (chunks >= MAX_CHUNKS) throw new UnreadableFileError('The PNG has too many chunks.');
    const { type, start, data, end } = await nextChunk(reader);
    if (type === 'IEND') {
      for (const builder of [body, still]) builder.put(writeChunk('IEND', new Uint8Array(0)));
      ended = true;
    } else if (type === 'iCCP') {
      // Only one profile is valid, and only one block of Exif.
      const chunk = profile ? undefined : await cleanProfileChunk(source, data, end - 4);
      if (chunk) for (const builder of [body, still]) builder.put(chunk);
      profile = true;
    } else if (type === 'eXIf') {
      if (orientation !== undefined || end - 4 - data > MAX_EXIF_BYTES) continue;
      const exif = await readExactly(source, data, end - 4 - data);
      orientation = readOrientation(exif);
      // Not every decoder looks for Exif after the pixels.
      plainExif = !hasPixels && isPlainExif(exif);
      if (plainExif) for (const builder of [body, still]) builder.put(writeChunk('eXIf', exif));
    } else if (type === 'tEXt') {
      if (hasProgram || end - 4 - data > MAX_NOTE) continue;
      const text = await readExactly(source, data, end - 4 - data);
      hasProgram = isProgram(text);
      if (hasProgram) for (const builder of [body, still]) builder.put(writeChunk('tEXt', text));
    } else if (end - 4 - data <= (KEPT_CHUNKS.get(type) ?? -1)) {
      if (!ANIMATION_CHUNKS.has(type)) still.keep(start, end);
      body.keep(start, end);
    } else if (isCritical(type)) {
      throw new UnreadableFileError(`The PNG needs a chunk ${type}, which is unknown.`);
    }
    hasPixels ||= type === 'IDAT';
    animated ||= type === 'acTL' && !hasPixels;
    if (type === 'fcTL') frames++;
    hasFrameData ||= type === 'fdAT';
  }
  if (!hasPixels) throw new UnreadableFileError('The PNG has no pixels.');

  const whole = new RewriteBuilder();
  whole.keep(0, SIGNATURE_BYTES + CHUNK_OVERHEAD + IHDR_BYTES);
  orientation ??= 1;
  if (orientation !== 1 && !plainExif) whole.put(writeChunk('eXIf', orientationExif(orientation)));
  const isAnimation = animated && frames > 1;
  // An animation of only the still picture shows no other picture.
  whole.append((isAnimation || (frames <= 1 && !hasFrameData) ? body : still).parts);
  const facts = imageFacts('png', orient(header.width, header.height, orientation), isAnimation ? frames : 1);
  return { facts, rewrite: await whole.finish(source) };
}

interface Chunk {
  readonly type: string;
  /** Positions in the file: the start of the chunk, the start of its data, and the end of its CRC. */
  readonly start: number;
  readonly data: number;
  readonly end: number;
}

async function nextChunk(reader: WindowReader): Promise<Chunk> {
  const start = reader.position;
  if (!reader.has(8)) await reader.ensure(8);
  const cursor = new Cursor(reader.take(8));
  const length = cursor.u32();
  const type = cursor.ascii(4);
  if (!/^[A-Za-z]{4}$/.test(type)) throw new UnreadableFileError('A chunk of the PNG has no name.');
  const end = start + CHUNK_OVERHEAD + length;
  if (end > reader.position + reader.remaining) throw new UnreadableFileError('The PNG ends too early.');
  reader.position = end;
  return { type, start, data: start + 8, end };
}

async function readHeader(reader: WindowReader): Promise<{ width: number; height: number }> {
  await reader.ensure(CHUNK_OVERHEAD + IHDR_BYTES);
  const bytes = reader.take(CHUNK_OVERHEAD + IHDR_BYTES);
  const cursor = new Cursor(bytes);
  if (cursor.u32() !== IHDR_BYTES || cursor.ascii(4) !== 'IHDR')
    throw new UnreadableFileError('The PNG has no header.');
  const size = { width: cursor.u32(), height: cursor.u32() };
  cursor.position = bytes.length - 4;
  if (crc32(bytes.subarray(4, -4)) !== cursor.u32())
    throw new UnreadableFileError('The header of the PNG is damaged.');
  return size;
}

/**
 * The chunk of a valid profile; its data lies at `[from, to)`. Removes bytes after the profile, and replaces an
 * unusual name.
 */
async function cleanProfileChunk(
  source: ByteSource,
  from: number,
  to: number,
): Promise<Uint8Array | undefined> {
  if (to - from > MAX_PROFILE_BYTES) return undefined;
  const data = await readExactly(source, from, to - from);
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0 || nameEnd > 79 || data[nameEnd + 1] !== 0) return undefined;
  const stream = data.subarray(nameEnd + 2);
  const stored = inflated(stream);
  const profile = stored && cleanProfile(stored.bytes);
  if (!profile) return undefined;
  const name = ascii(data, 0, nameEnd);
  const compressed = profile === stored.bytes && stored.isAll ? stream : deflateSync(profile);
  const header = asciiBytes(`${PROFILE_NAMES.test(name) ? name : 'ICC'}\0\0`);
  return writeChunk('iCCP', concatBytes([header, compressed]));
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

/** Whether a text chunk names the program that wrote the file, as a keyword and a text. */
function isProgram(text: Uint8Array): boolean {
  return (
    hasAscii(text, 0, PROGRAM) && isSoftwareName(ascii(text, PROGRAM.length, text.length - PROGRAM.length))
  );
}

/** Critical chunks start with an upper-case letter. */
function isCritical(type: string): boolean {
  return type < 'a';
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const content = concatBytes([asciiBytes(type), data]);
  return concatBytes([u32(data.length), content, u32(crc32(content))]);
}
