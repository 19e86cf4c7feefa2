import { BitReader } from '../../bytes/bit-reader';

/** One way to write a number in `U32`: a constant, or `offset` plus a number of that many bits. */
export type Choice = number | readonly [offset: number, bits: number];

/** Reads JPEG XL's bit stream (ISO/IEC 18181-1, annex B): the least significant bit of each byte first. */
export class JxlBitReader extends BitReader {
  constructor(bytes: Uint8Array) {
    super(bytes, 'least');
  }

  /** `U32(d0, d1, d2, d3)`: two bits choose the encoding of the number. */
  u32(...choices: readonly [Choice, Choice, Choice, Choice]): number {
    const choice = choices[this.bits(2)] ?? 0;
    return typeof choice === 'number' ? choice : choice[0] + this.bits(choice[1]);
  }

  /** `U64()`. Numbers beyond 2^53 are rounded; no real file has any. */
  u64(): number {
    const choice = this.bits(2);
    if (choice === 0) return 0;
    if (choice < 3) return choice === 1 ? 1 + this.bits(4) : 17 + this.bits(8);
    let value = this.bits(12);
    for (let shift = 12; this.flag(); shift += 8) {
      if (shift === 60) return value + this.bits(4) * 2 ** 60;
      value += this.bits(8) * 2 ** shift;
    }
    return value;
  }

  enumeration(): number {
    return this.u32(0, 1, [2, 4], [18, 6]);
  }
}

const F16_BITS = 16;

/** Skips this number of 16-bit floating-point numbers. */
export function skipF16(reader: JxlBitReader, count: number): void {
  reader.skip(count * F16_BITS);
}

/** The position of a name, so that its letters can be emptied without moving a bit. */
export interface NameBits {
  /** First bit, from the start of the reader's bytes. */
  readonly from: number;
  readonly to: number;
}

export function skipName(reader: JxlBitReader): NameBits {
  const letters = reader.u32(0, [0, 4], [16, 5], [48, 10]);
  const from = reader.position;
  reader.skip(letters * 8);
  return { from, to: reader.position };
}

/** Extensions start with their lengths, so that readers can skip unknown ones (annex B.3). */
export function skipExtensions(reader: JxlBitReader): void {
  const known = reader.u64();
  if (known === 0) return;
  let total = 0;
  for (let bit = 0; bit < 64; bit++) if (Math.floor(known / 2 ** bit) % 2 === 1) total += reader.u64();
  reader.skip(total);
}
