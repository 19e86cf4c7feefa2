import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { CodecParameters } from 'node-av/lib';

/** The 3 × 3 matrix by which a player turns a picture, as stored: 16.16 and 2.30 fixed point. */
export type DisplayMatrix = readonly number[];

/** The display matrix of a stream; undefined if it has none. */
export function displayMatrixOf(parameters: CodecParameters): DisplayMatrix | undefined {
  const bytes = parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!bytes || bytes.length < 36) return undefined;
  const read = LITTLE_ENDIAN ? bytes.readInt32LE.bind(bytes) : bytes.readInt32BE.bind(bytes);
  return Array.from({ length: 9 }, (_, index) => read(index * 4));
}

const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Degrees by which a matrix turns a picture counter-clockwise; NaN if it only has zeros. */
export function rotationOf([a = 0, b = 0, , c = 0, d = 0]: DisplayMatrix): number {
  const [x, y] = [Math.hypot(a, c), Math.hypot(b, d)];
  return x === 0 || y === 0 ? NaN : (-Math.atan2(b / y, a / x) * 180) / Math.PI;
}

/** Filters that show a picture as its matrix says. The same choice as that of ffmpeg's program. */
export function uprightFilters(matrix: DisplayMatrix | undefined): string[] {
  if (!matrix) return [];
  const degrees = -Math.round(rotationOf(matrix));
  const clockwise = degrees - 360 * Math.floor(degrees / 360 + 0.9 / 360);
  const [a = 0, , , c = 0, d = 0] = matrix;
  if (Math.abs(clockwise - 90) < 1) return [`transpose=${c > 0 ? 'cclock_flip' : 'clock'}`];
  if (Math.abs(clockwise - 180) < 1) return [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])];
  if (Math.abs(clockwise - 270) < 1) return [`transpose=${c < 0 ? 'clock_flip' : 'cclock'}`];
  if (Math.abs(clockwise) > 1) return [`rotate=${clockwise}*PI/180`];
  return d < 0 ? ['vflip'] : [];
}
