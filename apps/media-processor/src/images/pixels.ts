import sharp, { type Sharp } from 'sharp';
import type { Dimensions } from './variant-plan';

/** Upright 8-bit sRGB (or grey) pixels, rows from the top, channels interleaved, alpha not premultiplied. */
export interface Pixels extends Dimensions {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Runs a pipeline to its end and gives its pixels. */
export async function toPixels(pipeline: Sharp): Promise<Pixels> {
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as Pixels['channels'] };
}

/** A pipeline that begins with pixels. */
export const fromPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: false });

/** Pixels resized to exactly these dimensions. */
export const resizePixels = (pixels: Pixels, { width, height }: Dimensions): Promise<Pixels> =>
  toPixels(fromPixels(pixels).resize(width, height, { fit: 'fill' }));

/** True where at least one pixel lets the background through. */
export function isTranslucent({ data, channels }: Pixels): boolean {
  if (channels !== 2 && channels !== 4) return false;
  for (let alpha = channels - 1; alpha < data.length; alpha += channels) {
    if (data[alpha] !== 255) return true;
  }
  return false;
}

/** All frames of an animation, one below the other. */
export interface Roll extends Pixels {
  /** Pixels; `height` is that of all frames together. */
  readonly frameHeight: number;
}

/** A pipeline that begins with the frames of an animation. */
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
