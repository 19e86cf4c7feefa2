import { Cursor } from '../bytes/cursor';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';

// Markers of frames (ITU-T T.81, table B.1, and T.87).
const [BASELINE, EXTENDED, PROGRESSIVE] = [0xc0, 0xc1, 0xc2];
const LOSSLESS = [0xc3, 0xcb];
const ARITHMETIC = [0xc9, 0xca];

const DEPTH = 8;
const [MAX_SAMPLING, MAX_TABLE, MAX_BLOCKS_IN_UNIT] = [4, 3, 10];
/** libvips refuses more scans, which cost much time (T.81 allows any number). */
const MAX_SCANS = 100;
const LAST_COEFFICIENT = 63;
const MAX_SHIFT = 13;
const CODE_LENGTHS = 16;
/** The class of tables of coefficients other than the first; the bits of the first have a limit. */
const [AC, MAX_DC_BITS] = [0x10, 15];

export interface JpegComponent {
  readonly id: number;
  /** Blocks of the component in each unit: in a row, and rows. */
  readonly across: number;
  readonly down: number;
  readonly quantisation: number;
}

export interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly components: readonly JpegComponent[];
}

/** A table of codes: how many have each length from 1 to 16, and their values. */
export interface HuffmanTable {
  readonly counts: Uint8Array;
  readonly values: Uint8Array;
}

export interface JpegScan {
  readonly parts: readonly {
    readonly component: JpegComponent;
    readonly dc: HuffmanTable | undefined;
    readonly ac: HuffmanTable | undefined;
  }[];
  /** The coefficients: the first and the last. */
  readonly from: number;
  readonly to: number;
  /** Whether it refines coefficients of earlier scans. */
  readonly isRefinement: boolean;
}

/**
 * Checks that the frame, the tables and the scans of a JPEG follow ITU-T T.81, and that all programs read them alike. An
 * abbreviated stream of a TIFF has its tables elsewhere (`hasOwnTables`).
 */
export class JpegStructure {
  frame: JpegFrame | undefined;
  /** The last scan. */
  scan: JpegScan | undefined;
  private scans = 0;
  private readonly huffman = new Map<number, HuffmanTable>();
  private readonly quantisation = new Map<number, string>();
  private readonly usedQuantisation = new Set<number>();
  /** The lowest bit that is known of each coefficient of a component. */
  private readonly known = new Map<number, Map<number, number>>();

  constructor(private readonly hasOwnTables: boolean) {}

  /** The content of a frame's segment. */
  readFrame(marker: number, content: Uint8Array): void {
    if (this.frame) throw new UnreadableFileError('The JPEG has more than one frame.');
    if (LOSSLESS.includes(marker)) throw new UnsupportedVariantError('Lossless JPEG is not supported.');
    if (ARITHMETIC.includes(marker))
      throw new UnsupportedVariantError('JPEG with arithmetic coding is not supported.');
    if (marker !== BASELINE && marker !== EXTENDED && marker !== PROGRESSIVE)
      throw new UnsupportedVariantError('Hierarchical JPEG is not supported.');
    const cursor = new Cursor(content);
    const [depth, height, width, count] = [cursor.u8(), cursor.u16(), cursor.u16(), cursor.u8()];
    if (depth !== DEPTH)
      throw new UnsupportedVariantError(`JPEG with ${depth} bits in each channel is not supported.`);
    if (height === 0)
      throw new UnsupportedVariantError('JPEG whose height follows its pixels is not supported.');
    if (width === 0) throw new UnreadableFileError('The JPEG has no width.');
    if (this.hasOwnTables && ![1, 3, 4].includes(count))
      throw new UnsupportedVariantError(`JPEG with ${count} channels is not supported.`);
    const components = Array.from({ length: count }, (): JpegComponent => {
      const [id, sampling, quantisation] = [cursor.u8(), cursor.u8(), cursor.u8()];
      return { id, across: sampling >> 4, down: sampling & 15, quantisation };
    });
    if (cursor.remaining > 0 || new Set(components.map(({ id }) => id)).size !== count)
      throw new UnreadableFileError('The frame of the JPEG is invalid.');
    checkSampling(components);
    this.frame = { width, height, isProgressive: marker === PROGRESSIVE, components };
  }

  /** The content of a segment of quantisation tables. */
  readQuantisation(content: Uint8Array): void {
    for (const cursor = new Cursor(content); cursor.remaining > 0;) {
      const head = cursor.u8();
      const [isDeep, id] = [head >> 4, head & 15];
      if (isDeep > 1 || id > MAX_TABLE) throw new UnreadableFileError('A table of the JPEG is invalid.');
      const at = cursor.position;
      cursor.skip(isDeep ? 128 : 64);
      if (cursor.remaining < 0) throw new UnreadableFileError('A table of the JPEG is cut.');
      const table = Buffer.from(content.subarray(at, cursor.position)).toString('hex');
      // Some programs use the table of the first scan for all scans of a component, others the last one.
      if (this.usedQuantisation.has(id) && this.quantisation.get(id) !== table)
        throw new UnsupportedVariantError(
          'JPEG that changes its quantisation between scans is not supported.',
        );
      this.quantisation.set(id, table);
    }
  }

  /** The content of a segment of Huffman tables. */
  readHuffman(content: Uint8Array): void {
    for (const cursor = new Cursor(content); cursor.remaining > 0;) {
      const head = cursor.u8();
      if (head >> 4 > 1 || (head & 15) > MAX_TABLE)
        throw new UnreadableFileError('A table of the JPEG is invalid.');
      const counts = Uint8Array.from({ length: CODE_LENGTHS }, () => cursor.u8());
      let [total, free] = [0, 1];
      for (const count of counts) {
        free = free * 2 - count;
        total += count;
        if (free < 0) throw new UnreadableFileError('A table of the JPEG is invalid.');
      }
      if (total > 256) throw new UnreadableFileError('A table of the JPEG is invalid.');
      const values = Uint8Array.from({ length: total }, () => cursor.u8());
      if (head < AC && values.some((size) => size > MAX_DC_BITS))
        throw new UnreadableFileError('A table of the JPEG is invalid.');
      this.huffman.set(head, { counts, values });
    }
  }

  /** The content of the segment that begins a scan. */
  readScan(content: Uint8Array): void {
    const { frame } = this;
    if (!frame) throw new UnreadableFileError('A scan of the JPEG has no frame.');
    if (++this.scans > MAX_SCANS)
      throw new UnsupportedVariantError(`JPEG with more than ${MAX_SCANS} scans is not supported.`);
    const cursor = new Cursor(content);
    const named = Array.from({ length: cursor.u8() }, () => ({ id: cursor.u8(), tables: cursor.u8() }));
    const [from, to, bits] = [cursor.u8(), cursor.u8(), cursor.u8()];
    const [high, low] = [bits >> 4, bits & 15];
    const [isDc, isRefinement] = [from === 0, high > 0];
    const parts = named.map(({ id, tables }) => {
      const component = frame.components.find((one) => one.id === id);
      if (!component) throw new UnreadableFileError('A scan of the JPEG has an unknown component.');
      return { component, dc: this.huffman.get(tables >> 4), ac: this.huffman.get(AC | (tables & 15)) };
    });
    const blocks = parts.reduce((sum, { component: { across, down } }) => sum + across * down, 0);
    const isSequential = !frame.isProgressive && isDc && to === LAST_COEFFICIENT && bits === 0;
    const isStep =
      frame.isProgressive &&
      (isDc ? to === 0 : parts.length === 1 && from <= to && to <= LAST_COEFFICIENT) &&
      low <= MAX_SHIFT &&
      (!isRefinement || high === low + 1);
    const isValid =
      (isSequential || isStep) &&
      cursor.remaining === 0 &&
      parts.length > 0 &&
      new Set(named.map(({ id }) => id)).size === parts.length &&
      (parts.length === 1 || blocks <= MAX_BLOCKS_IN_UNIT);
    if (!isValid) throw new UnsupportedVariantError('JPEG with an invalid scan is not supported.');
    for (const { component, dc, ac } of parts) {
      this.advance(component, { from, to, high, low });
      const lacksTable = (isDc && !isRefinement && !dc) || (to > 0 && !ac);
      if (this.hasOwnTables && (lacksTable || !this.quantisation.has(component.quantisation)))
        throw new UnreadableFileError('A table of the JPEG is missing.');
      this.usedQuantisation.add(component.quantisation);
    }
    this.scan = { parts, from, to, isRefinement };
  }

  /** Records what a scan tells of a component: each coefficient from its high bits to its low ones, the first one first. */
  private advance(
    { id }: JpegComponent,
    { from, to, high, low }: { readonly from: number; readonly to: number; high: number; low: number },
  ): void {
    const known = this.known.get(id) ?? new Map<number, number>();
    this.known.set(id, known);
    for (let at = from; at <= to; at++) {
      const before = known.get(at);
      const isNext = high === 0 ? before === undefined : before === high;
      if (!isNext || (at > 0 && !known.has(0)))
        throw new UnsupportedVariantError('JPEG with repeated or missing scans is not supported.');
      known.set(at, low);
    }
  }

  /** Whether the scans tell every bit of every coefficient. */
  get isWhole(): boolean {
    const count = LAST_COEFFICIENT + 1;
    const isKnown = ({ id }: JpegComponent): boolean => {
      const lows = [...(this.known.get(id)?.values() ?? [])];
      return lows.length === count && lows.every((low) => low === 0);
    };
    return this.frame?.components.every(isKnown) ?? false;
  }

  /** @throws UnreadableFileError if the picture lacks a scan. */
  end(): void {
    if (this.frame && this.scans === 0) throw new UnreadableFileError('The JPEG has no scan.');
    if (this.frame?.components.some(({ id }) => !this.known.has(id)))
      throw new UnreadableFileError('The JPEG lacks the scan of a channel.');
  }
}

/** @throws UnsupportedVariantError if channels have sizes that are no whole parts of each other. */
function checkSampling(components: readonly JpegComponent[]): void {
  const [across, down] = [components.map((one) => one.across), components.map((one) => one.down)];
  const isWhole = (each: readonly number[]): boolean =>
    each.every((value) => value >= 1 && value <= MAX_SAMPLING && Math.max(...each) % value === 0);
  if (!isWhole(across) || !isWhole(down))
    throw new UnsupportedVariantError('JPEG with an unusual sampling of its channels is not supported.');
  if (components.some(({ quantisation }) => quantisation > MAX_TABLE))
    throw new UnreadableFileError('The frame of the JPEG is invalid.');
}
