import { ByteView } from '../bytes/byte-view';
import { hasAscii } from '../bytes/text';
import { curveOfTable, MAX_ENTRIES, type ToneCurve } from './tone-curve';

/** Positions in `mft1` and `mft2` (ICC.1:2022, 10.10 and 10.11). */
const MATRIX_AT = 12;
const COUNTS_AT = 48;
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const OUTPUTS = 3;
const MAX_POINTS = 100_000;
/** Of the range of values, over a 32nd of the range of codes. */
const MAX_RISE = 0.35;
/** Of the range of values: how far points may lie from a straight line through their neighbours. */
const MAX_BEND = 0.2;
/** How far the middle of a cell may lie from the middle of each of its diagonals. */
const MAX_TWIST = 0.1;

/** A table of `mft1` or `mft2`: curves, a grid of points, and curves. */
interface Table {
  readonly grid: number;
  readonly curves: readonly ToneCurve[];
  /** Values of the points (0 to 1): those of each point follow each other. */
  readonly points: Float32Array;
}

/**
 * Whether a look-up table is so smooth that all programs make the same picture of it. They interpolate in different
 * ways (between all corners of a cell, or those of a tetrahedron), and Little CMS reduces the number of points. Tables
 * of other types than `mft1` and `mft2` are not plain.
 */
export function isPlainTable(bytes: Uint8Array, inputs: number): boolean {
  const table = readTable(bytes, inputs);
  return table !== null && table.curves.every(isGentle) && isSmooth(table, inputs);
}

function readTable(bytes: Uint8Array, inputs: number): Table | null {
  const isDeep = hasAscii(bytes, 0, 'mft2');
  if (!(isDeep || hasAscii(bytes, 0, 'mft1')) || bytes.length < COUNTS_AT + 4) return null;
  const view = new ByteView(bytes);
  const grid = view.u8(10);
  // The matrix is for devices in XYZ.
  const isIdentity = IDENTITY.every((value, at) => view.i32(MATRIX_AT + at * 4) === value * 65_536);
  if (view.u8(8) !== inputs || view.u8(9) !== OUTPUTS || grid < 2 || !isIdentity) return null;
  const [entries, outputEntries] = isDeep ? [view.u16(COUNTS_AT), view.u16(COUNTS_AT + 2)] : [256, 256];
  if (Math.min(entries, outputEntries) < 2 || Math.max(entries, outputEntries) > MAX_ENTRIES) return null;
  const points = grid ** inputs;
  const start = isDeep ? COUNTS_AT + 4 : COUNTS_AT;
  const size = isDeep ? 2 : 1;
  const values = inputs * entries + points * OUTPUTS + OUTPUTS * outputEntries;
  if (points > MAX_POINTS || start + values * size > bytes.length) return null;
  const value = (index: number): number =>
    isDeep ? view.u16(start + index * 2) / 65_535 : view.u8(start + index) / 255;
  const curve = (from: number, count: number): ToneCurve => curveOfTable(count, (at) => value(from + at));
  const outputsAt = inputs * entries + points * OUTPUTS;
  return {
    grid,
    curves: [
      ...Array.from({ length: inputs }, (_, input) => curve(input * entries, entries)),
      ...Array.from({ length: OUTPUTS }, (_, output) =>
        curve(outputsAt + output * outputEntries, outputEntries),
      ),
    ],
    points: Float32Array.from({ length: points * OUTPUTS }, (_, at) => value(inputs * entries + at)),
  };
}

/** Whether a curve rises, nowhere steeply. */
function isGentle(curve: ToneCurve): boolean {
  const values = Float64Array.from({ length: MAX_ENTRIES }, (_, at) => curve(at / (MAX_ENTRIES - 1)));
  const step = MAX_ENTRIES / 32;
  return values.every(
    (value, at) => value >= (values[at - 1] ?? 0) && value - (values[at - step] ?? value) <= MAX_RISE,
  );
}

/** Whether each line of points bends little, and each cell is nearly flat. */
function isSmooth({ grid, points }: Table, inputs: number): boolean {
  const strides = Array.from({ length: inputs }, (_, input) => OUTPUTS * grid ** (inputs - 1 - input));
  const corners = Array.from({ length: 2 ** inputs }, (_, corner) =>
    strides.reduce((sum, stride, input) => sum + ((corner >> input) & 1) * stride, 0),
  );
  const bends = (at: number, stride: number): boolean => {
    const place = Math.floor(at / stride) % grid;
    if (place === 0 || place === grid - 1) return false;
    const [before = 0, here = 0, after = 0] = [points[at - stride], points[at], points[at + stride]];
    return Math.abs(here - (before + after) / 2) > MAX_BEND;
  };
  const isLast = (at: number, stride: number): boolean => Math.floor(at / stride) % grid === grid - 1;
  for (let at = 0; at < points.length; at++) {
    if (strides.some((stride) => bends(at, stride))) return false;
    if (!strides.some((stride) => isLast(at, stride)) && isTwisted(points, at, corners)) return false;
  }
  return true;
}

/** Whether the middle of a cell differs from that of a diagonal. Opposite corners lie at opposite ends of `corners`. */
function isTwisted(points: Float32Array, at: number, corners: readonly number[]): boolean {
  let sum = 0;
  for (const offset of corners) sum += points[at + offset] ?? 0;
  const middle = sum / corners.length;
  for (let corner = 0; corner < corners.length / 2; corner++) {
    const [one = 0, other = 0] = [corners[corner], corners[corners.length - 1 - corner]];
    if (Math.abs(((points[at + one] ?? 0) + (points[at + other] ?? 0)) / 2 - middle) > MAX_TWIST) return true;
  }
  return false;
}
