import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u32le } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { asciiBytes, hasAscii } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import { orient, orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { RewriteBuilder, segmentsSize } from '../rewriting/rewrite-builder';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** Limit for the whole file, including the chunks inside of frames. */
const MAX_CHUNKS = 100_000;
/** A larger EXIF block is not read for its orientation. */
const MAX_EXIF_BYTES = 1024 * 1024;

// Flags of the VP8X chunk (RFC 9649, section 2.7).
const HAS_PROFILE = 0x20;
const HAS_ALPHA = 0x10;
const HAS_EXIF = 0x08;
const IS_ANIMATED = 0x02;

const VP8X_BYTES = 10;
const ANMF_HEADER = 16;
const FRAME_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];

interface Chunk {
  readonly type: string;
  /** Positions in the file: header, data, end of the data, and end of its padding (if the file has it). */
  readonly start: number;
  readonly data: number;
  readonly dataEnd: number;
  readonly end: number;
}

/** Reads and scrubs a WebP, still or animated (RFC 9649). @throws UnreadableFileError if it is cut off. */
export async function inspectWebp(source: ByteSource): Promise<Inspection> {
  const riffSize = new Cursor(await readExactly(source, 0, RIFF_HEADER), 4, true).u32();
  // Some writers leave out the padding of the last chunk, but count it.
  if (CHUNK_HEADER + riffSize > source.size + 1) throw new UnreadableFileError('The WebP ends too early.');
  const walker = new ChunkWalker(source);
  const chunks = await walker.read(RIFF_HEADER, Math.min(source.size, CHUNK_HEADER + riffSize));
  const first = chunks[0];
  if (!first) throw new UnreadableFileError('The WebP has no picture.');
  const picture =
    first.type === 'VP8X' ? await readExtended(source, walker, chunks) : await readSimple(source, first);

  const whole = new RewriteBuilder();
  whole.put(
    concatBytes([asciiBytes('RIFF'), u32le(4 + segmentsSize(picture.body.parts)), asciiBytes('WEBP')]),
  );
  whole.append(picture.body.parts);
  const facts = imageFacts(
    'webp',
    orient(picture.width, picture.height, picture.orientation),
    picture.frames,
  );
  return { facts, rewrite: await whole.finish(source) };
}

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  readonly frames: number;
  readonly body: RewriteBuilder;
}

/** Reads a file that holds one bitstream and nothing else that decoders read. */
async function readSimple(source: ByteSource, chunk: Chunk): Promise<Picture> {
  const body = new RewriteBuilder();
  keepChunk(body, chunk);
  const head = new Cursor(
    await readExactly(source, chunk.data, Math.min(10, chunk.dataEnd - chunk.data)),
    0,
    true,
  );
  const size =
    chunk.type === 'VP8L' ? losslessSize(head) : chunk.type === 'VP8 ' ? lossySize(head) : undefined;
  if (!size) throw new UnreadableFileError('The WebP has no picture.');
  return { ...size, orientation: 1, frames: 1, body };
}

/** Reads the header of the first frame (RFC 6386, section 9.1). */
function lossySize(head: Cursor): { width: number; height: number } | undefined {
  const isKeyFrame = (head.u24() & 1) === 0;
  if (!isKeyFrame || head.u24() !== 0x2a019d) return undefined;
  return { width: head.u16() & 0x3fff, height: head.u16() & 0x3fff };
}

/** Reads the size of a lossless picture (RFC 9649, section 3.4). */
function losslessSize(head: Cursor): { width: number; height: number } | undefined {
  if (head.u8() !== 0x2f) return undefined;
  const bits = head.u32();
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

async function readExtended(
  source: ByteSource,
  walker: ChunkWalker,
  [head, ...chunks]: readonly Chunk[],
): Promise<Picture> {
  if (!head || head.dataEnd - head.data < VP8X_BYTES)
    throw new UnreadableFileError('The header of the WebP is too short.');
  const header = await readExactly(source, head.data, VP8X_BYTES);
  const cursor = new Cursor(header, 0, true);
  const flags = cursor.u8();
  cursor.skip(3);
  const size = { width: cursor.u24() + 1, height: cursor.u24() + 1 };
  const animated = (flags & IS_ANIMATED) !== 0;
  const rest = new RewriteBuilder();
  // Decoders use the first chunk of metadata, and the first profile.
  const exif = chunks.find(({ type }) => type === 'EXIF');
  const profile = await readProfile(
    source,
    chunks.find(({ type }) => type === 'ICCP'),
  );
  const { orientation, isPlain } = await readExif(source, exif);
  let pictures = 0;

  for (const chunk of chunks) {
    if (chunk === exif && isPlain) keepChunk(rest, chunk);
    else if (animated && chunk.type === 'ANMF') {
      rest.append(await cleanFrame(walker, chunk));
      pictures++;
    } else if (animated ? chunk.type === 'ANIM' : FRAME_CHUNKS.includes(chunk.type)) {
      keepChunk(rest, chunk);
      if (chunk.type.startsWith('VP8')) pictures++;
    }
  }
  if (pictures === 0) throw new UnreadableFileError('The WebP has no picture.');

  const turned = orientation !== 1;
  const colours = profile ? HAS_PROFILE : 0;
  header.set([(flags & (HAS_ALPHA | IS_ANIMATED)) | colours | (turned || isPlain ? HAS_EXIF : 0), 0, 0, 0]);
  const body = new RewriteBuilder();
  body.put(writeChunk('VP8X', header));
  // Before the picture, as RFC 9649 requires.
  if (profile) body.put(writeChunk('ICCP', profile));
  body.append(rest.parts);
  if (turned && !isPlain) body.put(writeChunk('EXIF', orientationExif(orientation)));
  return { ...size, orientation, frames: animated ? pictures : 1, body };
}

async function readProfile(source: ByteSource, chunk: Chunk | undefined): Promise<Uint8Array | null> {
  if (!chunk || chunk.dataEnd - chunk.data > MAX_PROFILE_BYTES) return null;
  return cleanProfile(await readExactly(source, chunk.data, chunk.dataEnd - chunk.data), ['RGB ']);
}

/**
 * The orientation of an Exif block, and whether it describes only the pixels. Some writers put JPEG's `Exif\0\0` in
 * front of it.
 */
async function readExif(
  source: ByteSource,
  chunk: Chunk | undefined,
): Promise<{ orientation: Orientation; isPlain: boolean }> {
  if (!chunk || chunk.dataEnd - chunk.data > MAX_EXIF_BYTES) return { orientation: 1, isPlain: false };
  const data = await readExactly(source, chunk.data, chunk.dataEnd - chunk.data);
  const exif = hasAscii(data, 0, 'Exif\0\0') ? data.subarray(6) : data;
  return { orientation: readOrientation(exif), isPlain: isPlainExif(exif) };
}

/** A frame of an animation without unknown chunks, which it may hold like a separate file. */
async function cleanFrame(walker: ChunkWalker, frame: Chunk): Promise<RewriteBuilder['parts']> {
  const inner = new RewriteBuilder();
  if (frame.dataEnd - frame.data < ANMF_HEADER)
    throw new UnreadableFileError('A frame of the WebP is too short.');
  const parts = await walker.read(frame.data + ANMF_HEADER, frame.dataEnd);
  for (const part of parts) if (FRAME_CHUNKS.includes(part.type)) keepChunk(inner, part);
  const whole = new RewriteBuilder();
  whole.put(concatBytes([asciiBytes('ANMF'), u32le(ANMF_HEADER + segmentsSize(inner.parts))]));
  whole.keep(frame.data, frame.data + ANMF_HEADER);
  whole.append(inner.parts);
  return whole.parts;
}

/** Finds chunks, and limits their total to what a real file has. */
class ChunkWalker {
  private readonly reader: WindowReader;
  private chunksLeft = MAX_CHUNKS;

  constructor(source: ByteSource) {
    this.reader = new WindowReader(source);
  }

  /** The chunks that follow each other between `from` and `to` (bytes of the file). */
  async read(from: number, to: number): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    let start = from;
    while (to - start >= CHUNK_HEADER) {
      if (this.chunksLeft-- === 0) throw new UnreadableFileError('The WebP has too many chunks.');
      this.reader.position = start;
      if (!this.reader.has(CHUNK_HEADER)) await this.reader.ensure(CHUNK_HEADER);
      const cursor = new Cursor(this.reader.take(CHUNK_HEADER), 0, true);
      const type = cursor.ascii(4);
      const data = start + CHUNK_HEADER;
      const dataEnd = data + cursor.u32();
      if (dataEnd > to) throw new UnreadableFileError('The WebP ends too early.');
      const end = Math.min(to, dataEnd + ((dataEnd - data) % 2));
      chunks.push({ type, start, data, dataEnd, end });
      start = end;
    }
    return chunks;
  }
}

/** Keeps a chunk, with 0 for its padding byte. */
function keepChunk(builder: RewriteBuilder, chunk: Chunk): void {
  builder.keep(chunk.start, chunk.dataEnd);
  if ((chunk.dataEnd - chunk.data) % 2 === 1) builder.put(Uint8Array.of(0));
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  return concatBytes([asciiBytes(type), u32le(data.length), data, new Uint8Array(data.length % 2)]);
}
