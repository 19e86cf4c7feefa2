import { XYZ_SCALE, type Grid } from './look-up-table';
import { D50 } from './plain-profile';
import { readProfile, readTable } from './profile-reader';
import { lightToSrgb } from './srgb-curve';
import { NO_CURVE, type CurveTag } from './tone-curve';

/** A conversion to sRGB. */
export interface TableConversion {
  /** Values of the device in a pixel: 3 or 4. */
  readonly inputs: 3 | 4;
  /** Converts the pixel (0 to 255) at `from[at]` to three values of sRGB (0 to 255) at `to[toAt]`. */
  readonly convert: (from: Uint8Array, at: number, to: Uint8Array, toAt: number) => void;
}

/** XYZ of D50 to linear sRGB (IEC 61966-2-1, adapted with Bradford). */
const TO_SRGB = [3.1341, -1.6173, -0.4907, -0.9787, 1.9161, 0.0335, 0.0719, -0.229, 1.4053] as const;
const STEPS = 16_383;
const SRGB_CODES = Uint8Array.from({ length: STEPS + 1 }, (_, step) => lightToSrgb(step / STEPS));

/**
 * The conversion that browsers make for a profile of RGB or CMYK with a table. Little CMS makes another one: it moves what it
 * takes for black to black. Null if the profile has no table.
 */
export function tableConversion(profile: Uint8Array): TableConversion | null {
  const read = readProfile(profile, ['RGB ', 'CMYK']);
  const table = read && readTable(read);
  if (!read || !table) return null;
  const { inputCurves, grid, middle, outputCurves } = table;
  const inputs = read.space === 'CMYK' ? 4 : 3;
  const [first, second, third] = [
    sampled(inputCurves),
    middle && sampled(middle.curves),
    sampled(outputCurves),
  ];
  const interpolate = grid && interpolator(grid);
  const matrix = middle?.matrix.map((factor) => factor * (read.isXyz ? XYZ_SCALE : 1));
  const places = new Float64Array(inputs);
  const values = new Float64Array(3);
  const convert: TableConversion['convert'] = (from, at, to, toAt) => {
    for (let input = 0; input < inputs; input++) places[input] = (from[at + input] ?? 0) / 255;
    first(places);
    if (interpolate) interpolate(places, values);
    else values.set(places);
    second?.(values);
    if (matrix) multiply(matrix, values);
    third(values);
    if (!read.isXyz) toXyz(values);
    for (let output = 0; output < 3; output++) {
      const row = output * 3;
      const light =
        TO_SRGB[row]! * values[0]! + TO_SRGB[row + 1]! * values[1]! + TO_SRGB[row + 2]! * values[2]!;
      to[toAt + output] = SRGB_CODES[Math.round(clamped(light) * STEPS)] ?? 0;
    }
  };
  return { inputs, convert };
}

const clamped = (value: number): number => Math.min(1, Math.max(0, value));

/** Points of a curve that are computed once. */
const SAMPLES = 4096;

/** Applies curves in place. Values outside of 0 to 1 stay only if there is no curve. */
function sampled(curves: readonly CurveTag[]): (values: Float64Array) => void {
  const tables = curves.map(({ curve, bytes }) =>
    bytes.length === NO_CURVE.bytes.length
      ? null
      : Float64Array.from({ length: SAMPLES + 1 }, (_, at) =>
          curve(Math.min(at, SAMPLES - 1) / (SAMPLES - 1)),
        ),
  );
  return (values) => {
    for (let index = 0; index < tables.length; index++) {
      const table = tables[index];
      if (!table) continue;
      const place = clamped(values[index] ?? 0) * (SAMPLES - 1);
      const below = Math.floor(place);
      const rest = place - below;
      values[index] = (table[below] ?? 0) * (1 - rest) + (table[below + 1] ?? 0) * rest;
    }
  };
}

/**
 * Sets `values` to those at `places` (0 to 1 along each of three or four inputs): between the corners of a cell, linear along each
 * input, as Skia does. Pictures have millions of pixels.
 */
export function interpolator({ sizes, points }: Grid): (places: Float64Array, values: Float64Array) => void {
  const inputs = sizes.length;
  const rests = new Float64Array(inputs);
  // Distance of two neighbours along each input, in numbers.
  const strides = Array.from({ length: inputs }, (_, input) =>
    sizes.slice(input + 1).reduce((product, size) => product * size, 3),
  );
  return (places, values) => {
    let at = 0;
    for (let input = 0; input < inputs; input++) {
      const size = sizes[input]!;
      const place = clamped(places[input]!) * (size - 1);
      const below = Math.min(size - 2, Math.floor(place));
      rests[input] = place - below;
      at += below * strides[input]!;
    }
    values.fill(0);
    for (let corner = 0; corner < 1 << inputs; corner++) {
      let weight = 1;
      let from = at;
      for (let input = 0; input < inputs; input++) {
        const isAbove = (corner >> input) & 1;
        weight *= isAbove ? rests[input]! : 1 - rests[input]!;
        from += isAbove * strides[input]!;
      }
      for (let output = 0; output < 3; output++) values[output]! += weight * (points[from + output] ?? 0);
    }
  };
}

function multiply(matrix: readonly number[], values: Float64Array): void {
  const x = values[0]!;
  const y = values[1]!;
  const z = values[2]!;
  for (let row = 0; row < 3; row++) {
    const at = row * 4;
    values[row] = matrix[at]! * x + matrix[at + 1]! * y + matrix[at + 2]! * z + matrix[at + 3]!;
  }
}

/** CIE 1976 L*a*b* of D50, encoded as 0 to 1, to XYZ. */
function toXyz(values: Float64Array): void {
  const y = (values[0]! * 100 + 16) / 116;
  values[2] = lightOf(y - (values[2]! * 255 - 128) / 200) * D50[2]!;
  values[0] = lightOf(y + (values[1]! * 255 - 128) / 500) * D50[0]!;
  values[1] = lightOf(y) * D50[1]!;
}

const lightOf = (root: number): number => (root > 24 / 116 ? root ** 3 : ((root * 116 - 16) * 27) / 24_389);
