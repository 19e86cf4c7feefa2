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
}
