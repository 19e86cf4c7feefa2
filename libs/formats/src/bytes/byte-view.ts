import { UnreadableFileError } from '../errors/file-errors';
import { ascii } from './text';

/**
 * Reads numbers from bytes in memory, at any offset; big-endian unless the name ends in `le`. Every read past the end
 * throws `UnreadableFileError`.
 */
export class ByteView {
  readonly length: number;
  private readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.length = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(at: number): number {
    return this.view.getUint8(this.checked(at, 1));
  }

  u16(at: number): number {
    return this.view.getUint16(this.checked(at, 2));
  }

  i16(at: number): number {
    return this.view.getInt16(this.checked(at, 2));
  }

  u24(at: number): number {
    return (this.u16(at) << 8) | this.u8(at + 2);
  }

  u32(at: number): number {
    return this.view.getUint32(this.checked(at, 4));
  }

  i32(at: number): number {
    return this.view.getInt32(this.checked(at, 4));
  }

  /** Numbers beyond 2^53 are rounded: as sizes and offsets they lie far past the end of any file. */
  u64(at: number): number {
    return this.u32(at) * 2 ** 32 + this.u32(at + 4);
  }

  f32(at: number): number {
    return this.view.getFloat32(this.checked(at, 4));
  }

  f64(at: number): number {
    return this.view.getFloat64(this.checked(at, 8));
  }

  u16le(at: number): number {
    return this.view.getUint16(this.checked(at, 2), true);
  }

  u24le(at: number): number {
    return this.u16le(at) | (this.u8(at + 2) << 16);
  }

  u32le(at: number): number {
    return this.view.getUint32(this.checked(at, 4), true);
  }

  i32le(at: number): number {
    return this.view.getInt32(this.checked(at, 4), true);
  }

  u64le(at: number): number {
    return this.u32le(at) + this.u32le(at + 4) * 2 ** 32;
  }

  /** `length` bytes as Latin-1, e.g. a four-character code. */
  ascii(at: number, length: number): string {
    return ascii(this.bytes, this.checked(at, length), length);
  }

  /** `length` bytes, sharing memory with this view. */
  take(at: number, length: number): Uint8Array {
    this.checked(at, length);
    return this.bytes.subarray(at, at + length);
  }

  /** The bytes from `from` (inclusive) to `to` (exclusive), sharing memory with this view. */
  slice(from: number, to: number = this.length): ByteView {
    return new ByteView(this.take(from, to - from));
  }

  private checked(at: number, length: number): number {
    if (!(at >= 0 && length >= 0 && at + length <= this.length)) {
      throw new UnreadableFileError('The file ends too early.');
    }
    return at;
  }
}
