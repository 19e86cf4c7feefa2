import type { ByteSource } from '../../bytes/byte-source';
import { Cursor } from '../../bytes/cursor';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';

const MAX_ENTRIES = 4096;
// Directories and values may overlap, so a small file could otherwise need any amount of memory.
const MAX_ENTRIES_IN_ALL = 200_000;
const MAX_BYTES_IN_ALL = 16 * 1024 * 1024;
/** Limit of the numbers of one tag; no page has more strips or tiles. */
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

/** One tag of a directory. Its value is read on demand. */
export interface Entry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Bytes of the whole value. */
  readonly length: number;
  /** Position of the value in the file. */
  readonly offset: number;
}

export interface Directory {
  readonly entries: ReadonlyMap<number, Entry>;
  /** Number of entries in the file, including those that are not read. */
  readonly count: number;
  /** Position in the file. */
  readonly from: number;
  readonly to: number;
  /** Position of the next directory of the chain; 0 after the last. */
  readonly next: number;
}

/** Reads directories and values, up to limits on their total that no real file reaches. */
export class TiffReader {
  private entriesLeft = MAX_ENTRIES_IN_ALL;
  private bytesLeft = MAX_BYTES_IN_ALL;

  private constructor(
    readonly source: ByteSource,
    readonly style: TiffStyle,
    /** Position of the first directory. */
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

  /** Reads the directory at `offset`. Leaves out tags of unknown types. */
  async directory(offset: number): Promise<Directory> {
    const [countBytes, entryBytes, offsetBytes] = this.style.isBig ? [8, 20, 8] : [2, 12, 4];
    const count = this.cursor(await readExactly(this.source, offset, countBytes)).uint(countBytes);
    this.entriesLeft -= count;
    if (count === 0 || count > MAX_ENTRIES || this.entriesLeft < 0) {
      throw new UnreadableFileError('A directory of the TIFF has an impossible size.');
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

  /** A tag's value as unsigned numbers. @throws UnreadableFileError if it is of another type. */
  async numbers(entry: Entry): Promise<number[]> {
    const width = UNSIGNED_TYPES.get(entry.type);
    if (width === undefined) throw new UnreadableFileError('A tag of the TIFF is of the wrong type.');
    if (entry.count > MAX_NUMBERS) throw new UnreadableFileError('The tags of the TIFF are too large.');
    const cursor = this.cursor(await this.value(entry));
    return Array.from({ length: entry.count }, () => cursor.uint(width));
  }

  /** The only (or first) number of a tag; `fallback` if the tag is absent. */
  async number(directory: Directory, tag: number, fallback: number): Promise<number> {
    const entry = directory.entries.get(tag);
    return entry ? ((await this.numbers(entry))[0] ?? fallback) : fallback;
  }

  private cursor(bytes: Uint8Array): Cursor {
    return new Cursor(bytes, 0, this.style.littleEndian);
  }
}
