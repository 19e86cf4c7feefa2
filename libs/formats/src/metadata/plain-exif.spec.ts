import { isPlainExif } from './plain-exif';

type Entry = readonly [tag: number, type: number, count: number, value: number];

const [ASCII, SHORT, LONG, RATIONAL, UNDEFINED] = [2, 3, 4, 5, 7];
const ORIENTATION: Entry = [274, SHORT, 1, 6];
const HEAD = 8;

/** A little-endian block of one directory, then `rest`. `next` is the position of a second directory. */
function exif(entries: readonly Entry[], rest: Uint8Array = Buffer.alloc(0), next = 0): Buffer {
  const bytes = Buffer.alloc(HEAD + directorySize(entries.length));
  bytes.write('II*\0\x08', 'latin1');
  writeDirectory(bytes, HEAD, entries, next);
  return Buffer.concat([bytes, rest]);
}

const directorySize = (count: number): number => 2 + count * 12 + 4;

function writeDirectory(bytes: Buffer, at: number, entries: readonly Entry[], next: number): void {
  bytes.writeUInt16LE(entries.length, at);
  entries.forEach(([tag, type, count, value], i) => {
    const entry = at + 2 + i * 12;
    bytes.writeUInt16LE(tag, entry);
    bytes.writeUInt16LE(type, entry + 2);
    bytes.writeUInt32LE(count, entry + 4);
    bytes.writeUInt32LE(value, entry + 8);
  });
  bytes.writeUInt32LE(next, at + 2 + entries.length * 12);
}

/** A block whose second directory, of Exif's own tags, holds `entries`. */
function nested(entries: readonly Entry[]): Buffer {
  const inner = Buffer.alloc(directorySize(entries.length));
  writeDirectory(inner, 0, entries, 0);
  return exif([[34665, LONG, 1, HEAD + directorySize(1)]], inner);
}

const VERSION: Entry = [36864, UNDEFINED, 4, 0x30323230];
const after = HEAD + directorySize(1);

const SIZE = { width: 4000, height: 3000 };

describe('isPlainExif', () => {
  it.each([
    ['an orientation', exif([ORIENTATION])],
    ['a resolution', exif([[282, RATIONAL, 1, after]], Buffer.of(72, 0, 0, 0, 1, 0, 0, 0))],
    ['a program that is known', exif([[305, ASCII, 12, after]], Buffer.from('GIMP 2.10.8\0'))],
    ['version and size', nested([VERSION, [40962, LONG, 1, 4000]])],
    ['zeros at the end', exif([ORIENTATION], Buffer.alloc(3))],
  ])('returns true for %s', (_, block) => expect(isPlainExif(block, SIZE)).toBe(true));

  it.each([
    ['a device', exif([[271, ASCII, 4, 0x6e6e41]])],
    ['a program that is not known', exif([[305, ASCII, 4, 0x6e6e41]])],
    ['a time', nested([[36867, ASCII, 4, 0x6e6e41]])],
    ['a version of letters', nested([[36864, UNDEFINED, 4, 0x6e6e4141]])],
    ['a place', exif([[34853, LONG, 1, after]], Buffer.alloc(directorySize(0)))],
    ['a thumbnail', exif([ORIENTATION], Buffer.alloc(directorySize(0)), after)],
    ['bytes of no tag', exif([ORIENTATION], Buffer.from('Ann'))],
    ['bytes that a short value does not use', exif([[274, SHORT, 1, 0x6e410006]])],
    ['another width', nested([[40962, LONG, 1, 3999]])],
    ['another height', nested([[40963, SHORT, 1, 4000]])],
    ['a tag twice', exif([ORIENTATION, ORIENTATION])],
    ['an orientation of another integer type', exif([[274, LONG, 1, 6]])],
    ['an orientation that does not exist', exif([[274, SHORT, 1, 9]])],
    ['a tag of another type', exif([[274, ASCII, 4, 0x6e6e41]])],
    ['a value beyond its end', exif([[282, RATIONAL, 1, 9999]])],
    ['no header', Buffer.from('Ann')],
    ['nothing', Buffer.alloc(0)],
  ])('returns false for %s', (_, block) => expect(isPlainExif(block, SIZE)).toBe(false));
});
