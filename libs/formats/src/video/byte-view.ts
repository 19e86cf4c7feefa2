import { UnreadableFileError } from '../media-format';

/** Bounds-checked reading of a run of bytes: whatever lies outside throws `UnreadableFileError`. */
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

  /** As a number; what a double can't hold is far past the end of any file, and stays so. */
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
    this.checked(at, length);
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  /** The bytes from `from` (inclusive) to `to` (exclusive), sharing memory with this view. */
  slice(from: number, to: number = this.length): ByteView {
    this.checked(from, to - from);
    return new ByteView(this.bytes.subarray(from, to));
  }

  private checked(at: number, length: number): number {
    if (!(at >= 0 && length >= 0 && at + length <= this.length)) {
      throw new UnreadableFileError('A structure of the file ends before its time.');
    }
    return at;
  }
}
