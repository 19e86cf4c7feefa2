import { concatBytes } from '../bytes/arrays';
import { ByteView } from '../bytes/byte-view';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import { MAX_ENTRIES, NO_CURVE, readCurveTag, tableTag, type CurveTag } from './tone-curve';

/** Three values: of a device, of CIE XYZ, or of CIE Lab. */
export type Triple = readonly [number, number, number];

const OUTPUTS = 3;
const MAX_POINTS = 200_000;
/** Positions in `mft1` and `mft2` (ICC.1:2022, 10.10 and 10.11). */
const COUNTS_AT = 48;
/** Positions in `mAB ` (10.12). Its matrix has nine factors, and then three summands. */
const OFFSETS_AT = 12;
const MATRIX_ORDER = [0, 1, 2, 9, 3, 4, 5, 10, 6, 7, 8, 11];
const GRID_HEADER = 20;
/** Encoded values of XYZ reach to 1 + 32,767 / 32,768. */
export const XYZ_SCALE = 65_535 / 32_768;

/** A grid of points: those of the last input follow each other. */
export interface Grid {
  /** Points along each input. */
  readonly sizes: readonly number[];
  /** Values of the points (0 to 1), three for each. */
  readonly points: Float32Array;
  /** Bytes of each value: 1 or 2. */
  readonly depth: number;
}

/**
 * A table from device values to the connection space, in the steps of `lutAToBType` (ICC.1:2022, 10.12). Without a grid, it has
 * three inputs and no input curves.
 */
export interface LookUpTable {
  readonly inputCurves: readonly CurveTag[];
  readonly grid: Grid | null;
  /** Curves, and rows of three factors and a summand, behind them. */
  readonly middle: { readonly curves: readonly CurveTag[]; readonly matrix: readonly number[] } | null;
  readonly outputCurves: readonly CurveTag[];
}

/**
 * The table of a tag as Skia reads it: `mft1`, `mft2` or `mAB `. Skia ignores the matrix of the first two, which is only for devices
 * in XYZ, and takes their values for those of version 4 (Lab) or for numbers from 0 to 1 (XYZ). Null if the table is invalid or
 * for another number of inputs.
 */
export function readLookUpTable(bytes: Uint8Array, inputs: number, isXyz: boolean): LookUpTable | null {
  try {
    const view = new ByteView(bytes);
    const type = view.ascii(0, 4);
    if (view.u8(8) !== inputs || view.u8(9) !== OUTPUTS) return null;
    if (type === 'mft1' || type === 'mft2') return readPlain(view, inputs, type === 'mft2' ? 2 : 1, isXyz);
    return type === 'mAB ' ? readSteps(view, inputs) : null;
  } catch (error) {
    if (error instanceof UnreadableFileError) return null;
    throw error;
  }
}

function readPlain(view: ByteView, inputs: number, depth: 1 | 2, isXyz: boolean): LookUpTable | null {
  const edge = view.u8(10);
  const [entries, outputEntries] = depth === 2 ? [view.u16(COUNTS_AT), view.u16(COUNTS_AT + 2)] : [256, 256];
  if (Math.min(entries, outputEntries) < 2 || Math.max(entries, outputEntries) > MAX_ENTRIES) return null;
  const start = depth === 2 ? COUNTS_AT + 4 : COUNTS_AT;
  const sizes = Array.from({ length: inputs }, () => edge);
  const gridAt = start + inputs * entries * depth;
  const grid = readPoints(view, gridAt, sizes, depth);
  if (!grid) return null;
  const curves = (from: number, count: number, length: number): CurveTag[] =>
    Array.from({ length: count }, (_, curve) => {
      const values = valuesAt(view, from + curve * length * depth, length, depth);
      return tableTag((value) => values[Math.round(value * (length - 1))] ?? 0, length);
    });
  const outputCurves = curves(gridAt + grid.points.length * depth, OUTPUTS, outputEntries);
  const unscaled = 1 / XYZ_SCALE;
  return {
    inputCurves: curves(start, inputs, entries),
    grid,
    middle: isXyz
      ? { curves: outputCurves, matrix: [unscaled, 0, 0, 0, 0, unscaled, 0, 0, 0, 0, unscaled, 0] }
      : null,
    outputCurves: isXyz ? [NO_CURVE, NO_CURVE, NO_CURVE] : outputCurves,
  };
}

function valuesAt(view: ByteView, from: number, count: number, depth: number): Float32Array {
  view.take(from, count * depth);
  return Float32Array.from({ length: count }, (_, at) =>
    depth === 2 ? view.u16(from + at * 2) / 65_535 : view.u8(from + at) / 255,
  );
}

function readPoints(view: ByteView, from: number, sizes: readonly number[], depth: number): Grid | null {
  const count = sizes.reduce((product, size) => product * size, OUTPUTS);
  if (sizes.some((size) => size < 2) || count > MAX_POINTS * OUTPUTS) return null;
  return { sizes, points: valuesAt(view, from, count, depth), depth };
}

function readSteps(view: ByteView, inputs: number): LookUpTable | null {
  const [outputAt = 0, matrixAt = 0, middleAt = 0, gridAt = 0, inputAt = 0] = [0, 4, 8, 12, 16].map((at) =>
    view.u32(OFFSETS_AT + at),
  );
  const hasGrid = gridAt > 0;
  if (outputAt === 0 || matrixAt > 0 !== middleAt > 0 || hasGrid !== inputAt > 0) return null;
  if (!hasGrid && inputs !== OUTPUTS) return null;
  const sizes = Array.from({ length: inputs }, (_, at) => (hasGrid ? view.u8(gridAt + at) : 0));
  const depth = hasGrid ? view.u8(gridAt + 16) : 1;
  const grid =
    hasGrid && (depth === 1 || depth === 2) ? readPoints(view, gridAt + GRID_HEADER, sizes, depth) : null;
  const inputCurves = hasGrid ? readCurves(view, inputAt, inputs) : [];
  const middleCurves = middleAt > 0 ? readCurves(view, middleAt, OUTPUTS) : [];
  const outputCurves = readCurves(view, outputAt, OUTPUTS);
  if (!inputCurves || !middleCurves || !outputCurves || (hasGrid && !grid)) return null;
  const matrix = MATRIX_ORDER.map((at) => (matrixAt > 0 ? view.i32(matrixAt + at * 4) / 65_536 : 0));
  return { inputCurves, grid, middle: middleAt > 0 ? { curves: middleCurves, matrix } : null, outputCurves };
}

/** Curves that follow each other at multiples of four bytes. */
function readCurves(view: ByteView, from: number, count: number): CurveTag[] | null {
  const curves: CurveTag[] = [];
  for (let at = from; curves.length < count;) {
    const curve = readCurveTag(view.bytes.subarray(at));
    if (!curve) return null;
    curves.push(curve);
    at += Math.ceil(curve.size / 4) * 4;
  }
  return curves;
}

/** The table as `mAB `. */
export function writeLookUpTable(table: LookUpTable): Uint8Array {
  const { inputCurves, grid, middle, outputCurves } = table;
  const parts: Uint8Array[] = [];
  let size = OFFSETS_AT + 5 * 4;
  const place = (bytes: readonly Uint8Array[]): number => {
    if (bytes.length === 0) return 0;
    const at = size;
    for (const one of bytes.flatMap((part) => [part, new Uint8Array(-part.length & 3)])) {
      parts.push(one);
      size += one.length;
    }
    return at;
  };
  const bytesOf = (curves: readonly CurveTag[]): Uint8Array[] => curves.map(({ bytes }) => bytes);
  const outputAt = place(bytesOf(outputCurves));
  const matrixAt = place(middle ? [matrixBytes(middle.matrix)] : []);
  const middleAt = place(bytesOf(middle?.curves ?? []));
  const gridAt = place(grid ? [gridBytes(grid)] : []);
  const inputAt = place(bytesOf(inputCurves));
  return concatBytes([
    ...[asciiBytes('mAB '), u32(0), Uint8Array.of(inputCurves.length || OUTPUTS, OUTPUTS, 0, 0)],
    ...[u32(outputAt, matrixAt, middleAt, gridAt, inputAt), ...parts],
  ]);
}

function matrixBytes(matrix: readonly number[]): Uint8Array {
  const values: number[] = [];
  for (const [from, to] of MATRIX_ORDER.entries()) values[to] = Math.round((matrix[from] ?? 0) * 65_536);
  return u32(...values);
}

function gridBytes({ sizes, points, depth }: Grid): Uint8Array {
  const bytes = new Uint8Array(GRID_HEADER + points.length * depth);
  const view = new DataView(bytes.buffer);
  bytes.set(sizes);
  bytes[16] = depth;
  points.forEach((value, at) => {
    if (depth === 2) view.setUint16(GRID_HEADER + at * 2, Math.round(value * 65_535));
    else bytes[GRID_HEADER + at] = Math.round(value * 255);
  });
  return bytes;
}
