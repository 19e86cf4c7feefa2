import type { Grid, LookUpTable } from './look-up-table';
import { interpolator } from './table-colours';
import { isGentleCurve, type ToneCurve } from './tone-curve';

const OUTPUTS = 3;
/** Of the range of values, over a 32nd of the range of codes. */
const MAX_RISE = 0.35;
/** Of the range of values: how far points may lie from a straight line through their neighbours. */
const MAX_BEND = 0.2;
/** How far the middle of a cell may lie from the middle of each of its diagonals. */
const MAX_TWIST = 0.1;
/** Points along each input of a finer grid, by the number of inputs: at most 216 KB and 501 KB. */
const FINE: Readonly<Record<number, number>> = { 3: 33, 4: 17 };

/**
 * A table so smooth that all programs make the same picture of it: they interpolate in different ways, between all corners of a
 * cell or those of a tetrahedron. It is the same table, or one with more points, which lie where Skia interpolates. Null if
 * that is not smooth either.
 */
export function smoothTable(table: LookUpTable): LookUpTable | null {
  const { inputCurves, grid, middle, outputCurves } = table;
  const areGentle =
    [...inputCurves, ...outputCurves].every(({ curve }) => isGentle(curve)) &&
    (middle?.curves ?? []).every(({ curve }) => isGentleCurve(curve));
  if (!areGentle) return null;
  if (!grid || isSmooth(grid)) return table;
  const finer = refined(grid);
  return isSmooth(finer) ? { ...table, grid: finer } : null;
}

function refined(grid: Grid): Grid {
  const inputs = grid.sizes.length;
  const edge = Math.max(FINE[inputs] ?? 2, ...grid.sizes);
  const points = new Float32Array(edge ** inputs * OUTPUTS);
  const interpolate = interpolator(grid);
  const [places, values] = [new Float64Array(inputs), new Float64Array(OUTPUTS)];
  for (let index = 0; index < edge ** inputs; index++) {
    for (let input = 0; input < inputs; input++)
      places[input] = (Math.floor(index / edge ** (inputs - 1 - input)) % edge) / (edge - 1);
    interpolate(places, values);
    points.set(values, index * OUTPUTS);
  }
  return { sizes: grid.sizes.map(() => edge), points, depth: 2 };
}

/** Whether a curve of values (not of light) has no steep part. */
function isGentle(curve: ToneCurve): boolean {
  const values = Float64Array.from({ length: 1024 }, (_, at) => curve(at / 1023));
  return values.every((value, at) => Math.abs(value - (values[at - 32] ?? value)) <= MAX_RISE);
}

/** Whether each line of points bends little, and each cell is nearly flat. */
function isSmooth({ sizes, points }: Grid): boolean {
  const strides = sizes.map((_, input) =>
    sizes.slice(input + 1).reduce((product, size) => product * size, OUTPUTS),
  );
  const corners = Array.from({ length: 2 ** sizes.length }, (_, corner) =>
    strides.reduce((sum, stride, input) => sum + ((corner >> input) & 1) * stride, 0),
  );
  const placeOf = (at: number, input: number): number =>
    Math.floor(at / (strides[input] ?? 1)) % (sizes[input] ?? 1);
  const bends = (at: number, input: number): boolean => {
    const [place, stride = 0] = [placeOf(at, input), strides[input]];
    if (place === 0 || place === (sizes[input] ?? 0) - 1) return false;
    const [before = 0, here = 0, after = 0] = [points[at - stride], points[at], points[at + stride]];
    return Math.abs(here - (before + after) / 2) > MAX_BEND;
  };
  const isLast = (at: number, input: number): boolean => placeOf(at, input) === (sizes[input] ?? 0) - 1;
  const inputs = sizes.map((_, input) => input);
  for (let at = 0; at < points.length; at++) {
    if (inputs.some((input) => bends(at, input))) return false;
    if (!inputs.some((input) => isLast(at, input)) && isTwisted(points, at, corners)) return false;
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
