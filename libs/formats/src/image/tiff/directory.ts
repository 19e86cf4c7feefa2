import type { ByteSource } from '../../byte-source';
import { Cursor } from '../../bytes/cursor';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../media-format';

const MAX_ENTRIES = 4096;
// Directories and values may overlap, so that a small file could ask for any amount of memory.
const MAX_ENTRIES_IN_ALL = 200_000;
const MAX_BYTES_IN_ALL = 16 * 1024 * 1024;
/** Numbers of one tag: strips or tiles, of which no page has more. */
const MAX_NUMBERS = 200_000;

/** Bytes of one value, by field type (TIFF 6.0, section 2; BigTIFF adds 16 to 18). */
const TYPE_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [6, 1],
  [7, 1],
  [8, 2],
  [9, 4],
  [10, 8],
  [11, 4],
  [12, 8],
  [13, 4],
  [16, 8],
  [17, 8],
  [18, 8],
]);
const UNSIGNED_TYPES: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [3, 2],
  [4, 4],
  [13, 4],
  [16, 8],
  [18, 8],
]);

/** Byte order and width of offsets, the same for the whole file. */
export interface TiffStyle {
  readonly littleEndian: boolean;
  /** BigTIFF: offsets and counts of 8 bytes. */
  readonly isBig: boolean;
}

/** One tag of a directory; its value is read when asked for. */
export interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Bytes of the whole value. */
  readonly length: number;
  /** Where the value lies in the file. */
  readonly offset: number;
}

export interface Directory {
  readonly entries: ReadonlyMap<number, Entry>;
  /** How many entries it lists, those that are read or not. */
  readonly count: number;
  /** Where it lies in the file. */
  readonly from: number;
  readonly to: number;
  /** Where the next directory of the chain lies; 0 after the last. */
  readonly next: number;
}

/** Reads directories and values, and no more of them in all than a real file holds. */
export class TiffReader {
  private entriesLeft = MAX_ENTRIES_IN_ALL;
  private bytesLeft = MAX_BYTES_IN_ALL;

  private constructor(
    readonly source: ByteSource,
    readonly style: TiffStyle,
    /** Where the first directory lies. */
    readonly first: number,
  ) {}

  /** Reads the file's header. */
  static async open(source: ByteSource): Promise<TiffReader> {
    const littleEndian = (await readExactly(source, 0, 2))[0] === 0x49;
    const cursor = new Cursor(await source.read(0, 16), 2, littleEndian);
    const isBig = cursor.u16() === 43;
    if (isBig) cursor.skip(4);
    return new TiffReader(source, { littleEndian, isBig }, isBig ? cursor.u64() : cursor.u32());
  }

  /** Reads the directory at `offset`. Tags of types that nobody knows are left out. */
  async directory(offset: number): Promise<Directory> {
    const [countBytes, entryBytes, offsetBytes] = this.style.isBig ? [8, 20, 8] : [2, 12, 4];
    const count = this.cursor(await readExactly(this.source, offset, countBytes)).uint(countBytes);
    this.entriesLeft -= count;
    if (count === 0 || count > MAX_ENTRIES || this.entriesLeft < 0) {
      throw new UnreadableFileError('A directory of the TIFF makes no sense.');
    }
    const start = offset + countBytes;
    const table = this.cursor(await readExactly(this.source, start, count * entryBytes + offsetBytes));
    const entries = new Map<number, Entry>();
    for (let i = 0; i < count; i++) {
      const [tag, type, values] = [table.u16(), table.u16(), table.uint(offsetBytes)];
      const inline = start + table.position;
      const value = table.uint(offsetBytes);
      const length = (TYPE_BYTES.get(type) ?? 0) * values;
      if (length === 0) continue;
      entries.set(tag, { tag, type, count: values, length, offset: length <= offsetBytes ? inline : value });
    }
    const next = table.uint(offsetBytes);
    return { entries, count, from: offset, to: start + table.position, next };
  }

  /** The raw bytes of a tag's value. */
  value(entry: Entry): Promise<Uint8Array> {
    this.bytesLeft -= entry.length;
    if (this.bytesLeft < 0) throw new UnreadableFileError('The tags of the TIFF are too large.');
    return readExactly(this.source, entry.offset, entry.length);
  }

  /** A tag's value as unsigned numbers. @throws UnreadableFileError where it is of another type. */
  async numbers(entry: Entry): Promise<number[]> {
    const width = UNSIGNED_TYPES.get(entry.type);
    if (width === undefined) throw new UnreadableFileError('A tag of the TIFF is of the wrong type.');
    if (entry.count > MAX_NUMBERS) throw new UnreadableFileError('The tags of the TIFF are too large.');
    const cursor = this.cursor(await this.value(entry));
    return Array.from({ length: entry.count }, () => cursor.uint(width));
  }

  /** A tag's only (or first) number; `fallback` where the tag is absent. */
  async number(directory: Directory, tag: number, fallback: number): Promise<number> {
    const entry = directory.entries.get(tag);
    return entry ? ((await this.numbers(entry))[0] ?? fallback) : fallback;
  }

  private cursor(bytes: Uint8Array): Cursor {
    return new Cursor(bytes, 0, this.style.littleEndian);
  }
}
