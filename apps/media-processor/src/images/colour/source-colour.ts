import type { CodedColour } from '@vitrine/formats';

/** Chromaticities (CIE 1931 x, y) of red, green, blue and white. */
export type Primaries = readonly [r: Point, g: Point, b: Point, white: Point];
export type Point = readonly [x: number, y: number];

/** The function from code values to light. A number is the exponent of a power function. */
export type Transfer = 'srgb' | 'linear' | 'pq' | 'hlg' | number;

/** The colour space of a picture, if it is not sRGB and no ICC profile defines it. */
export interface SourceColour {
  readonly primaries: Primaries;
  readonly transfer: Transfer;
  readonly isHdr: boolean;
}

const D65: Point = [0.3127, 0.329];
/** The white point of D50 for ROMM RGB, and of DCI cinema. */
const DCI_WHITE: Point = [0.314, 0.351];
const ILLUMINANT_C: Point = [0.31, 0.316];

export const SRGB_PRIMARIES: Primaries = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], D65];

/** Colour primaries by code point (ITU-T H.273, table 2). Missing code points are treated as sRGB's. */
const PRIMARIES: Readonly<Record<number, Primaries>> = {
  4: [[0.67, 0.33], [0.21, 0.71], [0.14, 0.08], ILLUMINANT_C],
  5: [[0.64, 0.33], [0.29, 0.6], [0.15, 0.06], D65],
  6: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], D65],
  7: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07], D65],
  8: [[0.681, 0.319], [0.243, 0.692], [0.145, 0.049], ILLUMINANT_C],
  9: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], D65],
  11: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], DCI_WHITE],
  12: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], D65],
};

/**
 * Transfer characteristics by code point (ITU-T H.273, table 3). The camera curves (1, 6, 14, 15) are missing:
 * browsers and phones show stills that name them as sRGB.
 */
const TRANSFERS: Readonly<Record<number, Transfer>> = { 4: 2.2, 5: 2.8, 8: 'linear', 16: 'pq', 18: 'hlg' };

/** The colour space of a file's code points; null if they mean sRGB or are unknown. */
export const readCodedColour = (
  coded: Pick<CodedColour, 'primaries' | 'transfer'> | undefined,
): SourceColour | null =>
  coded === undefined
    ? null
    : sourceColour(PRIMARIES[coded.primaries] ?? SRGB_PRIMARIES, TRANSFERS[coded.transfer] ?? 'srgb');

/** Null if these are sRGB's own: primaries within a thousandth, and its curve or one that looks the same. */
export function sourceColour(primaries: Primaries, transfer: Transfer): SourceColour | null {
  const isSrgbGamut = primaries.every(([x, y], index) => {
    const [srgbX, srgbY] = SRGB_PRIMARIES[index] ?? D65;
    return Math.abs(x - srgbX) < 0.0015 && Math.abs(y - srgbY) < 0.0015;
  });
  const isSrgbCurve =
    transfer === 'srgb' || (typeof transfer === 'number' && Math.abs(transfer - 2.2) < 0.05);
  if (isSrgbGamut && isSrgbCurve) return null;
  return { primaries, transfer, isHdr: transfer === 'pq' || transfer === 'hlg' };
}
