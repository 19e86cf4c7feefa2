import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { MemorySource } from '../bytes/memory-source';
import { UnreadableFileError } from '../errors/file-errors';
import { BLUE, gif, LEFT, RIGHT, type GifFrameOptions } from '../testing/gif-samples';
import { noise } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectGif, isAmbiguousGif } from './gif';

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

  describe('a GIF of which a part is empty', () => {
    it.each<[string, GifFrameOptions[], string]>([
      ['nothing was drawn', [{ area: LEFT }], 'R '],
      ['nothing was drawn, in an animation', [{ area: LEFT }, { area: LEFT, colour: BLUE }], 'B '],
      ['nothing was drawn by a frame without a control block', [{ area: LEFT, control: false }], 'R '],
      ['a frame was cleared', [{}, { area: RIGHT, disposal: 2 }, { area: LEFT, colour: BLUE }], 'B '],
      ['the first frame was undone', [{ disposal: 3 }, { area: LEFT, colour: BLUE }], 'B '],
      ['the first frame was undone by another number', [{ disposal: 4 }, { area: LEFT, colour: BLUE }], 'B '],
      ['only the second frame has a free colour', [{ area: LEFT, codeSize: 8 }, { area: LEFT }], 'R '],
    ])('is transparent where %s', async (_, frames, shown) => {
      const { scrubbed } = await scrub(inspectGif, gif(frames, 256));
      expect(await halvesOfLastFrame(scrubbed)).toBe(shown);
      expect(await isAmbiguousGif(new MemorySource(scrubbed))).toBe(false);
      expect((await scrub(inspectGif, scrubbed)).rewrite).toBeNull();
    });

    it.each<[string, GifFrameOptions[]]>([
      ['every frame fills the canvas', [{}, { colour: BLUE }]],
      ['the last frame is cleared', [{}, { codeSize: 8, disposal: 2 }]],
      ['a later frame covers the cleared one', [{ codeSize: 8, disposal: 2 }, { codeSize: 8 }]],
      [
        'transparency is declared',
        [{ area: LEFT, codeSize: 8, transparent: 9, disposal: 2 }, { area: LEFT }],
      ],
      ['a later frame is undone', [{}, { area: LEFT, disposal: 3 }, { area: RIGHT }]],
    ])('is unchanged if %s', async (_, frames) => {
      const file = gif(frames, 256);
      expect((await scrub(inspectGif, file)).rewrite).toBeNull();
      expect(await isAmbiguousGif(new MemorySource(file))).toBe(false);
    });

    it.each<[string, GifFrameOptions[]]>([
      ['nothing was drawn', [{ area: LEFT, codeSize: 8 }]],
      ['a frame was cleared', [{ codeSize: 8, disposal: 2 }, { area: LEFT }]],
      [
        'a frame was cleared before one that is undone',
        [
          { codeSize: 8, disposal: 2 },
          { codeSize: 8, disposal: 3 },
          { area: LEFT, colour: BLUE },
        ],
      ],
      [
        'a frame was cleared before one that declares transparency',
        [{ codeSize: 8, disposal: 2 }, { transparent: 9 }],
      ],
    ])('is ambiguous if all 256 colours may be used, and %s', async (_, frames) => {
      const { scrubbed } = await scrub(inspectGif, gif(frames, 256));
      expect(await isAmbiguousGif(new MemorySource(scrubbed))).toBe(true);
    });

    it('is transparent there if its palette is shorter than its code size', async () => {
      const file = gif(
        [
          { codeSize: 8, disposal: 2 },
          { area: LEFT, codeSize: 8, colour: BLUE },
        ],
        128,
      );
      const { scrubbed } = await scrub(inspectGif, file);
      expect(await halvesOfLastFrame(scrubbed)).toBe('B ');
      expect(await isAmbiguousGif(new MemorySource(scrubbed))).toBe(false);
    });

    it('is ambiguous if an earlier release has stored it', async () => {
      expect(await isAmbiguousGif(new MemorySource(gif([{ area: LEFT }])))).toBe(true);
    });
  });
});

/** The two pixels of the last frame as libvips shows them: red, blue, black or nothing. */
async function halvesOfLastFrame(file: Uint8Array): Promise<string> {
  const { pages = 1 } = await sharp(file).metadata();
  const data = await sharp(file, { page: pages - 1 })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const letter = ([red, , blue, alpha]: Uint8Array): string =>
    alpha === 0 ? ' ' : red ? 'R' : blue ? 'B' : 'black';
  return letter(data.subarray(0, 4)) + letter(data.subarray(4));
}
