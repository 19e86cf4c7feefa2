import sharp from 'sharp';
import { patchesOf, PATCHES_SIZE, type Triple } from '../../test/samples/colours';
import { ImageBench } from '../../test/samples/image-bench';
import { inkJpeg, withJpegProfile } from '../../test/samples/ink-jpeg';

/** By libvips' profile of CMYK, both are the same grey. */
const BLACK = [0, 0, 0, 120];
const OTHERS = [108, 84, 84, 0];

it('judges a JPEG in CMYK with a profile also as Chromium shows it', async () => {
  const bench = await ImageBench.open();
  try {
    const { width, height } = PATCHES_SIZE;
    const inks = Array.from({ length: width * height }, (_, pixel) =>
      pixel % width < width / 3 ? BLACK : OTHERS,
    );
    const plain = await inkJpeg(width, height, Buffer.from(inks.flat()));
    const { icc = Buffer.alloc(0) } = await sharp(
      await sharp(plain).withIccProfile('cmyk').jpeg().toBuffer(),
    ).metadata();
    const made = await bench.process(withJpegProfile(plain, icc), { format: 'jpeg', ext: 'jpg' });
    const pictures = await Promise.all(made.frames.map(async (key) => patchesOf(await made.readKey(key))));
    const spread = (patches: readonly Triple[]): number => {
      const greens = patches.map(([, green]) => green);
      return Math.max(...greens) - Math.min(...greens);
    };
    expect(pictures).toHaveLength(2);
    expect(spread(pictures[0] ?? [])).toBeLessThan(8);
    expect(spread(pictures[1] ?? [])).toBeGreaterThan(15);
  } finally {
    await bench.close();
  }
});
