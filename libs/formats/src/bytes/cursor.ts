import { UnreadableFileError } from '../errors/file-errors';
import { ByteView } from './byte-view';

/** Reads numbers from bytes in memory, in order. Every read past the end throws `UnreadableFileError`. */
export class Cursor {
  private readonly view: ByteView;

  constructor(
    readonly bytes: Uint8Array,
    /** Next byte to read, counted from the start of `bytes`. */
    public position = 0,
    private readonly littleEndian = false,
  ) {
    this.view = new ByteView(bytes);
  }

  /** Bytes left. */
  get remaining(): number {
    return this.bytes.length - this.position;
  }

  u8(): number {
    return this.view.u8(this.advance(1));
  }

  u16(): number {
    const at = this.advance(2);
    return this.littleEndian ? this.view.u16le(at) : this.view.u16(at);
  }

  u24(): number {
    const at = this.advance(3);
    return this.littleEndian ? this.view.u24le(at) : this.view.u24(at);
  }

  u32(): number {
    const at = this.advance(4);
    return this.littleEndian ? this.view.u32le(at) : this.view.u32(at);
  }

  i32(): number {
    const at = this.advance(4);
    return this.littleEndian ? this.view.i32le(at) : this.view.i32(at);
  }

  /** An unsigned 64-bit number. A number beyond 2^53 is an error: no file has such a size or offset. */
  u64(): number {
    const at = this.advance(8);
    const value = this.littleEndian ? this.view.u64le(at) : this.view.u64(at);
    if (value > Number.MAX_SAFE_INTEGER) throw new UnreadableFileError('A number is out of range.');
    return value;
  }

  /** An unsigned number of `width` bytes: 1, 2, 4 or 8, or 0 as in `iloc` boxes, where it stands for the number 0. */
  uint(width: number): number {
    switch (width) {
      case 0:
        return 0;
      case 1:
        return this.u8();
      case 2:
        return this.u16();
      case 4:
        return this.u32();
      case 8:
        return this.u64();
      default:
        throw new UnreadableFileError(`A number can't have ${width} bytes.`);
    }
  }

  /** `length` bytes as Latin-1 characters. */
  ascii(length: number): string {
    return this.view.ascii(this.advance(length), length);
  }

  /** The next `length` bytes, sharing memory with `bytes`. */
  take(length: number): Uint8Array {
    return this.view.take(this.advance(length), length);
  }

  skip(length: number): void {
    this.take(length);
  }

  /** Moves on by `length` bytes; returns where they start. The read that follows checks that they exist. */
  private advance(length: number): number {
    const at = this.position;
    this.position = at + length;
    return at;
  }
}
