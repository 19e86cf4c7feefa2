import { lightToSrgb, srgbToLight } from '@vitrine/formats';
import type { DeepPixels, Pixels } from '../../pixels/pixels';
import {
  SRGB_PRIMARIES,
  type Point,
  type Primaries,
  type SourceColour,
  type Transfer,
} from './source-colour';

/** cd/m² of the white of a page, which is 1 in this file: HDR Reference White (ITU-R BT.2408-7, 2.1). */
const REFERENCE_WHITE = 203;
const PQ_PEAK = 10_000;
const HLG_PEAK = 1000;
/** Tone mapping begins at this fraction of white; darker light stays unchanged. */
const KNEE = 0.75;

type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/**
 * Turns pixels of any primaries and transfer function into 8-bit sRGB.
 *
 * Code values are converted to linear light: PQ by SMPTE ST 2084, HLG by ITU-R BT.2100 with the system gamma of 1.2 for a
 * display of 1,000 cd/m². 203 cd/m² become the white of sRGB (ITU-R BT.2408). If the picture has brighter pixels, light
 * above three quarters of white is compressed so that the brightest pixel becomes white, by a Hermite spline as in the
 * EETF of ITU-R BT.2390-11, 5.4; a picture without such pixels keeps its light exactly. The curve is applied to the
 * largest of red, green and blue, and the other two keep their ratio to it, which keeps the hue. Colours outside of sRGB
 * move towards the grey of their own luminance until they fit. `fixedPeak` is the light (1 is the white of a page) that
 * becomes white instead of the picture's brightest pixel. The result takes the memory of `data`: a picture of 100 megapixels has no
 * room twice.
 */
export function toSrgb(
  { data, width, height, channels }: DeepPixels,
  colour: SourceColour,
  fixedPeak?: number,
): Pixels {
  const light = lightOf(colour.transfer);
  const luminance = luminanceOf(colour.primaries);
  const matrix = betweenPrimaries(colour.primaries, SRGB_PRIMARIES);
  const isHlg = colour.transfer === 'hlg';
  const peak = (): number => fixedPeak ?? brightest(data, channels, light, isHlg ? luminance : null);
  const gain = colour.isHdr ? toneMapping(peak()) : null;
  const out = Buffer.from(data.buffer, data.byteOffset, width * height * channels);
  const rgb: [number, number, number] = [0, 0, 0];

  for (let at = 0; at < out.length; at += channels) {
    let r = light[data[at] ?? 0] ?? 0;
    let g = light[data[at + 1] ?? 0] ?? 0;
    let b = light[data[at + 2] ?? 0] ?? 0;
    if (isHlg) {
      const system = systemGain(r * luminance[0] + g * luminance[1] + b * luminance[2]);
      [r, g, b] = [r * system, g * system, b * system];
    }
    if (gain) {
      const factor = gain(Math.max(r, g, b));
      [r, g, b] = [r * factor, g * factor, b * factor];
    }
    rgb[0] = matrix[0] * r + matrix[1] * g + matrix[2] * b;
    rgb[1] = matrix[3] * r + matrix[4] * g + matrix[5] * b;
    rgb[2] = matrix[6] * r + matrix[7] * g + matrix[8] * b;
    if (colour.isHdr) fitGamut(rgb);
    out[at] = encodeSrgb(rgb[0]);
    out[at + 1] = encodeSrgb(rgb[1]);
    out[at + 2] = encodeSrgb(rgb[2]);
    if (channels === 4) out[at + 3] = Math.round((data[at + 3] ?? 0) / 257);
  }
  return { data: out, width, height, channels };
}

/** Light by 16-bit code value; 1 is the white of a page. For HLG the light of the scene, from 0 to 1. */
function lightOf(transfer: Transfer): Float32Array {
  const eotf = ((): ((value: number) => number) => {
    if (typeof transfer === 'number') return (value) => value ** transfer;
    switch (transfer) {
      case 'linear':
        return (value) => value;
      case 'srgb':
        return srgbToLight;
      case 'pq':
        return (value) => (pqEotf(value) * PQ_PEAK) / REFERENCE_WHITE;
      case 'hlg':
        return hlgScene;
    }
  })();
  return Float32Array.from({ length: 65_536 }, (_, code) => eotf(code / 65_535));
}

/** SMPTE ST 2084, equation 4.1: 1 is 10,000 cd/m². */
function pqEotf(value: number): number {
  const root = value ** (32 / 2523);
  return (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (16_384 / 2610);
}

/** The inverse of HLG's OETF (ITU-R BT.2100-2, table 5). */
function hlgScene(value: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

/** HLG's OOTF: the factor from scene light to display light; 1 is the white of a page. */
const systemGain = (sceneLuminance: number): number => (sceneLuminance ** 0.2 * HLG_PEAK) / REFERENCE_WHITE;

/** The largest light of any channel. `luminance` is given if the light is HLG scene light. */
function brightest(
  data: Uint16Array,
  channels: number,
  light: Float32Array,
  luminance: readonly [number, number, number] | null,
): number {
  let peak = 0;
  for (let at = 0; at < data.length; at += channels) {
    const r = light[data[at] ?? 0] ?? 0;
    const g = light[data[at + 1] ?? 0] ?? 0;
    const b = light[data[at + 2] ?? 0] ?? 0;
    const largest = Math.max(r, g, b);
    const system = luminance ? systemGain(r * luminance[0] + g * luminance[1] + b * luminance[2]) : 1;
    peak = Math.max(peak, largest * system);
  }
  return peak;
}

/** The factor for light that makes `peak` 1; null if nothing is brighter than white. */
function toneMapping(peak: number): ((light: number) => number) | null {
  // Half a code value of 10 bits above white is white.
  if (peak <= 1.01) return null;
  const steps = 16_384;
  const curve = Float32Array.from({ length: steps + 1 }, (_, step) => compress((step / steps) * peak, peak));
  return (light) =>
    light <= KNEE ? 1 : (curve[Math.round((Math.min(light, peak) / peak) * steps)] ?? 1) / light;
}

/** The spline of BT.2390 over the logarithm of light: from `KNEE`, where it has the slope 1, to 1 at `peak`. */
function compress(light: number, peak: number): number {
  if (light <= KNEE) return light;
  const [low, high] = [Math.log(KNEE), Math.log(peak)];
  const t = (Math.log(light) - low) / (high - low);
  // Hermite basis from (low, low) with slope 1 to (high, 0) with slope 0, both in logarithms.
  const start = (2 * t ** 3 - 3 * t ** 2 + 1) * low;
  const slope = (t ** 3 - 2 * t ** 2 + t) * (high - low);
  return Math.exp(start + slope);
}

/** Moves a colour towards the grey of its luminance (0 to 1) until each channel lies between 0 and 1. */
function fitGamut(rgb: [number, number, number]): void {
  const [r, g, b] = rgb;
  const low = Math.min(r, g, b);
  const high = Math.max(r, g, b);
  if (low >= 0 && high <= 1) return;
  const grey = Math.min(1, Math.max(0, 0.2126 * r + 0.7152 * g + 0.0722 * b));
  let keep = 1;
  if (low < 0) keep = Math.min(keep, grey / (grey - low));
  if (high > 1) keep = Math.min(keep, high > grey ? (1 - grey) / (high - grey) : 0);
  for (let channel = 0; channel < 3; channel++) rgb[channel] = grey + ((rgb[channel] ?? 0) - grey) * keep;
}

const SRGB_STEPS = 65_535;
const SRGB_CODES = Uint8Array.from({ length: SRGB_STEPS + 1 }, (_, step) => lightToSrgb(step / SRGB_STEPS));

const encodeSrgb = (light: number): number =>
  SRGB_CODES[Math.round(Math.min(1, Math.max(0, light)) * SRGB_STEPS)] ?? 0;

function luminanceOf(primaries: Primaries): readonly [number, number, number] {
  const [, , , r, g, b] = toXyz(primaries);
  return [r, g, b];
}

/** Converts linear light from one set of primaries to another, white to white (Bradford). */
function betweenPrimaries(from: Primaries, to: Primaries): Matrix {
  return multiply(invert(toXyz(to)), multiply(adaptation(from[3], to[3]), toXyz(from)));
}

/** CIE XYZ of D50, to which ICC profiles are adapted. */
export const D50_WHITE: Column = [0.9642, 1, 0.8249];

/** CIE XYZ of red, green and blue, adapted to D50 with Bradford, as in ICC profiles. */
export function toD50(primaries: Primaries): [Column, Column, Column] {
  const [x, y, z] = D50_WHITE;
  const d50: Point = [x / (x + y + z), y / (x + y + z)];
  const [a, b, c, d, e, f, g, h, i] = multiply(adaptation(primaries[3], d50), toXyz(primaries));
  return [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
}

/** Linear light to CIE XYZ (SMPTE RP 177). */
function toXyz([r, g, b, white]: Primaries): Matrix {
  const columns = [r, g, b].map(xyzOf) as [Column, Column, Column];
  const plain = fromColumns(columns);
  const scale = apply(invert(plain), xyzOf(white));
  return fromColumns(
    columns.map((column, i) => column.map((value) => value * (scale[i] ?? 0))) as typeof columns,
  );
}

type Column = [number, number, number];

const xyzOf = ([x, y]: Point): Column => [x / y, 1, (1 - x - y) / y];

const BRADFORD: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

function adaptation(from: Point, to: Point): Matrix {
  const [source, target] = [apply(BRADFORD, xyzOf(from)), apply(BRADFORD, xyzOf(to))];
  const [l, m, s] = target.map((value, i) => value / (source[i] ?? 1)) as Column;
  return multiply(invert(BRADFORD), multiply([l, 0, 0, 0, m, 0, 0, 0, s], BRADFORD));
}

const fromColumns = ([a, b, c]: readonly [Column, Column, Column]): Matrix => [
  a[0],
  b[0],
  c[0],
  a[1],
  b[1],
  c[1],
  a[2],
  b[2],
  c[2],
];

const apply = (m: Matrix, [x, y, z]: Column): Column => [
  m[0] * x + m[1] * y + m[2] * z,
  m[3] * x + m[4] * y + m[5] * z,
  m[6] * x + m[7] * y + m[8] * z,
];

const multiply = (a: Matrix, b: Matrix): Matrix =>
  fromColumns([apply(a, [b[0], b[3], b[6]]), apply(a, [b[1], b[4], b[7]]), apply(a, [b[2], b[5], b[8]])]);

function invert([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  const adjugate: Matrix = [
    A,
    c * h - b * i,
    b * f - c * e,
    B,
    a * i - c * g,
    c * d - a * f,
    C,
    b * g - a * h,
    a * e - b * d,
  ];
  return adjugate.map((value) => value / determinant) as [...Matrix];
}
