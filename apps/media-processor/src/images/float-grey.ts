import { openStill } from '../pixels/open-image';
import { wrapInTiff } from './tiff-wrapper';

/**
 * A TIFF of grey in floating point as an uncompressed 8-bit TIFF, upright: its values 0 to 1 are black to white, as in other
 * programs. libvips takes them for 0 to 1 of 255. Null for any other TIFF.
 */
export async function readFloatGrey(path: string): Promise<Buffer | null> {
  const { depth, space } = await openStill(path).metadata();
  if (space !== 'b-w' || (depth !== 'float' && depth !== 'double')) return null;
  const { data, info } = await openStill(path)
    .toColourspace('b-w')
    .raw({ depth: 'float' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const values = new Float32Array(data.buffer, data.byteOffset, data.length / 4);
  const { tiff, pixels } = wrapInTiff({ width, height, channels: 3, depth: 8 });
  for (let pixel = 0; pixel < width * height; pixel++) {
    const grey = Math.round(255 * Math.min(1, Math.max(0, values[pixel * channels] ?? 0)));
    pixels.fill(grey, pixel * 3, pixel * 3 + 3);
  }
  return tiff;
}
