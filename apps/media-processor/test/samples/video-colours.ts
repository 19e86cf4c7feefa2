import type { Rgb } from '@vitrine/testing';

/**
 * A reference for the colours of videos, written from ITU-R BT.1886, BT.2020, BT.2100, BT.2408, SMPTE ST 2084 and ITU-T H.273
 * alone. Signals and relative light are 0 to 1, absolute light is in candela per square metre.
 */
export type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** The codes of H.273 of one video. */
export interface Codes {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
}

/** Candela per square metre of a white page in HDR (BT.2408). */
export const DIFFUSE_WHITE = 203;

const times = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const row = ([a, b, c]: Triple): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const column = (matrix: Matrix, index: 0 | 1 | 2): Triple => [
  matrix[0][index],
  matrix[1][index],
  matrix[2][index],
];
const product = (left: Matrix, right: Matrix): Matrix => {
  const [a, b, c] = [
    times(left, column(right, 0)),
    times(left, column(right, 1)),
    times(left, column(right, 2)),
  ];
  return [
    [a[0], b[0], c[0]],
    [a[1], b[1], c[1]],
    [a[2], b[2], c[2]],
  ];
};
function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const over = (value: number): number => value / determinant;
  return [
    [over(e * i - f * h), over(c * h - b * i), over(b * f - c * e)],
    [over(f * g - d * i), over(a * i - c * g), over(c * d - a * f)],
    [over(d * h - e * g), over(b * g - a * h), over(a * e - b * d)],
  ];
}
const diagonal = ([x, y, z]: Triple): Matrix => [
  [x, 0, 0],
  [0, y, 0],
  [0, 0, z],
];
const each = ([x, y, z]: Triple, change: (value: number) => number): Triple => [
  change(x),
  change(y),
  change(z),
];
const clip = (value: number): number => Math.min(1, Math.max(0, value));

type Chromaticity = readonly [x: number, y: number];
const D65: Chromaticity = [0.3127, 0.329];
const C: Chromaticity = [0.31, 0.316];

/** H.273, table 2: red, green, blue and white. */
const PRIMARIES: Readonly<Record<number, readonly [Chromaticity, Chromaticity, Chromaticity, Chromaticity]>> =
  {
    1: [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], D65],
    4: [[0.67, 0.33], [0.21, 0.71], [0.14, 0.08], C],
    5: [[0.64, 0.33], [0.29, 0.6], [0.15, 0.06], D65],
    6: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], D65],
    7: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], D65],
    8: [[0.681, 0.319], [0.243, 0.692], [0.145, 0.049], C],
    9: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], D65],
    10: [
      [1, 0],
      [0, 1],
      [0, 0],
      [1 / 3, 1 / 3],
    ],
    11: [
      [0.68, 0.32],
      [0.265, 0.69],
      [0.15, 0.06],
      [0.314, 0.351],
    ],
    12: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], D65],
    22: [[0.63, 0.34], [0.295, 0.605], [0.155, 0.077], D65],
  };

const xyzOf = ([x, y]: Chromaticity): Triple => [x / y, 1, (1 - x - y) / y];
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** CIE XYZ of a colour's light. */
function toXyz(code: number): Matrix {
  const [red, green, blue, white] = PRIMARIES[code] ?? PRIMARIES[1] ?? [D65, D65, D65, D65];
  const third = ([x, y]: Chromaticity): number => 1 - x - y;
  const coordinates: Matrix = [
    [red[0], green[0], blue[0]],
    [red[1], green[1], blue[1]],
    [third(red), third(green), third(blue)],
  ];
  return product(coordinates, diagonal(times(inverse(coordinates), xyzOf(white))));
}

/** Light of these primaries in those of BT.709, white on white (Bradford). */
function toBt709(code: number): Matrix {
  const [, , , white] = PRIMARIES[code] ?? [D65, D65, D65, D65];
  const [from, to] = [times(BRADFORD, xyzOf(white)), times(BRADFORD, xyzOf(D65))];
  const scale = diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]);
  const adapted = product(product(inverse(BRADFORD), scale), BRADFORD);
  return product(product(inverse(toXyz(1)), adapted), toXyz(code));
}

/** Weights of red and blue in luma: H.273, table 4. */
const WEIGHTS: Readonly<Record<number, readonly [red: number, blue: number]>> = {
  1: [0.2126, 0.0722],
  4: [0.3, 0.11],
  5: [0.299, 0.114],
  6: [0.299, 0.114],
  7: [0.212, 0.087],
  9: [0.2627, 0.0593],
};

/** SMPTE ST 2084: the light of a signal. */
function pqLight(signal: number): number {
  const power = clip(signal) ** (1 / 78.84375);
  return 10_000 * (Math.max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125);
}

/** SMPTE ST 2084: the signal of a light. */
export function pqSignal(light: number): number {
  const power = (light / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
}

/** The light of BT.2020's signal before a screen's gamma, and back. */
const sceneLight = (signal: number): number =>
  signal < 0.08145 ? signal / 4.5 : ((signal + 0.0993) / 1.0993) ** (1 / 0.45);
const sceneSignal = (light: number): number =>
  light < 0.0181 ? 4.5 * light : 1.0993 * light ** 0.45 - 0.0993;

/** BT.2020, table 4: luma of constant luminance. */
function ofConstantLuminance([y, u, v]: Triple): Triple {
  const [r, b] = [y + (v > 0 ? 0.9936 : 1.7184) * v, y + (u > 0 ? 1.5816 : 1.9404) * u];
  const green = (sceneLight(y) - 0.2627 * sceneLight(r) - 0.0593 * sceneLight(b)) / 0.678;
  return [r, sceneSignal(green), b];
}

/** BT.2100, table 7: intensity and two colour differences, with PQ. */
function ofIctcp([i, t, p]: Triple): Triple {
  const cones: Triple = [
    i + 0.00860904 * t + 0.11102963 * p,
    i - 0.00860904 * t - 0.11102963 * p,
    i + 0.56003134 * t - 0.32062717 * p,
  ];
  const toRgb: Matrix = [
    [3.43660669, -2.50645212, 0.06984542],
    [-0.79132956, 1.98360045, -0.1922709],
    [-0.0259499, -0.09891371, 1.12486361],
  ];
  return each(times(toRgb, each(cones, pqLight)), (light) => pqSignal(Math.max(0, light)));
}

/** The red, green and blue signals of a luma (0 to 1) and two colour differences (-0.5 to 0.5). */
function rgbOf(yuv: Triple, { primaries, matrix }: Codes, guess: number): Triple {
  const [y, u, v] = yuv;
  if (matrix === 8) return [y - u + v, y + u, y - u - v];
  if (matrix === 10 || matrix === 13) return ofConstantLuminance(yuv);
  if (matrix === 14) return ofIctcp(yuv);
  const known = WEIGHTS[matrix === 0 ? 1 : matrix === 12 ? primaries : matrix];
  const [red, blue] = known ?? WEIGHTS[guess] ?? [0, 0];
  const [r, b] = [y + 2 * (1 - red) * v, y + 2 * (1 - blue) * u];
  return [r, (y - red * r - blue * b) / (1 - red - blue), b];
}

const srgbSignal = (light: number): number =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
/** How a BT.709 screen shows a signal (BT.1886), and back. */
const shown = (signal: number): number => Math.max(0, signal) ** 2.4;
const signalOf = (light: number): number => Math.max(0, light) ** (1 / 2.4);

/** H.273, table 3: the light of a signal, for curves that differ from BT.709's. */
const LIGHT: Readonly<Record<number, (signal: number) => number>> = {
  4: (signal) => signal ** 2.2,
  5: (signal) => signal ** 2.8,
  8: (signal) => signal,
  9: (signal) => (signal > 0 ? 10 ** (2 * (signal - 1)) : 0),
  10: (signal) => (signal > 0 ? 10 ** (2.5 * (signal - 1)) : 0),
  17: (signal) => (signal ** 2.6 * 52.37) / 48,
};

/** The Möbius curve, which keeps light up to 0.3 and maps five times the white to 1. */
function mobius(light: number): number {
  const [knee, peak] = [0.3, 5];
  if (light <= knee) return light;
  const a = (-(knee ** 2) * (peak - 1)) / (knee ** 2 - 2 * knee + peak);
  const b = (knee ** 2 - 2 * knee * peak + peak) / (peak - 1);
  return (((b + knee) ** 2 / (b - a)) * (light + a)) / (light + b);
}

/** The colour, 0 to 255, that a rendition shows for a luma and two colour differences of a video of these codes. */
export function meantColour(yuv: Triple, codes: Codes): Rgb {
  const isHdr = codes.transfer === 16;
  const signals = each(rgbOf(yuv, codes, isHdr ? 9 : 6), isHdr ? (value) => value : clip);
  const primaries = PRIMARIES[codes.primaries] ? codes.primaries : isHdr ? 9 : 1;
  if (isHdr) {
    const light = times(
      toBt709(primaries),
      each(signals, (value) => pqLight(value) / DIFFUSE_WHITE),
    );
    const brightest = Math.max(...light);
    const scale = brightest > 0 ? mobius(brightest) / brightest : 0;
    return each(light, (value) => Math.round(255 * signalOf(clip(value * scale))));
  }
  const curve = LIGHT[codes.transfer];
  const plain = curve ? each(signals, (value) => srgbSignal(clip(curve(value)))) : signals;
  const converted = each(times(toBt709(primaries), each(plain, shown)), signalOf);
  return each(converted, (value) => Math.round(255 * clip(value)));
}
