import { UnreadableFileError } from '../media-format';

/** Reads numbers off bytes in memory, in order. Every read past the end is an `UnreadableFileError`. */
export class Cursor {
  private readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    /** Next byte to read, counted from the start of `bytes`. */
    public position = 0,
    private readonly littleEndian = false,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes left. */
  get remaining(): number {
    return this.bytes.length - this.position;
  }

  u8(): number {
    return this.view.getUint8(this.advance(1));
  }

  u16(): number {
    return this.view.getUint16(this.advance(2), this.littleEndian);
  }

  u24(): number {
    const at = this.advance(3);
    const [first, last] = this.littleEndian ? [at + 2, at] : [at, at + 2];
    return (this.view.getUint8(first) << 16) | (this.view.getUint8(at + 1) << 8) | this.view.getUint8(last);
  }

  u32(): number {
    return this.view.getUint32(this.advance(4), this.littleEndian);
  }

  i32(): number {
    return this.view.getInt32(this.advance(4), this.littleEndian);
  }

  /** An unsigned 64-bit number; one beyond 2^53 can't be a size or offset of any real file. */
  u64(): number {
    const value = this.view.getBigUint64(this.advance(8), this.littleEndian);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new UnreadableFileError('A number is out of range.');
    return Number(value);
  }

  /** An unsigned number of `width` bytes, 0 to 8 as `iloc` knows them; 0 bytes read as 0. */
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
        throw new UnreadableFileError(`A number of ${width} bytes makes no sense.`);
    }
  }

  /** `length` bytes as Latin-1 characters. */
  ascii(length: number): string {
    return ascii(this.bytes, this.advance(length), length);
  }

  /** The next `length` bytes; a view, not a copy. */
  take(length: number): Uint8Array {
    const at = this.advance(length);
    return this.bytes.subarray(at, at + length);
  }

  skip(length: number): void {
    this.advance(length);
  }

  private advance(length: number): number {
    const at = this.position;
    if (length < 0 || at + length > this.bytes.length)
      throw new UnreadableFileError('The file ends too early.');
    this.position = at + length;
    return at;
  }
}

/** `length` bytes at `at` as Latin-1 characters; shorter where the bytes end. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** The Latin-1 characters of `text` as bytes. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);
}

/** Whether `text` (Latin-1) stands at `at`. */
export function hasAscii(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
