import { UnreadableFileError } from '../../errors/file-errors';
import type { Segment } from '../../rewriting/rewrite';
import type { TiffStyle } from './directory';

const LONG = 4;
const LONG8 = 16;

export interface PageTag {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** The value, in the file's byte order. */
  readonly bytes: Uint8Array;
  /** Whether it differs from the source's value. */
  readonly isChanged: boolean;
}

/** A strip or tile. Its size is computed once, because a file may refer to one ten thousand times. */
export interface Block {
  readonly segments: readonly Segment[];
  /** Bytes. */
  readonly size: number;
  /** Whether it differs from the source's bytes. */
  readonly isChanged: boolean;
}

export interface Page {
  readonly tags: readonly PageTag[];
  /** The tags with the positions and the lengths of the strips or tiles. */
  readonly offsetsTag: number;
  readonly countsTag: number;
  /** The strips or tiles. Pages that share one hold the same object. */
  readonly blocks: readonly Block[];
}

/**
 * Lays out a TIFF: header, directories with their values, then strips and tiles in the order of the source, so that
 * it is read from front to back. Each starts at an even byte.
 */
export function layOut(style: TiffStyle, pages: readonly Page[]): Segment[] {
  const writer = new Writer(style);
  // The length of the directories doesn't depend on the offsets in them, so they are measured first and then written.
  const unplaced = new Map<Block, number>();
  const headLength = writer.head(pages, unplaced).length;

  const places = new Map<Block, number>();
  const data: Segment[] = [];
  let at = headLength;
  const blocks = [...new Set(pages.flatMap((page) => page.blocks))];
  for (const block of blocks.sort((a, b) => startOf(a) - startOf(b))) {
    places.set(block, at);
    for (const segment of block.segments) data.push(segment);
    at += block.size;
    if (at % 2 === 1) data.push({ bytes: Uint8Array.of(0) });
    at += at % 2;
  }
  if (!style.isBig && at > 0xffffffff)
    throw new UnreadableFileError('The TIFF is too large for 32-bit offsets.');
  return [{ bytes: writer.head(pages, places) }, ...data];
}

/** Position in the file of the first of a strip's own bytes. */
function startOf({ segments }: Block): number {
  const own = segments.find((segment) => 'from' in segment);
  return own?.from ?? 0;
}

class Writer {
  private readonly offsetBytes: number;

  constructor(private readonly style: TiffStyle) {
    this.offsetBytes = style.isBig ? 8 : 4;
  }

  /** Header and directories, for blocks at `places` (bytes from the file's start). */
  head(pages: readonly Page[], places: ReadonlyMap<Block, number>): Uint8Array {
    const parts: Uint8Array[] = [];
    let at = this.style.isBig ? 16 : 8;
    parts.push(this.header(at));
    for (const [i, page] of pages.entries()) {
      const directory = this.directory(page, places, at, i === pages.length - 1);
      parts.push(directory);
      at += directory.length;
    }
    return Buffer.concat(parts);
  }

  private header(first: number): Uint8Array {
    const order = this.style.littleEndian ? 0x49 : 0x4d;
    const kind = this.style.isBig ? [this.uint(43, 2), this.uint(8, 2), this.uint(0, 2)] : [this.uint(42, 2)];
    return Buffer.concat([Uint8Array.of(order, order), ...kind, this.uint(first, this.offsetBytes)]);
  }

  private directory(
    page: Page,
    places: ReadonlyMap<Block, number>,
    start: number,
    isLast: boolean,
  ): Uint8Array {
    const all = [...page.tags, ...this.blockTags(page, places)].sort((a, b) => a.tag - b.tag);
    const [countBytes, entryBytes] = this.style.isBig ? [8, 20] : [2, 12];
    const tableLength = countBytes + all.length * entryBytes + this.offsetBytes;
    const values: Uint8Array[] = [];
    let valueAt = start + tableLength;
    const table: Uint8Array[] = [this.uint(all.length, countBytes)];
    for (const { tag, type, count, bytes } of all) {
      table.push(this.uint(tag, 2), this.uint(type, 2), this.uint(count, this.offsetBytes));
      if (bytes.length <= this.offsetBytes) {
        table.push(bytes, new Uint8Array(this.offsetBytes - bytes.length));
      } else {
        table.push(this.uint(valueAt, this.offsetBytes));
        const padded = even(bytes);
        values.push(padded);
        valueAt += padded.length;
      }
    }
    valueAt += valueAt % 2;
    table.push(this.uint(isLast ? 0 : valueAt, this.offsetBytes));
    return even(Buffer.concat([...table, ...values]));
  }

  private blockTags(page: Page, places: ReadonlyMap<Block, number>): PageTag[] {
    const type = this.style.isBig ? LONG8 : LONG;
    const numbers = (tag: number, values: readonly number[]): PageTag => ({
      tag,
      type,
      count: values.length,
      bytes: Buffer.concat(values.map((value) => this.uint(value, this.offsetBytes))),
      isChanged: true,
    });
    return [
      numbers(
        page.offsetsTag,
        page.blocks.map((block) => places.get(block) ?? 0),
      ),
      numbers(
        page.countsTag,
        page.blocks.map(({ size }) => size),
      ),
    ];
  }

  private uint(value: number, width: number): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    if (this.style.littleEndian) {
      view.setBigUint64(0, BigInt(value), true);
      return bytes.subarray(0, width);
    }
    view.setBigUint64(0, BigInt(value));
    return bytes.subarray(8 - width);
  }
}

function even(bytes: Uint8Array): Uint8Array {
  return bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Uint8Array.of(0)]);
}
