import { isZero } from '../bytes/arrays';
import { Cursor } from '../bytes/cursor';
import { UnreadableFileError } from '../errors/file-errors';
import type { Size } from '../facts/displayed-size';
import { isOrientation } from './exif-orientation';
import { isSoftwareText } from './software-name';

/** A block with nothing but these tags is smaller. */
const MAX_BYTES = 4096;
const [ASCII, SHORT, LONG, RATIONAL, UNDEFINED] = [2, 3, 4, 5, 7];
const TYPE_BYTES: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 5: 8, 7: 1 };
const ENTRY_BYTES = 12;
const EXIF_DIRECTORY = 34665;
/** PixelXDimension and PixelYDimension. */
const [PIXEL_X, PIXEL_Y] = [40962, 40963];

interface Shape {
  readonly types: readonly number[];
  /** The largest number of values that the tag may have. */
  readonly count: number;
  readonly isHarmless?: (value: Uint8Array, littleEndian: boolean) => boolean;
}

const isValidOrientation = (value: Uint8Array, littleEndian: boolean): boolean =>
  isOrientation(new Cursor(value, 0, littleEndian).u16());
const number: Shape = { types: [SHORT, LONG], count: 1 };
const version: Shape = {
  types: [UNDEFINED],
  count: 4,
  isHarmless: (value) => value.every((byte) => byte >= 0x30 && byte <= 0x39),
};

/** Tags about the pixels, and the name of the program (Exif 2.32, section 4.6). */
const PICTURE_TAGS: Readonly<Record<number, Shape>> = {
  256: number, // ImageWidth
  257: number, // ImageLength
  258: { types: [SHORT], count: 4 }, // BitsPerSample
  259: number, // Compression
  262: number, // PhotometricInterpretation
  // Orientation: programs disagree on other types and values.
  274: { types: [SHORT], count: 1, isHarmless: isValidOrientation },
  277: number, // SamplesPerPixel
  282: { types: [RATIONAL], count: 1 }, // XResolution
  283: { types: [RATIONAL], count: 1 }, // YResolution
  296: number, // ResolutionUnit
  305: { types: [ASCII], count: 128, isHarmless: isSoftwareText }, // Software
  531: number, // YCbCrPositioning
  [EXIF_DIRECTORY]: { types: [LONG], count: 1 },
};
const EXIF_TAGS: Readonly<Record<number, Shape>> = {
  36864: version, // ExifVersion
  37121: { types: [UNDEFINED], count: 4, isHarmless: (value) => value.every((byte) => byte <= 6) }, // ComponentsConfiguration
  40960: version, // FlashpixVersion
  40961: number, // ColorSpace
  [PIXEL_X]: number,
  [PIXEL_Y]: number,
};

/**
 * Whether an Exif block (starting with its TIFF header) describes only the pixels of a picture that is coded in this size: no place, time,
 * device or text, no thumbnail, no other size, no bytes that belong to no tag. From another size and the resolution, Chromium
 * derives the size at which it shows the picture (https://github.com/whatwg/html/issues/6049).
 */
export function isPlainExif(exif: Uint8Array, size: Size): boolean {
  if (exif.length > MAX_BYTES) return false;
  try {
    return new PlainExif(exif, size).isPlain();
  } catch (error) {
    if (error instanceof UnreadableFileError) return false;
    throw error;
  }
}

class PlainExif {
  private readonly littleEndian: boolean;
  /** A copy in which the bytes of the directories and values read so far are zero. */
  private readonly rest: Uint8Array;

  constructor(
    private readonly exif: Uint8Array,
    private readonly size: Size,
  ) {
    this.littleEndian = exif[0] === 0x49;
    this.rest = Uint8Array.from(exif);
  }

  isPlain(): boolean {
    const head = this.cursor(0);
    const order = head.ascii(2);
    if ((order !== 'II' && order !== 'MM') || head.u16() !== 42) return false;
    const first = head.u32();
    this.rest.fill(0, 0, 8);
    const exifAt = this.readDirectory(first, PICTURE_TAGS);
    if (exifAt === null || (exifAt > 0 && this.readDirectory(exifAt, EXIF_TAGS) === null)) return false;
    return isZero(this.rest);
  }

  /** The offset of a further directory, 0 if there is none; null if this one holds anything else. */
  private readDirectory(offset: number, shapes: Readonly<Record<number, Shape>>): number | null {
    const cursor = this.cursor(offset);
    const count = cursor.u16();
    const end = offset + 2 + count * ENTRY_BYTES + 4;
    if (count > Object.keys(shapes).length || end > this.exif.length) return null;
    const seen = new Set<number>();
    let exifAt = 0;
    for (let left = count; left > 0; left--) {
      const [tag, type, values] = [cursor.u16(), cursor.u16(), cursor.u32()];
      const shape = shapes[tag];
      const at = cursor.position;
      const place = cursor.u32();
      if (!shape?.types.includes(type) || values > shape.count || seen.has(tag)) return null;
      seen.add(tag);
      if (!this.readValue(shape, (TYPE_BYTES[type] ?? 0) * values, at, place)) return null;
      if (!this.isTrueSize(tag, type, at)) return null;
      if (tag === EXIF_DIRECTORY) exifAt = place;
    }
    if (cursor.u32() !== 0) return null;
    this.rest.fill(0, offset, end);
    return exifAt;
  }

  private isTrueSize(tag: number, type: number, at: number): boolean {
    const stated = tag === PIXEL_X ? this.size.width : tag === PIXEL_Y ? this.size.height : undefined;
    const cursor = this.cursor(at);
    return stated === undefined || stated === (type === SHORT ? cursor.u16() : cursor.u32());
  }

  /** A value of at most 4 bytes lies in its entry, a longer one at `place` of the block. */
  private readValue(shape: Shape, length: number, entryAt: number, place: number): boolean {
    const isInline = length <= 4;
    const at = isInline ? entryAt : place;
    if (length === 0 || at + length > this.exif.length) return false;
    if (isInline && !isZero(this.exif.subarray(at + length, at + 4))) return false;
    this.rest.fill(0, at, at + length);
    return shape.isHarmless?.(this.exif.subarray(at, at + length), this.littleEndian) ?? true;
  }

  private cursor(at: number): Cursor {
    return new Cursor(this.exif, at, this.littleEndian);
  }
}
