import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { u16le } from '../bytes/numbers';
import { readExactly } from '../bytes/read';
import { asciiBytes } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import type { Inspection } from '../facts/inspection';
import { imageFacts } from '../facts/media-facts';
import { cleanProfile, MAX_PROFILE_BYTES } from '../metadata/colour-profile';
import { isSoftwareText } from '../metadata/software-name';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { LzwReader, type LzwContent } from './gif-lzw';
import {
  coloursOf,
  HAS_TABLE,
  IMAGE,
  isCodeSize,
  isSound,
  subBlocks,
  withoutSubBlocks,
  writeSound,
} from './gif-picture';
import { graphicControl, GifTransparency, type GifArea } from './gif-transparency';

// Block introducers and extension labels (GIF89a specification).
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const PLAIN_TEXT = 0x01;
const GRAPHIC_CONTROL = 0xf9;
const COMMENT = 0xfe;
const APPLICATION = 0xff;

const HEADER_BYTES = 13;
/** Position of the size in the header. */
const WIDTH_AT = 6;
/** Limit of the pixels of damaged frames. */
const MAX_REWRITTEN = 1 << 25;
/** About 100,000 frames; the rest of the file is left out. */
const MAX_BLOCKS = 300_000;
/** A program's name is shorter. */
const MAX_NOTE = 128;
const LOOP_APPLICATIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];
const PROFILE_APPLICATION = 'ICCRGBG1012';

/**
 * Reads and scrubs a GIF, which may end early, and declares transparency where libvips needs it. Pictures that decoders read
 * differently are written again: those that are cut, leave the canvas, or use colours that their palette lacks.
 * @throws UnreadableFileError if it has no picture. @throws UnsupportedVariantError if a picture has no colours or no place.
 */
export async function inspectGif(source: ByteSource): Promise<Inspection> {
  return new GifWalker(source).walk();
}

/** Whether libvips shows a scrubbed GIF unlike browsers: see `GifTransparency`. @throws like `inspectGif`. */
export async function isAmbiguousGif(source: ByteSource): Promise<boolean> {
  const walker = new GifWalker(source);
  await walker.walk();
  return walker.transparency.isAmbiguous;
}

/** The application block of a profile. */
const writeProfile = (profile: Uint8Array): Uint8Array =>
  concatBytes([
    Uint8Array.of(EXTENSION, APPLICATION, PROFILE_APPLICATION.length),
    asciiBytes(PROFILE_APPLICATION),
    subBlocks(profile),
  ]);

class GifWalker {
  readonly transparency = new GifTransparency();
  private readonly reader: WindowReader;
  private readonly builder = new RewriteBuilder();
  private size = { width: 0, height: 0 };
  private head = new Uint8Array(0);
  /** The global table of colours, empty if there is none. */
  private palette: Uint8Array = new Uint8Array(0);
  private frames = 0;
  /** Pixels of the pictures that are written again. */
  private rewritten = 0;
  private blocks = 0;
  private hasProfile = false;
  /**
   * The last graphic control block, until the picture that it describes. One that describes plain text is dropped.
   */
  private graphicControl: Uint8Array | undefined;

  constructor(private readonly source: ByteSource) {
    this.reader = new WindowReader(source);
  }

  async walk(): Promise<Inspection> {
    await this.header();
    try {
      while (await this.block());
    } catch (error) {
      // Decoders show the complete frames of a truncated GIF.
      if (!(error instanceof UnreadableFileError) || this.frames === 0) throw error;
    }
    if (this.frames === 0) throw new UnreadableFileError('The GIF has no picture.');
    const whole = new RewriteBuilder();
    whole.put(this.screen());
    whole.append(this.builder.parts);
    whole.put(Uint8Array.of(TRAILER));
    return {
      facts: imageFacts('gif', this.size, this.frames),
      rewrite: await whole.finish(this.source),
    };
  }

  private async header(): Promise<void> {
    await this.reader.ensure(HEADER_BYTES);
    this.head = this.reader.take(HEADER_BYTES).slice();
    const cursor = new Cursor(this.head, WIDTH_AT, true);
    this.size = { width: cursor.u16(), height: cursor.u16() };
    this.palette = await this.colourTable(cursor.u8());
  }

  /** The header and the palette, with the size of the canvas that browsers use. */
  private screen(): Uint8Array {
    const head = Uint8Array.from(this.head);
    head.set(u16le(this.size.width, this.size.height), WIDTH_AT);
    return concatBytes([head, this.palette]);
  }

  /** Moves past one block. Returns false at the trailer, and at an unknown block, where decoders stop too. */
  private async block(): Promise<boolean> {
    if (this.reader.remaining === 0) return false;
    if (++this.blocks > MAX_BLOCKS) return false;
    const start = this.reader.position;
    switch (await this.byte()) {
      case IMAGE:
        await this.image(start);
        return true;
      case EXTENSION:
        await this.extension(start);
        return true;
      case 0:
        return true;
      case TRAILER:
        return false;
      default:
        if (this.frames === 0) throw new UnreadableFileError('The GIF has an unknown block.');
        return false;
    }
  }

  private async image(start: number): Promise<void> {
    await this.reader.ensure(9);
    const cursor = new Cursor(this.reader.take(9), 0, true);
    const [left, top, width, height] = [cursor.u16(), cursor.u16(), cursor.u16(), cursor.u16()];
    if (this.frames === 0 && (this.size.width === 0 || this.size.height === 0))
      this.size = { width: left + width, height: top + height };
    const flags = cursor.u8();
    const own = await this.colourTable(flags);
    const palette = own.length > 0 ? own : this.palette;
    if (palette.length === 0) throw new UnsupportedVariantError('GIF without a palette is not supported.');
    const codeSize = await this.byte();
    if (!isCodeSize(codeSize))
      throw new UnsupportedVariantError(`GIF with ${codeSize} bits is not supported.`);
    const dataAt = this.reader.position;
    const { content, isCut } = await this.codes(codeSize);
    const picture = { left, top, width, height, flags, palette, codeSize, content };
    if (!isCut && isSound(picture, this.size)) {
      this.control({ ...picture, colours: coloursOf(picture) });
      this.builder.keep(start, this.reader.position);
      return;
    }
    if (left >= this.size.width || top >= this.size.height)
      throw new UnsupportedVariantError('GIF with a frame outside of its canvas is not supported.');
    this.rewritten += width * height;
    if (this.rewritten > MAX_REWRITTEN) throw new UnreadableFileError('The GIF has too many damaged frames.');
    const data = await readExactly(this.source, dataAt, this.reader.position - dataAt);
    const served = writeSound(picture, withoutSubBlocks(data), this.size);
    if (served) {
      this.control(served);
      this.builder.put(served.bytes);
    }
    this.graphicControl = undefined;
  }

  /** Writes the control block of a frame, and counts the frame. */
  private control(frame: GifArea & { readonly colours: number; readonly codeSize: number }): void {
    this.frames++;
    const control = this.transparency.declare({ ...frame, control: this.graphicControl }, this.size);
    if (control) this.builder.put(control);
    this.graphicControl = undefined;
  }

  /** Reads the codes of a picture. `isCut`: the file ends within them. */
  private async codes(codeSize: number): Promise<{ readonly content: LzwContent; readonly isCut: boolean }> {
    const codes = new LzwReader(codeSize);
    for (;;) {
      if (!this.reader.has(1)) {
        if (this.reader.remaining === 0) return { content: codes.content, isCut: true };
        await this.reader.ensure(1);
      }
      const length = this.reader.u8();
      if (length === 0) return { content: codes.content, isCut: false };
      const part = Math.min(length, this.reader.remaining);
      if (!this.reader.has(part)) await this.reader.ensure(part);
      codes.add(this.reader.take(part));
    }
  }

  private async extension(start: number): Promise<void> {
    const label = await this.byte();
    if (label === GRAPHIC_CONTROL) {
      const data = await this.subBlocks(4);
      if (data.length === 4) this.graphicControl = graphicControl(data);
    } else if (label === APPLICATION) {
      await this.application();
    } else if (label === COMMENT) {
      const text = await this.subBlocks(MAX_NOTE);
      // Programs write their name in one sub-block: introducer, label, length, text, end.
      const isWhole = this.reader.position - start === text.length + 4;
      if (isWhole && isSoftwareText(text)) this.builder.keep(start, this.reader.position);
    } else {
      await this.subBlocks();
      if (label === PLAIN_TEXT) this.graphicControl = undefined;
    }
  }

  /** Keeps two kinds of application blocks: the number of loops, and the colour profile. */
  private async application(): Promise<void> {
    const nameLength = await this.byte();
    await this.reader.ensure(nameLength);
    const name = String.fromCharCode(...this.reader.take(nameLength));
    if (LOOP_APPLICATIONS.includes(name)) {
      const loop = await this.subBlocks(3);
      if (loop.length < 3 || loop[0] !== 1) return;
      this.builder.put(
        concatBytes([
          Uint8Array.of(EXTENSION, APPLICATION, 11),
          asciiBytes(name),
          Uint8Array.of(3),
          loop,
          Uint8Array.of(0),
        ]),
      );
    } else if (name === PROFILE_APPLICATION && !this.hasProfile) {
      const profile = cleanProfile(await this.gatherSubBlocks(), ['RGB ']);
      this.hasProfile = profile !== null;
      if (profile) this.builder.put(writeProfile(profile));
    } else await this.subBlocks();
  }

  /** The content of a chain of sub-blocks, up to the size limit of a profile. */
  private async gatherSubBlocks(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      if (!this.reader.has(1)) await this.reader.ensure(1);
      const length = this.reader.u8();
      if (length === 0) break;
      if (!this.reader.has(length)) await this.reader.ensure(length);
      const part = this.reader.take(length).slice();
      size += length;
      if (size <= MAX_PROFILE_BYTES) parts.push(part);
    }
    return size > MAX_PROFILE_BYTES ? new Uint8Array(0) : concatBytes(parts);
  }

  /**
   * Moves past a chain of sub-blocks, with one loop for each window. Returns the first `wanted` bytes of the first
   * one.
   */
  private async subBlocks(wanted = 0): Promise<Uint8Array> {
    const length = await this.byte();
    await this.reader.ensure(length);
    const first = this.reader.ahead().slice(0, Math.min(length, wanted));
    if (length === 0) return first;
    this.reader.position += length;
    for (;;) {
      await this.reader.ensure(1);
      const bytes = this.reader.ahead();
      let at = 0;
      let next = bytes[at] ?? 0;
      while (next > 0 && at + next + 1 < bytes.length) {
        at += next + 1;
        next = bytes[at] ?? 0;
      }
      this.reader.position += at;
      if (next === 0) {
        this.reader.position++;
        return first;
      }
      await this.reader.ensure(next + 2);
    }
  }

  /** Moves past a table of colours, and returns it; it is empty if there is none. */
  private async colourTable(flags: number): Promise<Uint8Array> {
    if ((flags & HAS_TABLE) === 0) return new Uint8Array(0);
    const length = 3 * (2 << (flags & 7));
    await this.reader.ensure(length);
    return this.reader.take(length).slice();
  }

  private async byte(): Promise<number> {
    if (!this.reader.has(1)) await this.reader.ensure(1);
    return this.reader.u8();
  }
}
