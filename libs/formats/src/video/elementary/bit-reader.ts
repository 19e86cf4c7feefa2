import { UnreadableFileError } from '../../media-format';

/** Reads bits, most significant first; past the end throws `UnreadableFileError`. */
export class BitReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** An unsigned number of up to 32 bits. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.bytes[this.position >> 3];
      if (byte === undefined) throw new UnreadableFileError('A codec’s header ends before its time.');
      value = value * 2 + ((byte >> (7 - (this.position & 7))) & 1);
      this.position++;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  skip(count: number): void {
    this.position += count;
  }

  /** An unsigned Exp-Golomb code (ITU-T H.264, section 9.1). */
  ue(): number {
    let zeros = 0;
    while (!this.flag()) if (++zeros > 31) throw new UnreadableFileError('A codec’s header makes no sense.');
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed Exp-Golomb code. */
  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}
