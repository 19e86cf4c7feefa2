import { crc32 } from 'node:zlib';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { readExactly } from '../bytes/read';
import { ascii, hasAscii } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { orient, orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { isSoftwareName } from '../metadata/software-name';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { CHUNK_OVERHEAD, nextChunk, readChunk, SIGNATURE_BYTES, writeChunk } from './png-chunks';
import { isColourChunk, readColourChunks } from './png-colours';

const IHDR_BYTES = 13;
const HEADER_END = SIGNATURE_BYTES + CHUNK_OVERHEAD + IHDR_BYTES;
/** Colour types of grey, without and with alpha. */
const GREY_TYPES: readonly number[] = [0, 4];
/** Encoders write chunks of some kilobytes. No real picture consists of chunks of 100 bytes. */
const MAX_CHUNKS = 1_000_000;
const PROGRAM = 'Software\0';
/** A program's name is shorter. */
const MAX_NOTE = 128;
/** A larger EXIF block is not read for its orientation. */
const MAX_EXIF_BYTES = 1024 * 1024;

/**
 * The chunks besides those of colours that showing the picture needs, with the largest number of bytes that each may
 * hold (W3C PNG, third edition). A longer one is invalid, ignored by decoders, and could hold anything.
 */
const KEPT_CHUNKS: ReadonlyMap<string, number> = new Map([
  ['PLTE', 768],
  ['IDAT', Infinity],
  ['acTL', 8],
  ['fcTL', 26],
  ['fdAT', Infinity],
  ['tRNS', 256],
  ['sBIT', 4],
  ['bKGD', 6],
  ['pHYs', 9],
  ['hIST', 512],
  ['oFFs', 9],
  ['sTER', 1],
  ['vpAg', 9],
  ['caNv', 16],
]);

const ANIMATION_CHUNKS: ReadonlySet<string> = new Set(['acTL', 'fcTL', 'fdAT']);

/** Reads and scrubs a PNG or APNG. @throws UnreadableFileError if it is truncated or its header is damaged. */
export async function inspectPng(source: ByteSource): Promise<Inspection> {
  const reader = new WindowReader(source, SIGNATURE_BYTES);
  const header = await readHeader(reader);
  const colours = await readColourChunks(source, reader, header.isGrey, MAX_CHUNKS);
  reader.position = HEADER_END;
  const body = new RewriteBuilder();
  /** The same without animation chunks: for a file whose animation is one frame, other than its still picture. */
  const still = new RewriteBuilder();
  let orientation: Orientation | undefined;
  let [animated, frames, hasPixels, ended] = [false, 0, false, false];
  let [plainExif, hasProgram, hasFrameData] = [false, false, false];

  for (let chunks = 0; !ended; chunks++) {
    if (chunks >= MAX_CHUNKS) throw new UnreadableFileError('The PNG has too many chunks.');
    const chunk = await nextChunk(reader);
    const { type, start, data, end } = chunk;
    if (type === 'IEND') {
      for (const builder of [body, still]) builder.put(writeChunk('IEND', new Uint8Array(0)));
      ended = true;
    } else if (isColourChunk(type)) {
      const clean = colours.get(start);
      if (clean) for (const builder of [body, still]) builder.put(clean);
    } else if (type === 'eXIf') {
      // Only one block of Exif is valid.
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
      // Not every decoder ignores a small chunk with a wrong CRC.
      const isChecked = !isCritical(type) && type !== 'fdAT';
      if (isChecked && !(await readChunk(reader, chunk))) continue;
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
  whole.keep(0, HEADER_END);
  orientation ??= 1;
  if (orientation !== 1 && !plainExif) whole.put(writeChunk('eXIf', orientationExif(orientation)));
  const isAnimation = animated && frames > 1;
  // An animation of only the still picture shows no other picture.
  whole.append((isAnimation || (frames <= 1 && !hasFrameData) ? body : still).parts);
  const facts = imageFacts('png', orient(header.width, header.height, orientation), isAnimation ? frames : 1);
  return { facts, rewrite: await whole.finish(source) };
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly isGrey: boolean;
}

async function readHeader(reader: WindowReader): Promise<Header> {
  await reader.ensure(CHUNK_OVERHEAD + IHDR_BYTES);
  const bytes = reader.take(CHUNK_OVERHEAD + IHDR_BYTES);
  const cursor = new Cursor(bytes);
  if (cursor.u32() !== IHDR_BYTES || cursor.ascii(4) !== 'IHDR')
    throw new UnreadableFileError('The PNG has no header.');
  const size = { width: cursor.u32(), height: cursor.u32() };
  const [, colourType] = [cursor.u8(), cursor.u8()];
  cursor.position = bytes.length - 4;
  if (crc32(bytes.subarray(4, -4)) !== cursor.u32())
    throw new UnreadableFileError('The header of the PNG is damaged.');
  return { ...size, isGrey: GREY_TYPES.includes(colourType) };
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
