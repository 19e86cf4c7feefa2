import { concatBytes } from '../bytes/arrays';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { asciiBytes, hasAscii, latin1 } from '../bytes/text';
import { readExactly } from '../bytes/read';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
import { orientationExif, readOrientation, type Orientation } from '../metadata/exif-orientation';
import type { Size } from '../facts/displayed-size';
import { isPlainExif } from '../metadata/plain-exif';
import { isSoftwareText } from '../metadata/software-name';
import type { Segment } from '../rewriting/rewrite';
import { RewriteBuilder } from '../rewriting/rewrite-builder';
import { MPF_NAME, XMP_NAME } from './gain-map';
import { ISO_NAME } from './iso-gain-map';
import { adobeSegment } from './jpeg-colours';
import { type CodedScan, isCompleteScan, scansBefore } from './jpeg-completeness';
import { JpegProfile } from './jpeg-profile';
import { JpegStructure } from './jpeg-structure';

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
const DRI = 0xdd;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;
/** The frame of JPEG-LS (ITU-T T.87). */
const SOF55 = 0xf7;

/** The name of the segment that holds Exif. */
export const EXIF_NAME = 'Exif\0\0';
const JFIF_NAME = 'JFIF\0';
const JFIF_LENGTH = 14;
const ADOBE_NAME = 'Adobe';
const ADOBE_LENGTH = 12;

/** Limit of the `FF` bytes that are kept in front of a marker. */
const MAX_FILL = 64;
/** Without an end marker, a file of more bytes is not checked for its end. */
const MAX_CHECKED = 1 << 24;
/** Larger pictures are not accepted. */
const MAX_CHECKED_PIXELS = 100_000_000;
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
 * Walks through one JPEG stream from its SOI at `start` to its EOI (ITU-T T.81, annex B), which may be missing at the end of a
 * file whose picture is complete. Also reads the abbreviated
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

/** A scan, and the position of its coded data. */
interface ScanPlace extends Pick<CodedScan, 'scan' | 'restart'> {
  readonly from: number;
  readonly to: number;
}

class JpegWalker {
  private readonly reader: WindowReader;
  private readonly profile = new JpegProfile();
  /** The parts before the first chunk of the profile, if there is one. `body` then holds the parts after it. */
  private beforeProfile: RewriteBuilder | undefined;
  private body = new RewriteBuilder();
  hasJfif = false;
  private orientation: Orientation | undefined;
  private readonly structure: JpegStructure;
  adobe: Uint8Array | undefined;
  private hasScan = false;
  /** The scans so far of coefficients other than the first. */
  private readonly scans: ScanPlace[] = [];
  /** Units between restart markers; 0 if there are none. */
  private restart = 0;
  /** Whether the file ends with the data of a complete picture, without an end marker. */
  private lacksEnd = false;
  private segments = 0;
  private index: JpegStream['index'];
  private xmp: string | undefined;
  private iso: Uint8Array | undefined;
  private exifBlock: Uint8Array | undefined;
  private exifPlace: { readonly from: number; readonly to: number } | undefined;

  constructor(
    private readonly source: ByteSource,
    private readonly start: number,
    private readonly keepsProfile: boolean,
  ) {
    this.reader = new WindowReader(source, start);
    this.structure = new JpegStructure(keepsProfile);
  }

  async walk(): Promise<JpegStream> {
    const start = this.reader.position;
    await this.reader.ensure(2);
    if (this.reader.u8() !== 0xff || this.reader.u8() !== SOI)
      throw new UnreadableFileError('The file is not a JPEG.');
    while (!this.lacksEnd) {
      const marker = await this.nextMarker();
      if (marker === EOI) break;
      await this.segment(marker);
    }
    this.structure.end();
    const { frame } = this.structure;

    const whole = new RewriteBuilder();
    whole.keep(start, start + 2);
    // In a TIFF, its tags say what the channels mean.
    const adobe = frame && this.keepsProfile ? adobeSegment(frame, this) : this.adobe;
    if (adobe && !this.adobe) whole.put(writeSegment(APP14, adobe));
    const { width, height } = frame ?? { width: 0, height: 0 };
    const places = new Map([
      [ADOBE_PLACE, adobe ? [{ bytes: writeSegment(APP14, adobe) }] : []],
      [EXIF_PLACE, this.plainExif({ width, height })],
    ]);
    if (this.beforeProfile) whole.append(filled(this.beforeProfile, places));
    const channels = frame?.components.length ?? 0;
    whole.append(this.profile.segments(channels, (data) => writeSegment(APP2, data)));
    whole.append(filled(this.body, places));
    whole.put(Uint8Array.of(0xff, EOI));
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

    const isFrame = marker >= SOF0 && marker <= SOF15 && marker !== DHT && marker !== JPG && marker !== DAC;
    if (isFrame || marker === SOS || marker === DHT || marker === DQT || marker === DRI) {
      const content = await this.content(from + 4, length - 2);
      if (isFrame) this.structure.readFrame(marker, content);
      else if (marker === DHT) this.structure.readHuffman(content);
      else if (marker === DQT) this.structure.readQuantisation(content);
      else if (marker === SOS) this.structure.readScan(content);
      else this.restart = new Cursor(content).u16();
      this.hasScan ||= marker === SOS;
      this.body.keep(from, marker === SOS ? await this.endOfScan() : to);
    } else if (marker === SOF55) {
      throw new UnsupportedVariantError('JPEG-LS is not supported.');
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
    const from = this.reader.position;
    try {
      await this.seekMarker((code) => code !== 0 && (code < RST0 || code > RST7));
      const to = this.reader.position;
      const { scan } = this.structure;
      if (scan?.from) this.scans.push({ scan, restart: this.restart, from, to });
      return to;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      const end = await this.endOfCompleteScan(from);
      if (end === null) throw error;
      this.lacksEnd = true;
      return end;
    }
  }

  /** The end of the data of a scan with which the file ends; null if they are incomplete. */
  private async endOfCompleteScan(from: number): Promise<number | null> {
    const { frame, scan } = this.structure;
    if (!frame || !scan || !this.keepsProfile || !this.structure.isWhole) return null;
    if (this.source.size - this.start > MAX_CHECKED || frame.width * frame.height > MAX_CHECKED_PIXELS)
      return null;
    const read = async (one: ScanPlace): Promise<CodedScan> => ({
      ...one,
      data: await readExactly(this.source, one.from, one.to - one.from),
    });
    const last = await read({ scan, restart: this.restart, from, to: this.source.size });
    // The first half of the end marker may be there.
    const end = last.data.length - (last.data.at(-1) === 0xff ? 1 : 0);
    const earlier: CodedScan[] = [];
    for (const one of scansBefore(scan, this.scans)) earlier.push(await read(one));
    if (!isCompleteScan(frame, { ...last, data: last.data.subarray(0, end) }, earlier)) return null;
    this.reader.position = this.source.size;
    return from + end;
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

  /** Keeps the application segments that colours and orientation need. */
  private async application(marker: number, from: number, to: number): Promise<void> {
    const data = await this.content(from + 4, to - from - 4);
    if (marker === APP0 && hasAscii(data, 0, JFIF_NAME) && data.length >= JFIF_LENGTH) {
      if (this.hasScan) return;
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
      // Programs that read several use the last one before the picture.
      if (!this.hasScan) {
        if (!this.adobe) this.body.put(ADOBE_PLACE);
        this.adobe = data.slice(0, ADOBE_LENGTH);
      }
    }
  }

  /**
   * Keeps the part of the first Exif block that describes pixels: the whole block, or the orientation. Decoders look
   * for it before scans.
   */
  private exif(block: Uint8Array, from: number, to: number): void {
    if (this.orientation !== undefined || this.hasScan) return;
    this.orientation = readOrientation(block);
    this.exifBlock = block.slice();
    this.exifPlace = { from, to };
    this.body.put(EXIF_PLACE);
  }

  /** What stays of Exif, now that the size is known. */
  private plainExif(size: Size): readonly Segment[] {
    const { exifBlock, exifPlace, orientation = 1 } = this;
    if (exifBlock && exifPlace && isPlainExif(exifBlock, size)) return [exifPlace];
    const content = concatBytes([asciiBytes(EXIF_NAME), orientationExif(orientation)]);
    return orientation === 1 ? [] : [{ bytes: writeSegment(APP1, content) }];
  }
}

/** Stand for segments that depend on the frame until it is known. */
const [ADOBE_PLACE, EXIF_PLACE] = [Uint8Array.of(0xff, APP14), Uint8Array.of(0xff, APP1)];

/** The parts with the segments in their places. */
const filled = (
  { parts }: RewriteBuilder,
  segments: ReadonlyMap<Uint8Array, readonly Segment[]>,
): Segment[] => parts.flatMap((part) => ('bytes' in part && segments.get(part.bytes)) || [part]);

function writeJfif(data: Uint8Array): Uint8Array {
  const header = data.slice(0, JFIF_LENGTH);
  header.fill(0, JFIF_LENGTH - 2); // no thumbnail follows
  return writeSegment(APP0, header);
}

function writeSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2;
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data]);
}
