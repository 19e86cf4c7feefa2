import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u24le, u32le } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { asciiBytes, hasAscii } from '../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import type { Size } from '../facts/displayed-size';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import { readOrientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { RewriteBuilder, segmentsSize } from '../rewriting/rewrite-builder';
import { type WebpChunk, WebpChunkWalker } from './webp-chunks';
import { findPicture, keepChunk, keepPicture } from './webp-picture';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** A larger EXIF block is removed. */
const MAX_EXIF_BYTES = 1024 * 1024;

// Flags of the VP8X chunk (RFC 9649, section 2.7).
const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;
const HAS_EXIF = 0x08;
const IS_ANIMATED = 0x02;

const VP8X_BYTES = 10;
const ANIM_BYTES = 6;
const ANMF_HEADER = 16;
/** Of a frame's flags: whether its area is cleared after it. */
const IS_CLEARED = 0x01;
const FRAME_FLAGS = 0x03;

/**
 * Reads a WebP, still or animated (RFC 9649), and writes its chunks in the standard's order: header, profile, pictures,
 * EXIF. The header is written again from the pictures, because programs that trust it would show another picture than
 * programs that don't. EXIF stays only if it describes an upright picture: browsers ignore the orientation in a WebP, so
 * no other program shall apply it.
 * @throws UnreadableFileError if it is truncated or its headers contradict each other.
 * @throws UnsupportedVariantError if a frame lies outside of the canvas.
 */
export async function inspectWebp(source: ByteSource): Promise<Inspection> {
  const riffSize = new Cursor(await readExactly(source, 0, RIFF_HEADER), 4, true).u32();
  // Some writers leave out the padding of the last chunk, but count it.
  if (CHUNK_HEADER + riffSize > source.size + 1) throw new UnreadableFileError('The WebP ends too early.');
  const walker = new WebpChunkWalker(source);
  const chunks = await walker.read(RIFF_HEADER, Math.min(source.size, CHUNK_HEADER + riffSize));
  const file = chunks[0]?.type === 'VP8X' ? await readExtended(source, walker, chunks) : readSimple(chunks);

  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('RIFF'), u32le(4 + segmentsSize(file.body.parts)), asciiBytes('WEBP')]));
  whole.append(file.body.parts);
  return { facts: imageFacts('webp', file, file.frames), rewrite: await whole.finish(source) };
}

interface WebpFile extends Size {
  readonly frames: number;
  readonly body: RewriteBuilder;
}

/** Reads a file that holds one bitstream and nothing else that decoders read. */
function readSimple([first]: readonly WebpChunk[]): WebpFile {
  const picture = first && findPicture([first]);
  if (!picture) throw new UnreadableFileError('The WebP has no picture.');
  const body = new RewriteBuilder();
  keepPicture(body, picture);
  return { width: picture.width, height: picture.height, frames: 1, body };
}

async function readExtended(
  source: ByteSource,
  walker: WebpChunkWalker,
  [head, ...chunks]: readonly WebpChunk[],
): Promise<WebpFile> {
  if (!head || head.head.length < VP8X_BYTES)
    throw new UnreadableFileError('The header of the WebP is too short.');
  const find = (type: string): WebpChunk | undefined => chunks.find((chunk) => chunk.type === type);
  const cursor = new Cursor(head.head, 0, true);
  const flags = cursor.u8();
  cursor.skip(3);
  const canvas = { width: cursor.u24() + 1, height: cursor.u24() + 1 };
  const isAnimated = (flags & IS_ANIMATED) !== 0;
  const content = isAnimated ? await readFrames(walker, chunks, canvas) : readStill(chunks);
  const { width, height } = content;
  // Not all browsers apply the profile of an animation.
  const profile = isAnimated ? undefined : await readProfile(source, find('ICCP'));
  const exif = await findPlainExif(source, find('EXIF'), content);

  const written =
    (flags & (HAS_ALPHA | IS_ANIMATED)) |
    (content.hasAlpha ? HAS_ALPHA : 0) |
    (profile ? HAS_PROFILE : 0) |
    (exif ? HAS_EXIF : 0);
  const body = new RewriteBuilder();
  body.put(writeChunk('VP8X', concatBytes([u32le(written), u24le(width - 1, height - 1)])));
  if (profile) body.put(writeChunk('ICCP', profile));
  body.append(content.body.parts);
  if (exif) keepChunk(body, exif);
  return { width, height, frames: content.frames, body };
}

interface Content extends WebpFile {
  readonly hasAlpha: boolean;
}

/** The only picture of a still; the canvas is as large as it. */
function readStill(chunks: readonly WebpChunk[]): Content {
  const picture = findPicture(chunks);
  if (!picture) throw new UnreadableFileError('The WebP has no picture.');
  const body = new RewriteBuilder();
  keepPicture(body, picture);
  return { ...picture, frames: 1, body };
}

/** The frames of an animation, with what controls them (RFC 9649, sections 2.7.1.1 and 2.7.1.2). */
async function readFrames(
  walker: WebpChunkWalker,
  chunks: readonly WebpChunk[],
  canvas: Size,
): Promise<Content> {
  const control = chunks.find(({ type }) => type === 'ANIM');
  if (!control || control.dataEnd - control.data !== ANIM_BYTES)
    throw new UnreadableFileError('The animation of the WebP has no header.');
  const body = new RewriteBuilder();
  keepChunk(body, control);
  let [frames, hasAlpha] = [0, false];
  for (const chunk of chunks) {
    if (chunk.type !== 'ANMF') continue;
    const frame = await readFrame(walker, chunk, canvas);
    body.append(frame.parts);
    // What no frame fills is transparent.
    hasAlpha ||= frame.hasAlpha || frame.isCleared || (frames === 0 && !frame.isWhole);
    frames++;
  }
  if (frames === 0) throw new UnreadableFileError('The WebP has no picture.');
  return { ...canvas, frames, hasAlpha, body };
}

interface Frame {
  readonly parts: RewriteBuilder['parts'];
  readonly hasAlpha: boolean;
  /** Whether its area becomes transparent after it. */
  readonly isCleared: boolean;
  /** Whether it is as large as the canvas. */
  readonly isWhole: boolean;
}

async function readFrame(walker: WebpChunkWalker, chunk: WebpChunk, canvas: Size): Promise<Frame> {
  if (chunk.head.length < ANMF_HEADER) throw new UnreadableFileError('A frame of the WebP is too short.');
  const picture = findPicture(await walker.read(chunk.data + ANMF_HEADER, chunk.dataEnd));
  if (!picture) throw new UnreadableFileError('A frame of the WebP has no picture.');
  const cursor = new Cursor(chunk.head, 0, true);
  const [left, top, width, height] = [cursor.u24() * 2, cursor.u24() * 2, cursor.u24() + 1, cursor.u24() + 1];
  if (width !== picture.width || height !== picture.height)
    throw new UnreadableFileError('A frame of the WebP has another size than its picture.');
  if (left + width > canvas.width || top + height > canvas.height)
    throw new UnsupportedVariantError('WebP with frames outside of its canvas is not supported.');
  const header = chunk.head.slice(0, ANMF_HEADER);
  const flags = (header[ANMF_HEADER - 1] ?? 0) & FRAME_FLAGS;
  header[ANMF_HEADER - 1] = flags;
  const inner = new RewriteBuilder();
  keepPicture(inner, picture);
  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('ANMF'), u32le(ANMF_HEADER + segmentsSize(inner.parts)), header]));
  whole.append(inner.parts);
  return {
    parts: whole.parts,
    hasAlpha: picture.hasAlpha,
    isCleared: (flags & IS_CLEARED) !== 0,
    isWhole: width === canvas.width && height === canvas.height,
  };
}

async function readProfile(source: ByteSource, chunk: WebpChunk | undefined): Promise<Uint8Array | null> {
  if (!chunk || chunk.dataEnd - chunk.data > MAX_PROFILE_BYTES) return null;
  return cleanProfile(await readExactly(source, chunk.data, chunk.dataEnd - chunk.data), ['RGB ']);
}

/**
 * The chunk if it describes only the pixels, and they are upright. Some writers put JPEG's `Exif\0\0` in front of the
 * block.
 */
async function findPlainExif(
  source: ByteSource,
  chunk: WebpChunk | undefined,
  size: Size,
): Promise<WebpChunk | undefined> {
  if (!chunk || chunk.dataEnd - chunk.data > MAX_EXIF_BYTES) return undefined;
  const data = await readExactly(source, chunk.data, chunk.dataEnd - chunk.data);
  const exif = hasAscii(data, 0, 'Exif\0\0') ? data.subarray(6) : data;
  return isPlainExif(exif, size) && readOrientation(exif) === 1 ? chunk : undefined;
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  return concatBytes([asciiBytes(type), u32le(data.length), data, new Uint8Array(data.length % 2)]);
}
