import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { readExactly } from '../bytes/read';
import { ascii, hasAscii } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { orient, orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { isSoftwareName } from '../metadata/software-name';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { ANIMATION_BYTES, isAnimationChunk, PngAnimation } from './png-animation';
import {
  CHUNK_OVERHEAD,
  hasTrueChecksum,
  nextChunk,
  readChunk,
  SIGNATURE_BYTES,
  writeChunk,
  type Chunk,
} from './png-chunks';
import { isColourChunk, readColourChunks } from './png-colours';
import { HEADER_END, PALETTE, readHeader, type PngHeader } from './png-header';
import { describedBytes, mayLackColours, padded, validPalette, validTransparency } from './png-palette';
import { checkPixels } from './png-pixels';

/** Encoders write chunks of some kilobytes. No real picture consists of chunks of 100 bytes. */
const MAX_CHUNKS = 1_000_000;
const PROGRAM = 'Software\0';
/** A program's name is shorter. */
const MAX_NOTE = 128;
/** A larger EXIF block is not read for its orientation. */
const MAX_EXIF_BYTES = 1024 * 1024;
const MAX_PALETTE_BYTES = 4096;
/** The number in front of the data of a frame. */
const NUMBER_BYTES = 4;

/**
 * Reads and scrubs a PNG or APNG. What is served is valid by W3C PNG, third edition, so that all decoders show the same:
 * chunks that describe or animate the picture are left out if they are not valid, and a palette with too few colours is
 * extended.
 * @throws UnreadableFileError if it is truncated or damaged. @throws UnsupportedVariantError if it needs unknown chunks.
 */
export async function inspectPng(source: ByteSource): Promise<Inspection> {
  const reader = new WindowReader(source, SIGNATURE_BYTES);
  const header = await readHeader(reader);
  const colours = await readColourChunks(source, reader, header.isGrey, MAX_CHUNKS);
  reader.position = HEADER_END;
  return new PngWalker(source, reader, header, colours).walk();
}

/** The parts of the served file, in its order. */
type Place = 'before' | 'pixels' | 'after';

class PngWalker {
  private readonly animation: PngAnimation;
  private readonly animated = new Layout();
  /** The same without animation chunks: for a file whose animation is not valid. */
  private readonly still = new Layout();
  private palette: Uint8Array | undefined;
  private orientation: Orientation | undefined;
  private hasPlainExif = false;
  private hasProgram = false;
  private hasPixels = false;
  private wasPixels = false;
  /** Types of the chunks that may occur only once and have occurred. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly source: ByteSource,
    private readonly reader: WindowReader,
    private readonly header: PngHeader,
    private readonly colours: ReadonlyMap<number, Uint8Array>,
  ) {
    this.animation = new PngAnimation(header);
  }

  async walk(): Promise<Inspection> {
    let hasEnd = false;
    for (let chunks = 0; !hasEnd; chunks++) {
      if (chunks >= MAX_CHUNKS) throw new UnreadableFileError('The PNG has too many chunks.');
      if (await this.endsEarly()) break;
      const chunk = await nextChunk(this.reader);
      hasEnd = chunk.type === 'IEND';
      if (!hasEnd) await this.chunk(chunk);
      this.wasPixels = chunk.type === 'IDAT';
      this.reader.position = chunk.end;
    }
    if (!this.hasPixels) throw new UnreadableFileError('The PNG has no pixels.');
    if (this.header.type === PALETTE && !this.palette)
      throw new UnreadableFileError('The PNG has no palette.');
    return this.finish();
  }

  /** Whether the file lacks only its end: the picture is complete. */
  private async endsEarly(): Promise<boolean> {
    if (this.reader.remaining >= CHUNK_OVERHEAD || !this.hasPixels || this.animation.isBegun) return false;
    return (await checkPixels(this.source, this.header, HEADER_END)).isComplete;
  }

  private async chunk(chunk: Chunk): Promise<void> {
    const { type, start, data, end } = chunk;
    const length = end - start - CHUNK_OVERHEAD;
    if (type === 'IDAT') await this.pixels(chunk);
    else if (type === 'PLTE') await this.readPalette(chunk, length);
    else if (isAnimationChunk(type)) await this.animate(chunk, length);
    else if (isColourChunk(type)) this.put('before', this.colours.get(start));
    else if (type === 'eXIf') {
      // Only one block of Exif is valid.
      if (this.orientation !== undefined || length > MAX_EXIF_BYTES) return;
      const exif = await readExactly(this.source, data, length);
      this.orientation = readOrientation(exif);
      // Not every decoder looks for Exif after the pixels.
      this.hasPlainExif = !this.hasPixels && isPlainExif(exif, this.header);
      if (this.hasPlainExif) this.put('before', writeChunk('eXIf', exif));
    } else if (type === 'tEXt') {
      if (this.hasProgram || length > MAX_NOTE) return;
      const text = await readExactly(this.source, data, length);
      this.hasProgram = isProgram(text);
      if (this.hasProgram) this.put(this.hasPixels ? 'after' : 'before', writeChunk('tEXt', text));
    } else if (isCritical(type)) {
      if (type === 'IHDR') throw new UnreadableFileError('The PNG has two headers.');
      throw new UnsupportedVariantError(`PNG with the chunk ${type} is not supported.`);
    } else await this.describe(chunk, length);
  }

  private async pixels(chunk: Chunk): Promise<void> {
    if (!(await hasTrueChecksum(this.reader, chunk))) throw new UnreadableFileError('The PNG is damaged.');
    this.animation.pixels(this.wasPixels);
    this.hasPixels = true;
    this.keep('pixels', chunk);
  }

  /** A picture with other colours may hold a palette, which suggests how to show it with fewer. */
  private async readPalette(chunk: Chunk, length: number): Promise<void> {
    const { header, source } = this;
    const isNeeded = header.type === PALETTE;
    const content = length <= MAX_PALETTE_BYTES ? await readChunk(this.reader, chunk) : undefined;
    const isPlaced = !this.palette && !this.hasPixels && !header.isGrey;
    const palette = content && isPlaced ? validPalette(header, content) : undefined;
    if (!palette && isNeeded) throw new UnreadableFileError('The palette of the PNG is not valid.');
    if (!palette) return;
    this.palette = palette;
    if (mayLackColours(header, palette)) {
      const { isComplete, highest } = await checkPixels(source, header, chunk.end);
      if (!isComplete) throw new UnreadableFileError('The pixels of the PNG are damaged.');
      this.palette = padded(palette, highest);
    }
    this.put('before', writeChunk('PLTE', this.palette));
  }

  private async animate(chunk: Chunk, length: number): Promise<void> {
    const { type, data } = chunk;
    if (type === 'fdAT') {
      const isSound = length >= NUMBER_BYTES && (await hasTrueChecksum(this.reader, chunk));
      const number = isSound ? await readExactly(this.source, data, NUMBER_BYTES) : undefined;
      this.animation.data(number && new Cursor(number).u32());
    } else {
      const isRead = length === ANIMATION_BYTES.get(type);
      this.animation.control(type, isRead ? await readChunk(this.reader, chunk) : undefined);
    }
    this.animated.keep(this.hasPixels ? 'after' : 'before', chunk);
  }

  /** Transparency, and chunks that decoders of pictures don't need. Decoders ignore some of them in some places. */
  private async describe(chunk: Chunk, length: number): Promise<void> {
    const { type } = chunk;
    const { header, palette } = this;
    const isTransparency = type === 'tRNS';
    if (!isTransparency && length !== describedBytes(header, palette, type)) return;
    if (this.hasPixels || this.seen.has(type) || length > MAX_PALETTE_BYTES) return;
    const content = await readChunk(this.reader, chunk);
    const valid = content && isTransparency ? validTransparency(header, palette, content) : content;
    if (!valid) return;
    this.seen.add(type);
    this.put('before', writeChunk(type, valid));
  }

  private async finish(): Promise<Inspection> {
    const { frames } = this.animation;
    const whole = new RewriteBuilder();
    whole.keep(0, HEADER_END);
    const orientation = this.orientation ?? 1;
    if (orientation !== 1 && !this.hasPlainExif) whole.put(writeChunk('eXIf', orientationExif(orientation)));
    (frames > 0 ? this.animated : this.still).appendTo(whole);
    whole.put(writeChunk('IEND', new Uint8Array(0)));
    const size = orient(this.header.width, this.header.height, orientation);
    return {
      facts: imageFacts('png', size, Math.max(1, frames)),
      rewrite: await whole.finish(this.source),
    };
  }

  private put(place: Place, bytes: Uint8Array | undefined): void {
    if (bytes) for (const layout of [this.animated, this.still]) layout.put(place, bytes);
  }

  private keep(place: Place, chunk: Chunk): void {
    for (const layout of [this.animated, this.still]) layout.keep(place, chunk);
  }
}

/** The served file after its header. Whatever is between two parts of the pixels comes after them. */
class Layout {
  private readonly parts: Readonly<Record<Place, RewriteBuilder>> = {
    before: new RewriteBuilder(),
    pixels: new RewriteBuilder(),
    after: new RewriteBuilder(),
  };

  put(place: Place, bytes: Uint8Array): void {
    this.parts[place].put(bytes);
  }

  keep(place: Place, { start, end }: Chunk): void {
    this.parts[place].keep(start, end);
  }

  appendTo(builder: RewriteBuilder): void {
    const { before, pixels, after } = this.parts;
    for (const { parts } of [before, pixels, after]) builder.append(parts);
  }
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
