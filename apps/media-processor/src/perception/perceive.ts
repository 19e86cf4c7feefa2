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
 * The largest width and height of the picture that is hashed: five samples for each cell of the hash, so that borders
 * are found precisely. A picture with fewer than half as many is enlarged; enlarging costs more than the rest of the hash.
 */
const HASHED_EDGE = 320;
/** The hash keeps seven waves along the longest edge, which is at most 100 pixels long. */
const THUMBHASH_EDGE = 32;
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
  /** The first picture, until a second one is compared with it. */
  private only: Pixels | null = null;

  constructor(private readonly job: MediaJob) {}

  /** Adds a picture on one background, or on both if it is transparent. */
  async add(pixels: Pixels, backgrounds: readonly Background[] = BACKGROUNDS): Promise<void> {
    await this.addFlat(await flattenOn(pixels, backgrounds));
  }

  /** Adds pictures of `flattenOn`. */
  async addFlat(pictures: readonly Pixels[]): Promise<void> {
    for (const flat of pictures) if (await this.isNew(flat)) await this.write(flat);
  }

  private async isNew(flat: Pixels): Promise<boolean> {
    if (this.files.length === 0) {
      this.only = flat;
      return true;
    }
    if (this.only) this.seen.push(await sceneOf(this.only));
    this.only = null;
    const luma = await sceneOf(flat);
    if (this.seen.some((other) => looksTheSame(other, luma))) return false;
    this.seen.push(luma);
    return true;
  }

  private async write(flat: Pixels): Promise<void> {
    const { folder, media } = this.job;
    const index = this.files.length;
    const file = `frame-${index}.jpg`;
    await fromPixels(flat).jpeg({ quality: 85, optimiseCoding: false }).toFile(join(folder, file));
    this.files.push({ file, key: objectKeys.moderationFrame(media.slug, index) });
  }
}

/** The hashes of a still: on each background if it is transparent, with its border and without. */
export const hashStill = async (pixels: Pixels, at = 0): Promise<PerceptualHash[]> =>
  hashFlat(await flattenOn(pixels), at);

/** As `hashStill`, for the pictures of `flattenOn`. */
export async function hashFlat(pictures: readonly Pixels[], at = 0): Promise<PerceptualHash[]> {
  const lumas: Luma[] = [];
  for (const flat of pictures) {
    const [width, height] = [hashedLength(flat.width), hashedLength(flat.height)];
    const luma = lumaOf(await resizePixels(flat, { width, height }));
    if (!lumas.some((other) => looksTheSame(other, luma))) lumas.push(luma);
  }
  return lumas.flatMap((luma) => hashPicture(luma, at));
}

const hashedLength = (length: number): number =>
  length < HASHED_EDGE / 2 ? HASHED_EDGE : Math.min(length, HASHED_EDGE);

const sceneOf = async (flat: Pixels): Promise<Luma> =>
  lumaOf(await resizePixels(flat, { width: SCENE_EDGE, height: SCENE_EDGE }));

/** A picture as pages show it, its longest edge at most `FRAME_EDGE`: on each background if it is transparent, else once. */
export async function flattenOn(
  pixels: Pixels,
  backgrounds: readonly Background[] = BACKGROUNDS,
): Promise<Pixels[]> {
  const pictures: Pixels[] = [];
  for (const background of isTranslucent(pixels) ? backgrounds : [BACKGROUNDS[0]])
    pictures.push(await flatten(pixels, background));
  return pictures;
}

/** Upright RGB, its longest edge at most `FRAME_EDGE`. */
async function flatten(pixels: Pixels, background: Background): Promise<Pixels> {
  const { width, height } = fitLongestEdge(pixels, FRAME_EDGE);
  if (pixels.channels === 3) return resizePixels(pixels, { width, height });
  return toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }).flatten({ background }));
}

/** The blurred placeholder of a picture, as base64 (https://evanw.github.io/thumbhash/). */
export async function thumbhashOf(pixels: Pixels): Promise<string> {
  const { width, height } = fitLongestEdge(pixels, THUMBHASH_EDGE);
  const small = await toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }).ensureAlpha());
  return Buffer.from(rgbaToThumbHash(width, height, small.data)).toString('base64');
}

/** BT.601 luma, as in PDQ's reference. Transparent parts get the given brightness. */
export function lumaOf({ data, channels, width, height }: Pixels, background = 255): Luma {
  const luma = new Float32Array(data.length / channels);
  // Nearly all pictures have three channels. Without conditions, this loop takes a third of the time of the one below.
  if (channels === 3) {
    for (let i = 0, at = 0; i < luma.length; i++, at += 3)
      luma[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    return { data: luma, width, height };
  }
  const hasAlpha = channels === 2 || channels === 4;
  for (let i = 0, at = 0; i < luma.length; i++, at += channels) {
    const red = data[at] ?? 0;
    const grey = channels < 3 ? red : 0.299 * red + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    const alpha = hasAlpha ? (data[at + channels - 1] ?? 0) / 255 : 1;
    luma[i] = grey * alpha + background * (1 - alpha);
  }
  return { data: luma, width, height };
}
