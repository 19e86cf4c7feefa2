import type { Coding, Triple } from './colours';
import { fixed, iccFile, u32 } from './icc-file';

/** Light in linear sRGB to the three receptors of XYB, and back (ISO/IEC 18181-1, annex L). */
const TO_LIGHT = [
  [11.031566901960783, -9.866943921568629, -0.16462299647058826],
  [-3.254147380392157, 4.418770392156863, -0.16462299647058826],
  [-3.6588512862745097, 2.7129230470588235, 1.9459282392156863],
] as const;
const TO_RECEPTORS = [
  [0.3, 0.622, 0.078],
  [0.23, 0.692, 0.078],
  [0.243422689, 0.204767444, 0.551809867],
] as const;
const BIAS = 0.0037930732552754493;
/** How JPEG encoders scale X, Y and B - Y to values from 0 to 1. */
const OFFSETS = [0.015386134, 0, 0.27770459] as const;
const FACTORS = [22.995788804, 1.183000077, 1.502141333] as const;
/** D50 tristimulus values of the primaries of sRGB, by row. */
const TO_XYZ = [
  [0.4361, 0.3851, 0.1431],
  [0.2225, 0.7169, 0.0606],
  [0.0139, 0.0971, 0.7141],
] as const;

type Rows = readonly (readonly [number, number, number])[];

const times = (rows: Rows, [a, b, c]: readonly number[]): Triple =>
  rows.map(([x, y, z]) => x * (a ?? 0) + y * (b ?? 0) + z * (c ?? 0)) as Triple;

/** The values of a JPEG in XYB. */
export const xyb: Coding = (light) => {
  const [l, m, s] = times(TO_RECEPTORS, light).map(
    (value) => Math.cbrt(value + BIAS) - Math.cbrt(BIAS),
  ) as Triple;
  const [x, y] = [(l - m) / 2, (l + m) / 2];
  return [x, y, s - y].map((value, at) => (value + (OFFSETS[at] ?? 0)) * (FACTORS[at] ?? 1)) as Triple;
};

/**
 * The profile of a JPEG in XYB, as encoders write it: version 4, a table of two points for each value, which undoes the scale, cubic
 * curves, and a matrix.
 */
export function xybProfile(): Buffer {
  const corners = Array.from({ length: 8 }, (_, corner) => {
    const [x = 0, y = 0, b = 0] = [2, 1, 0].map(
      (bit, at) => ((corner >> bit) & 1) / (FACTORS[at] ?? 1) - (OFFSETS[at] ?? 0),
    );
    return [y + x, y - x, b + y].map((value) => value + Math.cbrt(BIAS));
  });
  const ranges = [0, 1, 2].map((at) => {
    const values = corners.map((corner) => corner[at] ?? 0);
    return { low: Math.min(...values), size: Math.max(...values) - Math.min(...values) };
  });
  const points = Buffer.alloc(corners.length * 6);
  corners.flat().forEach((value, at) => {
    const { low = 0, size = 1 } = ranges[at % 3] ?? {};
    points.writeUInt16BE(Math.round((65_535 * (value - low)) / size), at * 2);
  });
  const none = Buffer.from('curv\0\0\0\0\0\0\0\0', 'latin1');
  const cubes = ranges.map(({ low, size }) =>
    Buffer.concat([
      Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'),
      fixed(3, size, low, 0, Math.max(0, -low / size)),
    ]),
  );
  const scale = 32_768 / 65_535;
  const columns = [0, 1, 2].map((at) =>
    times(
      TO_XYZ,
      TO_LIGHT.map((row) => row[at] ?? 0),
    ),
  );
  const summands = times(
    TO_XYZ,
    TO_LIGHT.map((row) => -BIAS * (row[0] + row[1] + row[2])),
  );
  const matrix = [0, 1, 2].flatMap((row) => columns.map((column) => (column[row] ?? 0) * scale));
  const parts = [
    ...[none, none, none, fixed(...matrix, ...summands.map((value) => value * scale)), ...cubes],
    ...[
      Buffer.concat([Buffer.of(2, 2, 2, ...Array<number>(13).fill(0), 2, 0, 0, 0), points]),
      none,
      none,
      none,
    ],
  ];
  const places = parts.map((_, at) => 32 + parts.slice(0, at).reduce((sum, { length }) => sum + length, 0));
  const [outputs = 0, , , matrixAt = 0, curves = 0, , , grid = 0, inputs = 0] = places;
  const table = Buffer.concat([
    ...[Buffer.from('mAB \0\0\0\0\x03\x03\0\0', 'latin1'), u32(outputs, matrixAt, curves, grid, inputs)],
    ...parts,
  ]);
  return iccFile('scnrRGB XYZ ', 4, [['A2B0', table]]);
}
