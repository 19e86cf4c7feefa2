import type { HuffmanTable, JpegComponent, JpegFrame, JpegScan } from './jpeg-structure';

const BLOCK_EDGE = 8;
const COEFFICIENTS = 64;
/** Bytes of a block's marks, a bit for each coefficient. */
const MARK_BYTES = COEFFICIENTS / 8;
const ZEROS_ONLY = 15;
/** Bytes of a scan after its last unit: padding of a byte that a cut marker may have left. */
const MAX_REST = 1;
const [MARKER, RST0, RST7] = [0xff, 0xd0, 0xd7];

/** The data of a scan ends too early, or holds a code that no table has. */
class IncompleteScan extends Error {}

/** A scan with its coded data. */
export interface CodedScan {
  readonly scan: JpegScan;
  readonly data: Uint8Array;
  /** Units between restart markers; 0 if there are none. */
  readonly restart: number;
}

/**
 * The earlier scans on which the length of a scan depends: those that tell which coefficients a refinement finds (T.81,
 * G.1.2.3).
 */
export function scansBefore<Scan extends { readonly scan: JpegScan }>(
  { from, to, isRefinement, parts: [part] }: JpegScan,
  earlier: readonly Scan[],
): Scan[] {
  if (!isRefinement || from === 0) return [];
  return earlier.filter(
    ({ scan }) =>
      scan.parts[0]?.component === part?.component && scan.from > 0 && scan.from <= to && scan.to >= from,
  );
}

/**
 * Whether the coded data of the last scan hold all its blocks, and nothing more (ITU-T T.81, annexes F and G). `earlier`: the
 * scans of `scansBefore`.
 */
export function isCompleteScan(frame: JpegFrame, last: CodedScan, earlier: readonly CodedScan[]): boolean {
  const { scan } = last;
  const isTracked = scan.isRefinement && scan.from > 0;
  const found = isTracked ? new Uint8Array(countUnits(frame, scan) * MARK_BYTES) : null;
  try {
    for (const one of earlier) readUnits(frame, one, new ScanBits(one.data), found);
    const bits = new ScanBits(last.data);
    readUnits(frame, last, bits, found);
    return bits.rest <= MAX_REST;
  } catch (error) {
    if (error instanceof IncompleteScan) return false;
    throw error;
  }
}

/** `found`: for each block, a bit for each coefficient that is not zero; only for scans of one component. */
function readUnits(
  frame: JpegFrame,
  { scan, restart }: CodedScan,
  bits: ScanBits,
  found: Uint8Array | null,
): void {
  const blocks = scan.parts.flatMap((part) => {
    const read = blockReader(scan, part, bits, found);
    const count = scan.parts.length === 1 ? 1 : part.component.across * part.component.down;
    return Array.from({ length: count }, () => read);
  });
  const units = countUnits(frame, scan);
  for (let unit = 0; unit < units; unit++) {
    if (restart > 0 && unit > 0 && unit % restart === 0) {
      bits.restart();
      for (const { reset } of blocks) reset();
    }
    for (const { block } of blocks) block(unit);
  }
}

/** Units of a scan: those of the whole picture, or the blocks of its only component (T.81, A.2). */
function countUnits({ width, height, components }: JpegFrame, { parts }: JpegScan): number {
  const most = (edge: 'across' | 'down'): number => Math.max(...components.map((one) => one[edge]));
  const across = (edge: number, part: number, whole: number): number =>
    Math.ceil(Math.ceil((edge * part) / whole) / BLOCK_EDGE);
  const [only, ...others] = parts.map(({ component }) => component);
  const { across: wide, down: high }: Pick<JpegComponent, 'across' | 'down'> =
    only && others.length === 0 ? only : { across: 1, down: 1 };
  return across(width, wide, most('across')) * across(height, high, most('down'));
}

interface BlockReader {
  /** Reads a block; `unit` is its number if the scan has one component. */
  readonly block: (unit: number) => void;
  readonly reset: () => void;
}

function blockReader(
  scan: JpegScan,
  { dc, ac }: JpegScan['parts'][number],
  bits: ScanBits,
  found: Uint8Array | null,
): BlockReader {
  const [first, others] = [dc && new Codes(dc), ac && new Codes(ac)];
  const isFound = (unit: number, at: number): boolean =>
    (((found?.[unit * MARK_BYTES + (at >> 3)] ?? 0) >> (at & 7)) & 1) === 1;
  const mark = (unit: number, at: number): void => {
    if (found && at < COEFFICIENTS)
      found[unit * MARK_BYTES + (at >> 3)] = (found[unit * MARK_BYTES + (at >> 3)] ?? 0) | (1 << (at & 7));
  };
  /** Blocks that follow without further coefficients (T.81, G.1.2.2). */
  let empty = 0;
  const refine = (unit: number): void => {
    let at = scan.from;
    while (empty === 0 && at <= scan.to && others) {
      const code = bits.code(others);
      const [run, size] = [code >> 4, code & 15];
      if (size === 0 && run < ZEROS_ONLY) {
        empty = 2 ** run + bits.take(run);
        break;
      }
      // The sign of a new coefficient, which follows `run` others that are still zero.
      bits.skip(size);
      for (let zeros = run; at <= scan.to; at++) {
        if (isFound(unit, at)) bits.skip(1);
        else if (zeros-- === 0) break;
      }
      if (size > 0) mark(unit, at);
      at++;
    }
    if (empty === 0) return;
    for (; at <= scan.to; at++) if (isFound(unit, at)) bits.skip(1);
    empty--;
  };
  const block = (unit: number): void => {
    if (scan.from === 0) {
      if (scan.isRefinement) bits.skip(1);
      else if (first) bits.skip(bits.code(first));
    }
    if (scan.to === 0 || !others) return;
    if (scan.isRefinement) return refine(unit);
    if (empty > 0) {
      empty--;
      return;
    }
    for (let at = Math.max(1, scan.from); at <= scan.to; at++) {
      const code = bits.code(others);
      const [run, size] = [code >> 4, code & 15];
      if (size > 0) {
        at += run;
        mark(unit, at);
        bits.skip(size);
      } else if (run === ZEROS_ONLY) at += ZEROS_ONLY;
      else {
        empty = 2 ** run + bits.take(run) - 1;
        return;
      }
      if (at >= COEFFICIENTS) throw new IncompleteScan();
    }
  };
  return { block, reset: () => void (empty = 0) };
}

/** Codes of a table by their length, for decoding (T.81, F.2.2.3). */
class Codes {
  /** One more than the largest code of each length; and what to add to a code for the place of its value. */
  readonly ends: number[] = [];
  readonly shifts: number[] = [];

  constructor(private readonly table: HuffmanTable) {
    let [code, place] = [0, 0];
    for (const count of table.counts) {
      this.shifts.push(place - code);
      code += count;
      place += count;
      this.ends.push(code);
      code *= 2;
    }
  }

  valueAt(place: number): number {
    const value = this.table.values[place];
    if (value === undefined) throw new IncompleteScan();
    return value;
  }
}

/** Reads bits of a scan, without the zeros after each `FF`. */
class ScanBits {
  private at = 0;
  private current = 0;
  private left = 0;

  constructor(private readonly data: Uint8Array) {}

  /** Bytes that have not been read. */
  get rest(): number {
    return this.data.length - this.at;
  }

  bit(): number {
    if (this.left === 0) {
      const value = this.data[this.at];
      if (value === undefined || (value === MARKER && this.data[this.at + 1] !== 0))
        throw new IncompleteScan();
      this.at += value === MARKER ? 2 : 1;
      [this.current, this.left] = [value, 8];
    }
    return (this.current >> --this.left) & 1;
  }

  take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.bit();
    return value;
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.bit();
  }

  code(codes: Codes): number {
    let code = 0;
    for (let length = 0; length < codes.ends.length; length++) {
      code = code * 2 + this.bit();
      if (code < (codes.ends[length] ?? 0)) return codes.valueAt(code + (codes.shifts[length] ?? 0));
    }
    throw new IncompleteScan();
  }

  /** Moves behind the restart marker that has to follow. */
  restart(): void {
    this.left = 0;
    const marker = this.data[this.at + 1] ?? 0;
    if (this.data[this.at] !== MARKER || marker < RST0 || marker > RST7) throw new IncompleteScan();
    this.at += 2;
  }
}
