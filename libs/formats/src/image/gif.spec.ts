import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { UnreadableFileError } from '../errors/file-errors';
import { noise } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectGif } from './gif';

describe('inspectGif', () => {
  let plain: Buffer;

  beforeAll(async () => {
    const raw = { width: 8, height: 24, channels: 3 as const, pageHeight: 8 };
    plain = await sharp(noise(8, 24, 3), { raw })
      .gif({ loop: 0, delay: 50 })
      .toBuffer();
  });

  it('leaves a truncated file unchanged', async () => {
    for (const cut of [1, 2, 20, 60]) {
      const { facts, rewrite } = await scrub(inspectGif, plain.subarray(0, -cut));
      expect(facts.frames).toBeGreaterThanOrEqual(2);
      expect(rewrite).toBeNull();
    }
  });

  it('refuses a file that ends before its first picture', async () => {
    await expect(scrub(inspectGif, plain.subarray(0, 14))).rejects.toThrow(UnreadableFileError);
  });

  it('keeps the number of loops', async () => {
    const { scrubbed } = await scrub(inspectGif, concatBytes([plain, Uint8Array.of(1, 2, 3)]));
    expect(scrubbed).toEqual(Uint8Array.from(plain));
    expect((await sharp(scrubbed, { animated: true }).metadata()).loop).toBe(0);
  });
});
