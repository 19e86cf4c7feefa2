import { execFileSync } from 'node:child_process';
import type { Rgb } from '@vitrine/testing';
import type { Triple } from './video-colours';

/** Edge of a patch in pixels; chroma is subsampled, so only its middle is compared. */
export const PATCH = 16;
/** Steps of 255 that rounding may cost: of 10 bits at the input, and of 8 at the output. */
export const ROUNDING = 6;

/** Luma and colour differences of 10 bits and limited range, as planes of a row of patches. */
export function patches(colours: readonly Triple[]): Buffer {
  const samples = colours.map(([y, u, v]): Triple => [64 + 876 * y, 512 + 896 * u, 512 + 896 * v]);
  const plane = (index: 0 | 1 | 2): number[] => {
    const row = samples.flatMap((sample) => Array<number>(PATCH).fill(Math.round(sample[index])));
    return Array<number[]>(PATCH).fill(row).flat();
  };
  return Buffer.from(Uint16Array.from([...plane(0), ...plane(1), ...plane(2)]).buffer);
}

/** Arguments of ffmpeg that read `patches` from the standard input. */
export const rawPatches = (count: number): string[] => [
  ...['-f', 'rawvideo', '-pix_fmt', 'yuv444p10le', '-s', `${PATCH * count}x${PATCH}`, '-i', '-'],
];

/** The filters by which a player shows a rendition. */
export const PLAYED = 'scale=in_color_matrix=bt709:in_range=tv,format=rgb24';

/** The middles of the patches of each row of patches. */
export function middles(rgb: Buffer, count: number): Rgb[][] {
  const line = 3 * PATCH * count;
  return Array.from({ length: rgb.length / (line * PATCH) }, (_, row) =>
    Array.from({ length: count }, (__, index): Rgb => {
      const at = (row * PATCH + PATCH / 2) * line + 3 * (index * PATCH + PATCH / 2);
      const [r = 0, g = 0, b = 0] = rgb.subarray(at, at + 3);
      return [r, g, b];
    }),
  );
}

/** The largest difference of a channel. */
export const distance = (one: Rgb, other: Rgb): number =>
  Math.max(...one.map((value, index) => Math.abs(value - (other[index] ?? 0))));

/** Runs ffmpeg and returns its output. */
export const ffmpeg = (args: readonly string[], input?: Buffer): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { input, maxBuffer: 1 << 28 });
