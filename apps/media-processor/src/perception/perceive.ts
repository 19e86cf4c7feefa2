import { join } from 'node:path';
import { objectKeys, type PerceptualHash } from '@vitrine/contracts';
import { rgbaToThumbHash } from 'thumbhash';
import type { MadeFile, MediaJob } from '../jobs/protocol';
import { fromPixels, isTranslucent, resizePixels, toPixels, type Pixels } from '../pixels/pixels';
import { fitLongestEdge } from '../pixels/variant-plan';
import type { Luma } from './pdq';
import { hashPicture, looksTheSame, SCENE_EDGE } from './scenes';

/** Longest edge of the pictures that the classifier judges. */
export const FRAME_EDGE = 512;
/**
 * Width and height of the stretched picture that is hashed: five samples for each cell of the hash, so that borders
 * are found precisely.
 */
const HASHED_EDGE = 320;
/** The hash keeps seven waves along the longest edge. The algorithm accepts at most 100 pixels. */
const THUMBHASH_EDGE = 64;
/**
 * Brightness of the page behind a transparent picture. Pages may be light or dark, and a picture may be drawn for
 * only one of them.
 */
export const BACKGROUNDS = ['#ffffff', '#000000'] as const;
export type Background = (typeof BACKGROUNDS)[number];

/** The data on which moderation decides. */
export interface Perceived {
  readonly frames: readonly MadeFile[];
  readonly hashes: readonly PerceptualHash[];
  /** False if the file holds pictures that no hash covers. */
  readonly fullySeen: boolean;
}

/**
 * The pictures that the classifier judges, written to the job's folder. A picture that looks like another one is left
 * out.
 */
export class JudgedFrames {
  readonly files: MadeFile[] = [];
  private readonly seen: Luma[] = [];

  constructor(private readonly job: MediaJob) {}

  /** Adds a picture on one background, or on both if it is transparent. */
  async add(pixels: Pixels, backgrounds: readonly Background[] = BACKGROUNDS): Promise<void> {
    for (const background of isTranslucent(pixels) ? backgrounds : [BACKGROUNDS[0]]) {
      await this.addFlat(await flatten(pixels, background));
    }
  }

  private async addFlat(flat: Pixels): Promise<void> {
    const luma = lumaOf(await resizePixels(flat, { width: SCENE_EDGE, height: SCENE_EDGE }));
    if (this.seen.some((other) => looksTheSame(other, luma))) return;
    this.seen.push(luma);
    const { folder, media } = this.job;
    const index = this.files.length;
    const file = `frame-${index}.jpg`;
    await fromPixels(flat).jpeg({ quality: 85, optimiseCoding: false }).toFile(join(folder, file));
    this.files.push({ file, key: objectKeys.moderationFrame(media.slug, index) });
  }
}

/** The hashes of a still: on each background if it is transparent, with its border and without. */
export async function hashStill(pixels: Pixels, at = 0): Promise<PerceptualHash[]> {
  const backgrounds = isTranslucent(pixels) ? BACKGROUNDS : [BACKGROUNDS[0]];
  const lumas: Luma[] = [];
  for (const background of backgrounds) {
    const flat = await flatten(pixels, background);
    const luma = lumaOf(await resizePixels(flat, { width: HASHED_EDGE, height: HASHED_EDGE }));
    if (!lumas.some((other) => looksTheSame(other, luma))) lumas.push(luma);
  }
  return lumas.flatMap((luma) => hashPicture(luma, at));
}

/** Upright RGB, its longest edge at most `FRAME_EDGE`. */
async function flatten(pixels: Pixels, background: Background): Promise<Pixels> {
  const { width, height } = fitLongestEdge(pixels, FRAME_EDGE);
  return toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }).flatten({ background }));
}

/** The blurred placeholder of a picture, as base64 (https://evanw.github.io/thumbhash/). */
export async function thumbhashOf(pixels: Pixels): Promise<string> {
  const { width, height } = fitLongestEdge(pixels, THUMBHASH_EDGE);
  const small = await toPixels(
    fromPixels(pixels).resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha(),
  );
  return Buffer.from(rgbaToThumbHash(width, height, small.data)).toString('base64');
}

/** BT.601 luma, as in PDQ's reference. Transparent parts get the given brightness. */
export function lumaOf({ data, channels, width, height }: Pixels, background = 255): Luma {
  const luma = new Float32Array(data.length / channels);
  const hasAlpha = channels === 2 || channels === 4;
  for (let i = 0, at = 0; i < luma.length; i++, at += channels) {
    const red = data[at] ?? 0;
    const grey = channels < 3 ? red : 0.299 * red + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    const alpha = hasAlpha ? (data[at + channels - 1] ?? 0) / 255 : 1;
    luma[i] = grey * alpha + background * (1 - alpha);
  }
  return { data: luma, width, height };
}
