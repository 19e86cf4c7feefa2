import { join } from 'node:path';
import { objectKeys, type PerceptualHash } from '@vitrine/contracts';
import { rgbaToThumbHash } from 'thumbhash';
import { fromPixels, resizePixels, toPixels, type Pixels } from '../images/pixels';
import { fitLongestEdge } from '../images/variant-plan';
import type { MadeFile } from '../worker/protocol';
import { pdqHash } from './pdq';

/** Longest edge of what moderation looks at. */
export const FRAME_EDGE = 512;
/** Longest edge of what is hashed: four samples for each cell of the hash's grid, for a quarter of the time. */
const HASHED_EDGE = 256;
/** The hash keeps seven waves along the longest edge; 100 is the most that the algorithm takes. */
const THUMBHASH_EDGE = 64;
/** Moderation frames of one media, at most. */
export const MAX_FRAMES = 12;

export interface PerceivedFrame {
  readonly file: MadeFile;
  readonly hash: PerceptualHash;
}

/**
 * Makes moderation's picture of a frame, flattened on white and encoded by us, in the job's folder, and its hash.
 * `at` is the frame's place in the media, in seconds.
 */
export async function perceiveFrame(
  pixels: Pixels,
  { slug, index, at, folder }: { slug: string; index: number; at: number; folder: string },
): Promise<PerceivedFrame> {
  const { width, height } = fitLongestEdge(pixels, FRAME_EDGE);
  const flat = await toPixels(
    fromPixels(pixels).resize(width, height, { fit: 'fill' }).flatten({ background: '#ffffff' }),
  );
  const file = `frame-${index}.jpg`;
  await fromPixels(flat).jpeg({ quality: 85, optimiseCoding: false }).toFile(join(folder, file));
  const small = await resizePixels(flat, fitLongestEdge(flat, HASHED_EDGE));
  const hash = { ...pdqHash(lumaOf(small), small.width, small.height), at };
  return { file: { file, key: objectKeys.moderationFrame(slug, index) }, hash };
}

/** The blurred placeholder of a picture, as base64 (https://evanw.github.io/thumbhash/). */
export async function thumbhashOf(pixels: Pixels): Promise<string> {
  const { width, height } = fitLongestEdge(pixels, THUMBHASH_EDGE);
  const small = await toPixels(
    fromPixels(pixels).resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(width, height, small.data)).toString('base64');
}

/** Positions of at most `MAX_FRAMES` evenly spread frames out of `count`. */
export function sampleFrames(count: number): number[] {
  const samples = Math.min(count, MAX_FRAMES);
  return Array.from({ length: samples }, (_, index) => Math.floor(((index + 0.5) * count) / samples));
}

/** BT.601 luma, as PDQ's reference takes it. */
function lumaOf({ data, channels }: Pixels): Float32Array {
  const luma = new Float32Array(data.length / channels);
  for (let i = 0, at = 0; i < luma.length; i++, at += channels) {
    const red = data[at] ?? 0;
    luma[i] = channels < 3 ? red : 0.299 * red + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
  }
  return luma;
}
