import { UnreadableFileError } from '../../errors/file-errors';
import type { Redaction } from '../../rewriting/redaction';
import { isSei, seiComments } from './sei-comments';
import { guessCodec, type ElementaryCodec } from './stream-picture';
import { USER_DATA, userDataComments } from './user-data';

const START_CODE = Buffer.of(0, 0, 1);
/** Far longer than any comment. The rest of a longer one is not scrubbed. */
const CAPACITY = 1 << 19;
/** An hour of the smallest slices has fewer units. */
const MAX_UNITS = 8_000_000;

/**
 * Overwrites comments in an elementary stream with start codes (MPEG video, H.264, HEVC). The stream comes in pieces
 * from anywhere in the file: a comment may span several packets of a transport stream.
 */
export class StartCodeScrubber {
  private bytes = Buffer.alloc(0);
  private length = 0;
  /** The start of each piece in `bytes`, and in the file. */
  private pieces: { at: number; from: number }[] = [];
  private units = 0;

  /** `codec`: null if it must be detected from the stream. */
  constructor(
    private readonly redaction: Redaction,
    private codec: ElementaryCodec | null,
  ) {}

  /** Takes the next bytes of the stream. `from` is their position in the file. */
  feed(bytes: Uint8Array, from: number): void {
    for (let taken = 0; taken < bytes.length;) {
      if (this.length === CAPACITY) this.scan(false);
      const room = Math.min(bytes.length - taken, CAPACITY - this.length);
      this.reserve(this.length + room);
      this.bytes.set(bytes.subarray(taken, taken + room), this.length);
      this.pieces.push({ at: this.length, from: from + taken });
      this.length += room;
      taken += room;
    }
  }

  /** Ends the stream: the next bytes belong to another picture, or there are none. */
  end(): void {
    this.scan(true);
  }

  /** Grows the buffer on demand, because a file may name thousands of streams and fill none. */
  private reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const bytes = Buffer.alloc(Math.min(CAPACITY, Math.max(size, this.bytes.length * 2)));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
  }

  private scan(isLast: boolean): void {
    const bytes = this.bytes.subarray(0, this.length);
    this.codec ??= guessCodec(bytes);
    let at = bytes.indexOf(START_CODE);
    while (at >= 0) {
      if (++this.units > MAX_UNITS) throw new UnreadableFileError('The stream is too fragmented.');
      const next = bytes.indexOf(START_CODE, at + 3);
      if (next < 0 && !isLast && at > 0) break;
      this.scrubUnit(bytes, at + 3, next < 0 ? bytes.length : next);
      if (next < 0) break;
      at = next;
    }
    this.keep(isLast ? this.length : this.carried(bytes, at));
  }

  /**
   * The start of the bytes that are needed when more arrive: the last unit if it may be a comment, or a part of a
   * start code.
   */
  private carried(bytes: Buffer, last: number): number {
    const tail = Math.max(0, bytes.length - 3);
    if (last <= 0) return tail;
    return this.mayBeComment(bytes[last + 3]) ? last : tail;
  }

  private mayBeComment(code: number | undefined): boolean {
    if (code === undefined || this.codec === null) return true;
    if (this.codec === 'h264' || this.codec === 'hevc') return isSei(this.codec, code);
    return code === USER_DATA;
  }

  /** Keeps only the bytes from `from` on. */
  private keep(from: number): void {
    this.bytes.copyWithin(0, from, this.length);
    this.pieces = this.length === from ? [] : this.pieces.slice(this.pieceAt(from));
    this.pieces = this.pieces.map((piece) => ({
      at: Math.max(0, piece.at - from),
      from: piece.from + Math.max(0, from - piece.at),
    }));
    this.length -= from;
  }

  /**
   * The piece with the collected byte at `offset`. A binary search, because one comment may be split into thousands
   * of pieces.
   */
  private pieceAt(offset: number): number {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.pieces[middle]?.at ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  private scrubUnit(bytes: Buffer, from: number, to: number): void {
    const code = bytes[from];
    if (code === undefined || from >= to || !this.mayBeComment(code)) return;
    if (this.codec === 'h264' || this.codec === 'hevc') {
      for (const part of seiComments(this.codec, bytes.subarray(from, to))) {
        this.redact(from + part.from, from + part.to);
      }
    } else if (this.codec === 'mpeg' || this.codec === 'mpeg4') {
      let end = to;
      while (end > from + 1 && bytes[end - 1] === 0) end--;
      for (const part of userDataComments(this.codec, bytes.subarray(from + 1, end))) {
        this.redact(from + 1 + part.from, from + 1 + part.to);
      }
    }
  }

  /** Overwrites `[from, to)` of the collected bytes in the file, piece by piece. */
  private redact(from: number, to: number): void {
    let index = this.pieceAt(from);
    for (let at = from; at < to; index++) {
      const piece = this.pieces[index];
      if (!piece) return;
      const end = Math.min(to, this.pieces[index + 1]?.at ?? this.length);
      this.redaction.fill(piece.from + at - piece.at, piece.from + end - piece.at, 0xff);
      at = end;
    }
  }
}
