import { noisePicture } from '@vitrine/testing';
import sharp, { type Metadata } from 'sharp';

/** A photo-like picture as raw RGB. */
export const noise = (width: number, height: number, seed = 1): Promise<Buffer> =>
  noisePicture(width, height, seed);

/** The same as a sharp pipeline. */
export const photo = async (width: number, height: number, seed = 1): Promise<sharp.Sharp> =>
  sharp(await noise(width, height, seed), { raw: { width, height, channels: 3 } });

/**
 * Four quarters: red, green, blue and white, clockwise from the top left, to detect rotating, mirroring and
 * recolouring.
 */
export async function quarters(width: number, height: number): Promise<sharp.Sharp> {
  const colours = ['#ff0000', '#00ff00', '#ffffff', '#0000ff'];
  const tiles = colours.map((background, index) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background } },
    left: (index % 2) * (width / 2),
    top: Math.floor(index / 2) * (height / 2),
  }));
  const canvas = sharp({ create: { width, height, channels: 3, background: '#000000' } }).composite(tiles);
  return sharp(await canvas.removeAlpha().raw().toBuffer(), { raw: { width, height, channels: 3 } });
}

/** The colours at the centres of the four quarters, clockwise from the top left, as letters. */
export async function coloursOf(file: Buffer): Promise<string> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .resize(4, 4, { kernel: 'nearest', fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [0, 3, 15, 12]
    .map((index) => {
      const [r = 0, g = 0, b = 0] = data.subarray(index * info.channels);
      if (Math.min(r, g, b) > 180) return 'w';
      return r > g && r > b ? 'r' : g > b ? 'g' : 'b';
    })
    .join('');
}

/** What libvips reads from the header of a file. */
export const metadata = async (file: Promise<Buffer>, options = {}): Promise<Metadata> =>
  sharp(await file, options).metadata();

/** A moving picture as raw RGBA frames, one below the other: a white square that moves over a colour. */
function movingFrames(width: number, height: number, count: number): Buffer {
  const frames = Buffer.alloc(width * height * 4 * count);
  for (let frame = 0; frame < count; frame++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const inside =
          Math.abs(x - (frame * width) / count) < width / 8 && Math.abs(y - height / 2) < height / 4;
        const at = ((frame * height + y) * width + x) * 4;
        frames.set(inside ? [255, 255, 255, 255] : [40 + frame * 10, 90, 160, 255], at);
      }
    }
  }
  return frames;
}

/** These frames as a sharp pipeline. */
export const animation = (width: number, height: number, count: number): sharp.Sharp =>
  sharp(movingFrames(width, height, count), {
    raw: { width, height: height * count, channels: 4, pageHeight: height },
    pages: -1,
  });
