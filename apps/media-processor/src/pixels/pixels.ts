import sharp, { type Sharp } from 'sharp';
import { fitLongestEdge, type Dimensions } from './variant-plan';

/** Upright 8-bit sRGB (or grey) pixels, rows from the top, channels interleaved, alpha not premultiplied. */
export interface Pixels extends Dimensions {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Runs a pipeline and returns its pixels. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const channels: number = info.channels;
  if (channels > 4) return { data: firstThree(data, channels), width, height, channels: 3 };
  return { data, width, height, channels: info.channels };
}

/** Red, green and blue of pixels with spot colours or masks. */
function firstThree(data: Buffer, channels: number): Buffer {
  const colours = Buffer.alloc((data.length / channels) * 3);
  for (let from = 0, to = 0; to < colours.length; from += channels, to += 3)
    data.copy(colours, to, from, from + 3);
  return colours;
}

/**
 * Upright 16-bit pixels in the source's own colour space: 3 channels, or 4 with an alpha that is not premultiplied.
 */
export interface DeepPixels extends Dimensions {
  readonly data: Uint16Array;
  readonly channels: 3 | 4;
}

/** Runs a pipeline without changing the meaning of its values, and returns its pixels. */
export async function toDeepPixels(pipeline: Sharp): Promise<DeepPixels> {
  const { data, info } = await pipeline
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return { data: samples, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 };
}

/** 8-bit pixels of 3 or 4 channels as 16-bit ones. */
export const deepen = (pixels: Pixels & { readonly channels: 3 | 4 }): DeepPixels => ({
  ...pixels,
  data: Uint16Array.from(pixels.data, (value) => value * 257),
});

/** A pipeline that starts with pixels. */
export const fromPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

/** Pixels resized to exactly these dimensions; the same pixels if they have these dimensions. */
export async function resizePixels(pixels: Pixels, { width, height }: Dimensions): Promise<Pixels> {
  if (pixels.width === width && pixels.height === height) return pixels;
  return toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }));
}

/** Runs a pipeline at its full size, then reduces its pixels until the longest edge is at most `edge`. */
export async function toPixelsWithin(pipeline: Sharp, edge: number): Promise<Pixels> {
  const whole = await toPixels(pipeline);
  return resizePixels(whole, fitLongestEdge(whole, edge));
}

/** The most parts of one long picture. */
const MAX_PARTS = 8;

/**
 * The parts of a picture that is longer than 2 : 1, which a reader scrolls through: together they cover it, and most are
 * about square. Empty for other shapes.
 */
export async function longParts(pixels: Pixels): Promise<Pixels[]> {
  const { width, height } = pixels;
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  if (long <= 2 * short) return [];
  const count = Math.min(MAX_PARTS, Math.ceil(long / short));
  const length = Math.max(short, Math.ceil(long / count));
  const parts: Pixels[] = [];
  for (let part = 0; part < count; part++) {
    const start = Math.round(((long - length) * part) / (count - 1));
    const area =
      width < height
        ? { left: 0, top: start, width, height: length }
        : { left: start, top: 0, width: length, height };
    parts.push(await toPixels(fromPixels(pixels).extract(area)));
  }
  return parts;
}

/** Whether at least one pixel is not opaque. */
export function isTranslucent({ data, channels }: Pixels): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let alpha = channels - 1; alpha < data.length; alpha += channels) {
    if (data[alpha] !== 255) return true;
  }
  return false;
}

/** All frames of an animation, one below the other. */
export interface Roll extends Pixels {
  /** Pixels of one frame; `height` is that of all frames together. */
  readonly frameHeight: number;
}

/** A pipeline that starts with the frames of an animation. */
export const fromRoll = ({ data, width, height, channels, frameHeight }: Roll): Sharp =>
  sharp(data, {
    raw: { width, height, channels, pageHeight: frameHeight },
    pages: -1,
    limitInputPixels: false,
  });

/** One frame of a roll, in the same memory. */
export function frameOf({ data, width, channels, frameHeight }: Roll, index: number): Pixels {
  const bytes = width * frameHeight * channels;
  return { data: data.subarray(index * bytes, (index + 1) * bytes), width, height: frameHeight, channels };
}

/** Some frames of a roll, in the same memory. */
export function sliceOf(roll: Roll, first: number, count: number): Roll {
  const bytes = roll.width * roll.frameHeight * roll.channels;
  const data = roll.data.subarray(first * bytes, (first + count) * bytes);
  return { ...roll, data, height: roll.frameHeight * count };
}
