import type { ByteSource } from '../bytes/byte-source';
import { Cursor } from '../bytes/cursor';
import { WindowReader } from '../bytes/window-reader';
import { UnreadableFileError } from '../errors/file-errors';

const CHUNK_HEADER = 8;
/** Bytes of a chunk's data that are read with its header: those that name the size of a picture. */
const HEAD = 16;
/** Limit for the whole file, including the chunks inside of frames. */
const MAX_CHUNKS = 100_000;

/** A chunk of a WebP; positions are bytes of the file. */
export interface WebpChunk {
  readonly type: string;
  /** Where its header starts. */
  readonly start: number;
  /** Where its data starts. */
  readonly data: number;
  /** Where its data ends, before the padding. */
  readonly dataEnd: number;
  /** The first bytes of its data, 16 at most. */
  readonly head: Uint8Array;
}

/** Finds chunks, and limits their total to what a real file has. */
export class WebpChunkWalker {
  private readonly reader: WindowReader;
  private chunksLeft = MAX_CHUNKS;

  constructor(source: ByteSource) {
    this.reader = new WindowReader(source);
  }

  /**
   * The chunks that follow each other between `from` and `to` (bytes of the file).
   * @throws UnreadableFileError if one extends beyond `to`, or there are too many.
   */
  async read(from: number, to: number): Promise<WebpChunk[]> {
    const chunks: WebpChunk[] = [];
    let start = from;
    while (to - start >= CHUNK_HEADER) {
      if (this.chunksLeft-- === 0) throw new UnreadableFileError('The WebP has too many chunks.');
      const ahead = Math.min(CHUNK_HEADER + HEAD, to - start);
      this.reader.position = start;
      if (!this.reader.has(ahead)) await this.reader.ensure(ahead);
      const bytes = this.reader.take(ahead);
      const cursor = new Cursor(bytes, 0, true);
      const type = cursor.ascii(4);
      const data = start + CHUNK_HEADER;
      const length = cursor.u32();
      const dataEnd = data + length;
      if (dataEnd > to) throw new UnreadableFileError('The WebP ends too early.');
      // The window may be overwritten.
      const head = bytes.slice(CHUNK_HEADER, CHUNK_HEADER + Math.min(HEAD, length));
      chunks.push({ type, start, data, dataEnd, head });
      start = Math.min(to, dataEnd + (length % 2));
    }
    return chunks;
  }
}
