import { UnreadableFileError } from '../errors/file-errors';
import type { ByteSource } from './byte-source';
import { readExactly, readExactlyInto } from './read';

const WINDOW_BYTES = 256 * 1024;

/**
 * Walks through a file from front to back by a window of 256 KiB: `await ensure(n)` first, then the synchronous
 * reads. So a small step usually costs neither a read nor a turn of the event loop, and a file may have millions of
 * steps.
 */
export class WindowReader {
  private buffer: Uint8Array | undefined;
  private window: Uint8Array = new Uint8Array(0);
  private windowStart = 0;

  constructor(
    private readonly source: ByteSource,
    /** Next byte to read, from the start of the file. */
    public position = 0,
  ) {}

  get remaining(): number {
    return this.source.size - this.position;
  }

  /** Whether the next `length` bytes lie in the window, so that `ensure` is not needed. */
  has(length: number): boolean {
    const at = this.position - this.windowStart;
    return at >= 0 && at + length <= this.window.length;
  }

  /** Makes the next `length` bytes (at most the window) readable. @throws UnreadableFileError if the file ends. */
  async ensure(length: number): Promise<void> {
    if (this.has(length)) return;
    if (length > this.remaining) throw new UnreadableFileError('The file ends too early.');
    const wanted = Math.min(this.remaining, Math.max(length, WINDOW_BYTES));
    this.window = await this.read(wanted);
    this.windowStart = this.position;
  }

  /** Reuses one buffer: a file may have thousands of small parts (strips of a TIFF, pictures in an SVG). */
  private read(wanted: number): Promise<Uint8Array> {
    if (!this.source.readInto) return readExactly(this.source, this.position, wanted);
    this.buffer ??= new Uint8Array(Math.min(WINDOW_BYTES, this.remaining));
    return readExactlyInto(this.buffer, this.source, this.position, wanted);
  }

  /** The next byte, after `ensure`. */
  u8(): number {
    const value = this.window[this.position - this.windowStart];
    if (value === undefined) throw new UnreadableFileError('The file ends too early.');
    this.position++;
    return value;
  }

  /** The next `length` bytes, after `ensure`; a view that the next `ensure` may overwrite. */
  take(length: number): Uint8Array {
    const at = this.position - this.windowStart;
    this.position += length;
    return this.window.subarray(at, at + length);
  }

  /** The rest of the window, for loops over single bytes, which change `position` themselves. */
  ahead(): Uint8Array {
    return this.window.subarray(this.position - this.windowStart);
  }
}
