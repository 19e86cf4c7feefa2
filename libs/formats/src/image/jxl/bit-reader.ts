import { UnreadableFileError } from '../../media-format';

/** One way to write a number in `U32`: a constant, or `offset` plus so many bits. */
export type Choice = number | readonly [offset: number, bits: number];

/** Reads JPEG XL's bit stream (ISO/IEC 18181-1, annex B): the least significant bit of each byte first. */
export class BitReader {
  /** Next bit, from the start of the bytes. */
  position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** An unsigned number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.position++) {
      const byte = this.bytes[this.position >> 3];
      if (byte === undefined) throw new UnreadableFileError('The JPEG XL ends too early.');
      value += ((byte >> (this.position & 7)) & 1) * 2 ** i;
    }
    return value;
  }

  bool(): boolean {
    return this.bits(1) === 1;
  }

  /** `U32(d0, d1, d2, d3)`: two bits choose how the number is written. */
  u32(...choices: readonly [Choice, Choice, Choice, Choice]): number {
    const choice = choices[this.bits(2)] ?? 0;
    return typeof choice === 'number' ? choice : choice[0] + this.bits(choice[1]);
  }

  /** `U64()`; beyond 2^53 only roughly, which no honest file needs. */
  u64(): number {
    const choice = this.bits(2);
    if (choice === 0) return 0;
    if (choice < 3) return choice === 1 ? 1 + this.bits(4) : 17 + this.bits(8);
    let value = this.bits(12);
    for (let shift = 12; this.bool(); shift += 8) {
      if (shift === 60) return value + this.bits(4) * 2 ** 60;
      value += this.bits(8) * 2 ** shift;
    }
    return value;
  }

  enumeration(): number {
    return this.u32(0, 1, [2, 4], [18, 6]);
  }

  skip(count: number): void {
    this.position += count;
  }

  /** Goes to the next whole byte, and says which that is. */
  align(): number {
    this.position = Math.ceil(this.position / 8) * 8;
    return this.position / 8;
  }
}

const F16_BITS = 16;

/** Goes past so many 16-bit floating-point numbers. */
export function skipF16(reader: BitReader, count: number): void {
  reader.skip(count * F16_BITS);
}

/** A name: where its letters lie, so that they can be made nothing without moving a bit. */
export interface NameBits {
  /** First bit, from the start of the reader's bytes. */
  readonly from: number;
  readonly to: number;
}

export function skipName(reader: BitReader): NameBits {
  const letters = reader.u32(0, [0, 4], [16, 5], [48, 10]);
  const from = reader.position;
  reader.skip(letters * 8);
  return { from, to: reader.position };
}

/** Extensions are announced with their lengths, so that readers can go past what they don't know (annex B.3). */
export function skipExtensions(reader: BitReader): void {
  const known = reader.u64();
  if (known === 0) return;
  let total = 0;
  for (let bit = 0; bit < 64; bit++) if (Math.floor(known / 2 ** bit) % 2 === 1) total += reader.u64();
  reader.skip(total);
}
