import type { ByteSource } from '../byte-source';
import { UnreadableFileError } from '../media-format';
import { readExactly, readExactlyInto } from './read';

const WINDOW_BYTES = 256 * 1024;

/**
 * Walks a file from front to back through a window of 256 KiB, so that millions of tiny steps cost
 * neither a read nor a turn of the event loop each: `await ensure(n)` first, then the plain reads.
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

  /** Whether `length` bytes from here on lie in the window, so that no `ensure` is needed. */
  has(length: number): boolean {
    const at = this.position - this.windowStart;
    return at >= 0 && at + length <= this.window.length;
  }

  /** Makes `length` bytes (at most the window) readable. @throws UnreadableFileError at the file's end. */
  async ensure(length: number): Promise<void> {
    if (this.has(length)) return;
    if (length > this.remaining) throw new UnreadableFileError('The file ends too early.');
    const wanted = Math.min(this.remaining, Math.max(length, WINDOW_BYTES));
    this.window = await this.read(wanted);
    this.windowStart = this.position;
  }

  /** There may be thousands of small parts (strips of a TIFF, pictures in an SVG); they must not cost a window each. */
  private read(wanted: number): Promise<Uint8Array> {
    if (!this.source.readInto) return readExactly(this.source, this.position, wanted);
    this.buffer ??= new Uint8Array(Math.min(WINDOW_BYTES, this.remaining));
    return readExactlyInto(this.buffer, this.source, this.position, wanted);
  }

  /** The byte here, after `ensure`. */
  u8(): number {
    const value = this.window[this.position - this.windowStart];
    if (value === undefined) throw new UnreadableFileError('The file ends too early.');
    this.position++;
    return value;
  }

  /** The next `length` bytes, after `ensure`; a view that the next `ensure` may outdate. */
  take(length: number): Uint8Array {
    const at = this.position - this.windowStart;
    this.position += length;
    return this.window.subarray(at, at + length);
  }

  /** What of the window lies ahead, for loops over single bytes; they move `position` themselves. */
  ahead(): Uint8Array {
    return this.window.subarray(this.position - this.windowStart);
  }
}
