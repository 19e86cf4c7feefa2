import sharp from 'sharp';
import { MODEL_EDGE } from './nsfw-model';
import { decodeForModel } from './picture-pixels';

const RED = { r: 250, g: 10, b: 10 };
const picture = (width: number, height: number): sharp.Sharp =>
  sharp({ create: { width, height, channels: 3, background: RED } });

describe('decodeForModel', () => {
  it('decodes any JPEG file to a square with three bytes per pixel', async () => {
    for (const [width, height] of [
      [640, 480],
      [10, 300],
      [1, 1],
    ] as const) {
      const pixels = await decodeForModel(await picture(width, height).jpeg().toBuffer());
      expect(pixels).toHaveLength(MODEL_EDGE * MODEL_EDGE * 3);
      expect(pixels[0]).toBeGreaterThan(240);
      expect(pixels[1]).toBeLessThan(20);
    }
  });

  it('decodes grey pictures to three channels', async () => {
    const pixels = await decodeForModel(await picture(64, 64).greyscale().jpeg().toBuffer());
    expect(pixels).toHaveLength(MODEL_EDGE * MODEL_EDGE * 3);
  });

  it.each(['png', 'webp', 'gif', 'tiff'] as const)('rejects a file of type %s', async (format) => {
    await expect(decodeForModel(await picture(8, 8).toFormat(format).toBuffer())).rejects.toThrow();
  });

  it('rejects SVG, truncated files and too many pixels', async () => {
    const jpeg = await picture(640, 480).jpeg().toBuffer();
    await expect(decodeForModel(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).rejects.toThrow();
    await expect(decodeForModel(jpeg.subarray(0, jpeg.length / 2))).rejects.toThrow();
    await expect(decodeForModel(await picture(3000, 3000).jpeg().toBuffer())).rejects.toThrow('pixel limit');
  });
});
