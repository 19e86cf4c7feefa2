import { UnreadableFileError } from '../errors/file-errors';

/** Reads bits; every read past the end throws `UnreadableFileError`. */
export class BitReader {
  /** Next bit, counted from the start of the bytes. */
  position = 0;

  constructor(
    private readonly bytes: Uint8Array,
    /** Which bit of each byte comes first, and of each number: the most or the least significant. */
    private readonly first: 'most' | 'least' = 'most',
  ) {}

  /** An unsigned number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.position++) {
      const byte = this.bytes[this.position >> 3];
      if (byte === undefined) throw new UnreadableFileError('A header of the codec ends too early.');
      const place = this.position & 7;
      if (this.first === 'most') value = value * 2 + ((byte >> (7 - place)) & 1);
      else value += ((byte >> place) & 1) * 2 ** i;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number): void {
    this.position += count;
  }

  /** Moves to the next whole byte and returns its offset. */
  align(): number {
    this.position = Math.ceil(this.position / 8) * 8;
    return this.position / 8;
  }

  /** An unsigned Exp-Golomb code (ITU-T H.264, section 9.1). */
  ue(): number {
    let zeros = 0;
    while (!this.flag()) if (++zeros > 31) throw new UnreadableFileError('A header of the codec is invalid.');
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed Exp-Golomb code. */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
