import { noisePicture } from '@vitrine/testing';
import sharp from 'sharp';

/** A picture with as much detail as a photograph, including grain; the same seed gives the same picture. */
export async function photograph(width: number, height: number, seed: number): Promise<sharp.Sharp> {
  const pixels = await noisePicture(width, height, seed, { largest: 1 / 4, smallest: 1, falloff: 0.45 });
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
