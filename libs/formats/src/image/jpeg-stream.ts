import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { asciiBytes, hasAscii, latin1 } from '../bytes/text';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';
import { orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import { isPlainExif } from '../metadata/plain-exif';
import { isSoftwareText } from '../metadata/software-name';
import type { Segment } from '../rewriting/rewrite';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { MPF_NAME, XMP_NAME } from './gain-map';
import { ISO_NAME } from './iso-gain-map';
import { JpegProfile } from './jpeg-profile';

// Markers of ITU-T T.81, table B.1.
const TEM = 0x01;
const SOF0 = 0xc0;
const DHT = 0xc4;
const JPG = 0xc8;
const DAC = 0xcc;
const SOF15 = 0xcf;
const RST0 = 0xd0;
const RST7 = 0xd7;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DNL = 0xdc;
const DRI = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;

/** The name of the segment that holds Exif. */
export const EXIF_NAME = 'Exif\0\0';
const JFIF_NAME = 'JFIF\0';
const JFIF_LENGTH = 14;
const ADOBE_NAME = 'Adobe';
const ADOBE_LENGTH = 12;

/** Limit of the `FF` bytes that are kept in front of a marker. */
const MAX_FILL = 64;
/** A program's name is shorter. */
const MAX_NOTE = 128;
/** After this many bytes without an `FF`, a native search for the next one is faster than the loop. */
const SEARCH_AFTER = 16;
/** Even the largest profiles and metadata need only a few hundred segments. */
const MAX_SEGMENTS = 100_000;

/** The parts of a JPEG stream that are needed to show the picture, in order. */
export interface JpegStream {
  /** Stored pixels; 0 in a stream that holds only tables. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** The stream with only its tables, frame, scans, colours, data about pixels, and a program's name. */
  readonly segments: readonly Segment[];
  /** The byte after its end. */
  readonly end: number;
  /** Its first index of pictures (Multi-Picture Format), and the index's position; it is not among the segments. */
  readonly index: { readonly data: Uint8Array; readonly at: number } | undefined;
  /** Its first XMP, each byte as a letter; it is not among the segments. */
  readonly xmp: string | undefined;
  /** The content of its first segment of ISO 21496-1, after the name; it is not among the segments. */
  readonly iso: Uint8Array | undefined;
  /** Its first Exif block, from the TIFF header on. A part of it at most is among the segments. */
  readonly exif: Uint8Array | undefined;
}

/**
 * Walks through one JPEG stream from its SOI at `start` to its EOI (ITU-T T.81, annex B). Also reads the abbreviated
 * streams of TIFF: tables without a picture, pictures without tables. `keepsProfile`: false if the container holds
 * the profile.
 */
export async function readJpegStream(
  source: ByteSource,
  start: number,
  keepsProfile = true,
): Promise<JpegStream> {
  return new JpegWalker(source, start, keepsProfile).walk();
}

class JpegWalker {
  private readonly reader: WindowReader;
  private readonly profile = new JpegProfile();
  /** The parts before the first chunk of the profile, if there is one. `body` then holds the parts after it. */
  private beforeProfile: RewriteBuilder | undefined;
  private body = new RewriteBuilder();
  private hasJfif = false;
  private orientation: Orientation | undefined;
  private frame: { width: number; height: number; components: number } | undefined;
  private scans = 0;
  private segments = 0;
  private index: JpegStream['index'];
  private xmp: string | undefined;
  private iso: Uint8Array | undefined;
  private exifBlock: Uint8Array | undefined;

  constructor(
    private readonly source: ByteSource,
    start: number,
    private readonly keepsProfile: boolean,
  ) {
    this.reader = new WindowReader(source, start);
  }

  async walk(): Promise<JpegStream> {
    const start = this.reader.position;
    await this.reader.ensure(2);
    if (this.reader.u8() !== 0xff || this.reader.u8() !== SOI)
      throw new UnreadableFileError('The file is not a JPEG.');
    for (let marker = await this.nextMarker(); marker !== EOI; marker = await this.nextMarker()) {
      await this.segment(marker);
    }
    if (this.frame && this.scans === 0) throw new UnreadableFileError('The JPEG has no scan.');
    if (this.frame?.height === 0) throw new UnreadableFileError('The JPEG has no height.');

    const whole = new RewriteBuilder();
    whole.keep(start, start + 2);
    if (this.beforeProfile) whole.append(this.beforeProfile.parts);
    whole.append(this.profile.segments(this.frame?.components ?? 0, (data) => writeSegment(APP2, data)));
    whole.append(this.body.parts);
    whole.put(Uint8Array.of(0xff, EOI));
    const { width, height } = this.frame ?? { width: 0, height: 0 };
    return {
      ...{ width, height, orientation: this.orientation ?? 1, segments: whole.parts },
      ...{ end: this.reader.position, index: this.index, xmp: this.xmp, iso: this.iso, exif: this.exifBlock },
    };
  }

  /** Puts the parts that follow after the profile. Returns the parts before it. */
  private startBody(): RewriteBuilder {
    const before = this.body;
    this.body = new RewriteBuilder();
    return before;
  }

  /** Moves past the next marker, skipping fill bytes and (like decoders) anything that is no marker. */
  private async nextMarker(): Promise<number> {
    const from = this.reader.position;
    await this.seekMarker((code) => code !== 0);
    await this.keepFill(from, this.reader.position);
    this.reader.u8();
    return this.reader.u8();
  }

  /** Encoders may put fill bytes `FF` in front of a marker (ITU-T T.81, section B.1.1.2). */
  private async keepFill(from: number, to: number): Promise<void> {
    if (from === to || to - from > MAX_FILL) return;
    const fill = await this.content(from, to - from);
    if (fill.every((byte) => byte === 0xff)) this.body.keep(from, to);
    this.reader.position = to;
    await this.reader.ensure(2);
  }

  /**
   * Moves to the next `FF` that a wanted code follows, with one loop for each window. Photographs have one `FF` in a
   * few hundred bytes, which a native search finds much sooner than the loop. Hostile scans have nothing else,
   * and would need a search for each byte.
   */
  private async seekMarker(isWanted: (code: number) => boolean): Promise<void> {
    for (;;) {
      await this.reader.ensure(2);
      const bytes = this.reader.ahead();
      // A Buffer is searched several times as fast as a plain Uint8Array.
      const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const last = bytes.length - 1;
      let at = 0;
      for (let plain = 0; at < last; at++) {
        if (bytes[at] !== 0xff) {
          if (++plain < SEARCH_AFTER) continue;
          const next = searched.indexOf(0xff, at);
          at = next < 0 ? last : Math.min(next, last);
          if (at === last) break;
        }
        plain = 0;
        const code = bytes[at + 1] ?? 0;
        if (code !== 0xff && isWanted(code)) break;
      }
      this.reader.position += at;
      if (at < bytes.length - 1) return;
    }
  }

  private async segment(marker: number): Promise<void> {
    if (++this.segments > MAX_SEGMENTS) throw new UnreadableFileError('The JPEG has too many segments.');
    if (marker === TEM || (marker >= RST0 && marker <= RST7)) return;
    if (marker === SOI) throw new UnreadableFileError('A JPEG starts inside of the JPEG.');
    const from = this.reader.position - 2;
    await this.reader.ensure(2);
    const length = (this.reader.u8() << 8) | this.reader.u8();
    if (length < 2) throw new UnreadableFileError('A segment of the JPEG has no length.');
    const to = from + 2 + length;
    if (to > this.source.size) throw new UnreadableFileError('The JPEG ends too early.');
    this.reader.position = to;

    if (marker >= SOF0 && marker <= SOF15 && marker !== DHT && marker !== JPG && marker !== DAC) {
      await this.readFrame(from + 4, length - 2);
      this.body.keep(from, to);
    } else if (marker === SOS) {
      if (!this.frame) throw new UnreadableFileError('A scan of the JPEG has no frame.');
      this.body.keep(from, await this.endOfScan());
      this.scans++;
    } else if (marker === DNL) {
      await this.readLineCount(from + 4, length - 2);
      this.body.keep(from, to);
    } else if (marker === DHT || marker === DAC || marker === DQT || marker === DRI) {
      this.body.keep(from, to);
    } else if (marker === COM) {
      if (length <= MAX_NOTE && isSoftwareText(await this.content(from + 4, length - 2)))
        this.body.keep(from, to);
      this.reader.position = to;
    } else if (marker === APP0 || marker === APP1 || marker === APP2 || marker === APP14) {
      await this.application(marker, from, to);
    }
  }

  /** Skips entropy-coded data, which ends at the first marker that is no restart. Returns its end. */
  private async endOfScan(): Promise<number> {
    await this.seekMarker((code) => code !== 0 && (code < RST0 || code > RST7));
    return this.reader.position;
  }

  /**
   * The content of a segment, at most 64 KiB. It comes from the window, because hostile files hold nothing but
   * segments.
   */
  private async content(at: number, length: number): Promise<Uint8Array> {
    this.reader.position = at;
    if (!this.reader.has(length)) await this.reader.ensure(length);
    return this.reader.take(length);
  }

  private async readFrame(at: number, length: number): Promise<void> {
    if (this.frame) throw new UnreadableFileError('The JPEG has more than one frame.');
    const cursor = new Cursor(await this.content(at, length), 1);
    const height = cursor.u16();
    this.frame = { width: cursor.u16(), height, components: cursor.u8() };
  }

  /** DNL gives the height if the frame has none. */
  private async readLineCount(at: number, length: number): Promise<void> {
    const lines = new Cursor(await this.content(at, length)).u16();
    if (this.frame?.height === 0) this.frame = { ...this.frame, height: lines };
  }

  /** Keeps the application segments that colours and orientation need. */
  private async application(marker: number, from: number, to: number): Promise<void> {
    const data = await this.content(from + 4, to - from - 4);
    if (marker === APP0 && hasAscii(data, 0, JFIF_NAME) && data.length >= JFIF_LENGTH) {
      if (!this.hasJfif) this.body.put(writeJfif(data));
      this.hasJfif = true;
    } else if (marker === APP1 && hasAscii(data, 0, EXIF_NAME)) {
      this.exif(data.subarray(EXIF_NAME.length), from, to);
    } else if (marker === APP1 && hasAscii(data, 0, XMP_NAME)) {
      this.xmp ??= latin1(data.subarray(XMP_NAME.length));
    } else if (marker === APP2 && hasAscii(data, 0, MPF_NAME)) {
      // The window may be overwritten.
      this.index ??= { data: data.slice(MPF_NAME.length), at: from + 4 + MPF_NAME.length };
    } else if (marker === APP2 && hasAscii(data, 0, ISO_NAME)) {
      this.iso ??= data.slice(ISO_NAME.length);
    } else if (marker === APP2) {
      if (this.keepsProfile && this.profile.take(from, to, data)) this.beforeProfile ??= this.startBody();
    } else if (marker === APP14 && hasAscii(data, 0, ADOBE_NAME) && data.length >= ADOBE_LENGTH) {
      this.body.put(writeSegment(APP14, data.subarray(0, ADOBE_LENGTH)));
    }
  }

  /**
   * Keeps the part of the first Exif block that describes pixels: the whole block, or the orientation. Decoders look
   * for it before scans.
   */
  private exif(block: Uint8Array, from: number, to: number): void {
    if (this.orientation !== undefined || this.scans > 0) return;
    this.orientation = readOrientation(block);
    this.exifBlock = block.slice();
    if (isPlainExif(block)) this.body.keep(from, to);
    else if (this.orientation !== 1) {
      this.body.put(
        writeSegment(APP1, concatBytes([asciiBytes(EXIF_NAME), orientationExif(this.orientation)])),
      );
    }
  }
}

function writeJfif(data: Uint8Array): Uint8Array {
  const header = data.slice(0, JFIF_LENGTH);
  header.fill(0, JFIF_LENGTH - 2); // no thumbnail follows
  return writeSegment(APP0, header);
}

function writeSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data]);
}
