import { Cursor } from '../bytes/cursor';
import { hasAscii } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';

/** How to rotate and mirror the stored pixels for display (EXIF tag 274); 1 is upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

const ORIENTATION_TAG = 274;
const SHORT = 3;
/** Bytes of an integer by its type. Programs write orientations as any of these types, signed or not. */
const NUMBER_BYTES: Readonly<Record<number, 1 | 2 | 4>> = { 1: 1, 6: 1, 3: 2, 8: 2, 4: 4, 9: 4 };

/**
 * The orientation in the first directory of an EXIF block (starting with its TIFF header). 1 if the block can't be
 * read.
 */
export function readOrientation(exif: Uint8Array): Orientation {
  try {
    const littleEndian = hasAscii(exif, 0, 'II*\0');
    if (!littleEndian && !hasAscii(exif, 0, 'MM\0*')) return 1;
    const cursor = new Cursor(exif, 4, littleEndian);
    cursor.position = cursor.u32();
    for (let left = cursor.u16(); left > 0; left--) {
      const [tag, bytes, count] = [cursor.u16(), NUMBER_BYTES[cursor.u16()], cursor.u32()];
      const next = cursor.position + 4;
      if (tag === ORIENTATION_TAG && bytes && count === 1) {
        const value = bytes === 1 ? cursor.u8() : bytes === 2 ? cursor.u16() : cursor.u32();
        return isOrientation(value) ? value : 1;
      }
      cursor.position = next;
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
  return 1;
}

/** An EXIF block (without the `Exif\0\0` that JPEG puts before it) that holds only the orientation. */
export function orientationExif(orientation: Orientation): Uint8Array {
  return Uint8Array.of(
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8], // big-endian, directory at byte 8
    ...[0, 1], // one entry
    ...[ORIENTATION_TAG >> 8, ORIENTATION_TAG & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0], // no further directory
  );
}

/** Width and height as displayed: orientations 5 to 8 are rotated by 90° or 270°. */
export function orient(
  width: number,
  height: number,
  orientation: Orientation,
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

export function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}
