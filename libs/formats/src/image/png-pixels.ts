import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { highestSample } from '../bytes/packed-samples';
import { readExactly } from '../bytes/read';
import { WindowReader } from '../bytes/window-reader';
import type { Size } from '../facts/displayed-size';
import { ANIMATION_BYTES } from './png-animation';
import { CHUNK_OVERHEAD, nextChunk, type Chunk } from './png-chunks';
import { PALETTE, type PngHeader } from './png-header';

/** Compressed bytes that are read at a time. */
const PART = 64 * 1024;
const MAX_FILTER = 4;
/** An upload with more pixels in all of its frames is refused, so further pixels are not checked. */
const MAX_PIXELS = 250_000_000;

/** Left, top, and the steps to the right and down of the passes of an interlaced picture (W3C PNG, third edition, 8.1). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const WHOLE = [[0, 0, 1, 1]] as const;

interface PixelCheck {
  /** Whether all rows are there, and each has a valid filter. */
  readonly isComplete: boolean;
  /** The highest number of a colour; meaningful only for pictures with a palette. */
  readonly highest: number;
}

/**
 * Checks the default picture and all frames from the position `from` on, without holding more than two rows: whether the
 * default picture is complete, and the highest number of a colour in any of them.
 */
export async function checkPixels(source: ByteSource, header: PngHeader, from: number): Promise<PixelCheck> {
  const reader = new WindowReader(source, from);
  const frames: Frame[] = [{ area: header, ends: [] }];
  for await (const { type, data, end } of chunksOf(reader)) {
    const content = end - 4;
    if (type === 'IDAT') frames[0]?.ends.push(data, content);
    else if (type === 'fdAT' && frames.length > 1 && content - data > 4)
      frames.at(-1)?.ends.push(data + 4, content);
    else if (type === 'fcTL' && content - data === ANIMATION_BYTES.get(type) && frames[0]?.ends.length)
      frames.push({ area: sizeOf(await readExactly(source, data + 4, 8)), ends: [] });
  }
  let [isComplete, highest, pixels] = [false, 0, 0];
  for (const frame of frames) {
    // A frame outside of the canvas makes the animation invalid, and is removed.
    if (frame.area.width > header.width || frame.area.height > header.height) continue;
    pixels += frame.area.width * frame.area.height;
    if (pixels > MAX_PIXELS) return { isComplete: isComplete || frame === frames[0], highest };
    const check = await checkRows(compressed(source, frame.ends), { ...header, ...frame.area });
    if (frame === frames[0]) ({ isComplete } = check);
    highest = Math.max(highest, check.highest);
  }
  return { isComplete, highest };
}

/** A picture, with the starts and ends of its compressed parts in the file: there may be a million. */
interface Frame {
  readonly area: Size;
  readonly ends: number[];
}

/** The chunks up to `IEND`, or to the end of a file that has none. */
async function* chunksOf(reader: WindowReader): AsyncGenerator<Chunk> {
  while (reader.remaining >= CHUNK_OVERHEAD) {
    const chunk = await nextChunk(reader);
    if (chunk.type === 'IEND') return;
    yield chunk;
  }
}

function sizeOf(bytes: Uint8Array): Size {
  const cursor = new Cursor(bytes);
  return { width: cursor.u32(), height: cursor.u32() };
}

async function* compressed(source: ByteSource, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < ends.length; index += 2) {
    const [from = 0, to = 0] = ends.slice(index, index + 2);
    for (let at = from; at < to; at += PART) yield readExactly(source, at, Math.min(PART, to - at));
  }
}

async function checkRows(parts: AsyncIterable<Uint8Array>, header: PngHeader): Promise<PixelCheck> {
  const rows = new Rows(header);
  const input = Readable.from(parts);
  const inflate = createInflate();
  input.on('error', (error) => inflate.destroy(error));
  try {
    for await (const bytes of input.pipe(inflate)) {
      rows.add(bytes as Uint8Array);
      if (rows.isOver) break;
    }
  } catch (error) {
    // The stream is damaged or ends too early. An error of the disk is none of zlib's.
    if (!isOfZlib(error)) throw error;
  } finally {
    input.destroy();
  }
  return { isComplete: rows.isComplete, highest: rows.highest };
}

const isOfZlib = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

/** Takes the rows of a picture in pieces. */
class Rows {
  highest = 0;
  private readonly passes: readonly {
    readonly bytes: number;
    readonly pixels: number;
    readonly rows: number;
  }[];
  private pass = 0;
  private row = 0;
  private filled = 0;
  private isDamaged = false;
  private current: Uint8Array;
  private above: Uint8Array;

  constructor(private readonly header: PngHeader) {
    const { width, height, channels, depth, isInterlaced } = header;
    this.passes = (isInterlaced ? PASSES : WHOLE)
      .map(([left, top, right, down]) => {
        const pixels = Math.max(0, Math.ceil((width - left) / right));
        const rows = Math.max(0, Math.ceil((height - top) / down));
        return { bytes: Math.ceil((pixels * channels * depth) / 8), pixels, rows };
      })
      .filter(({ pixels, rows }) => pixels > 0 && rows > 0);
    [this.current, this.above] = this.emptyRows();
  }

  get isComplete(): boolean {
    return !this.isDamaged && this.pass >= this.passes.length;
  }

  /** Whether nothing that follows matters. */
  get isOver(): boolean {
    return this.isDamaged || this.isComplete;
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.isOver;) {
      const part = bytes.subarray(at, at + this.current.length - this.filled);
      this.current.set(part, this.filled);
      this.filled += part.length;
      at += part.length;
      if (this.filled === this.current.length) this.finishRow();
    }
  }

  private finishRow(): void {
    const filter = this.current[0] ?? 0;
    this.isDamaged = filter > MAX_FILTER;
    if (this.header.type === PALETTE && !this.isDamaged) {
      unfilter(this.current, this.above, filter);
      const pixels = this.passes[this.pass]?.pixels ?? 0;
      this.highest = Math.max(
        this.highest,
        highestSample(this.current.subarray(1), this.header.depth, pixels),
      );
    }
    [this.current, this.above, this.filled] = [this.above, this.current, 0];
    if (++this.row < (this.passes[this.pass]?.rows ?? 0)) return;
    [this.pass, this.row] = [this.pass + 1, 0];
    [this.current, this.above] = this.emptyRows();
  }

  private emptyRows(): [Uint8Array, Uint8Array] {
    const length = 1 + (this.passes[this.pass]?.bytes ?? 0);
    return [new Uint8Array(length), new Uint8Array(length)];
  }
}

/** Undoes a filter of rows of one byte a pixel (W3C PNG, third edition, 9.2); the first byte is the filter. */
function unfilter(row: Uint8Array, above: Uint8Array, filter: number): void {
  if (filter === 0) return;
  for (let at = 1; at < row.length; at++) {
    const left = at > 1 ? (row[at - 1] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at > 1 ? (above[at - 1] ?? 0) : 0;
    const guess =
      filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
    row[at] = ((row[at] ?? 0) + guess) & 0xff;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
