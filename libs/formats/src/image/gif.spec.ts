import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { MemorySource } from '../bytes/memory-source';
import { UnreadableFileError, UnsupportedVariantError } from '../errors/file-errors';
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

  it('ends a truncated file', async () => {
    for (const cut of [1, 2]) {
      const { facts, scrubbed } = await scrub(inspectGif, plain.subarray(0, -cut));
      expect(facts.frames).toBe(3);
      expect(Buffer.from(scrubbed)).toEqual(plain);
    }
  });

  // Promise [formats]: Of a truncated GIF, the complete frames and rows are accepted.
  it('keeps the complete rows of a picture that is cut, and fills those of an interlaced one', async () => {
    const pixels = (from: Uint8Array): Promise<Buffer> => sharp(from).removeAlpha().raw().toBuffer();
    const raw = { width: 8, height: 8, channels: 3 as const };
    const indexed = (progressive: boolean): Promise<Buffer> =>
      sharp(noise(8, 8, 3), { raw })
        .gif({ progressive, effort: 1, dither: 0 })
        .toBuffer();
    const [straight, interlaced] = [await indexed(false), await indexed(true)];
    const cut = await scrub(inspectGif, straight.subarray(0, -24));
    const rows = cut.scrubbed.lastIndexOf(0x2c);
    expect(rows).toBeGreaterThan(0);
    const whole = await pixels(straight);
    const [kept, filled] = [
      await pixels(cut.scrubbed),
      await pixels((await scrub(inspectGif, interlaced.subarray(0, -24))).scrubbed),
    ];
    expect(kept.subarray(0, 8 * 3 * 4)).toEqual(whole.subarray(0, 8 * 3 * 4));
    expect(kept.subarray(-8 * 3)).not.toEqual(whole.subarray(-8 * 3));
    // Of the last pass, which holds every second row, the last row is missing.
    expect(filled.subarray(-8 * 3)).toEqual(filled.subarray(-16 * 3, -8 * 3));
    for (const row of [0, 2, 4, 6])
      expect(filled.subarray(row * 24, row * 24 + 24)).toEqual(whole.subarray(row * 24, row * 24 + 24));
  });

  it('cuts off what lies outside of the canvas', async () => {
    const { scrubbed } = await scrub(inspectGif, gif([{ area: [1, 0, 3, 2], colour: BLUE }]));
    expect(scrubbed).toEqual((await scrub(inspectGif, gif([{ area: RIGHT, colour: BLUE }]))).scrubbed);
  });

  it('shows colours that the palette lacks as black', async () => {
    const { scrubbed } = await scrub(inspectGif, gif([{ colour: 3 }]));
    expect([...(await sharp(scrubbed).removeAlpha().raw().toBuffer())]).toEqual([0, 0, 0, 0, 0, 0]);
    expect((await scrub(inspectGif, scrubbed)).rewrite).toBeNull();
  });

  // Promise [formats]: Unsupported variants of a format are refused by name.
  it.each([
    ['GIF without a palette is not supported.', gif([{}]).fill(0, 10, 11)],
    ['GIF with 9 bits is not supported.', gif([{ codeSize: 9 }])],
    ['GIF with a frame outside of its canvas is not supported.', gif([{}, { area: [2, 0, 1, 1] }])],
  ])('refuses a %s', async (message, bytes) => {
    const file = message.includes('palette')
      ? concatBytes([bytes.subarray(0, 13), bytes.subarray(19)])
      : bytes;
    await expect(scrub(inspectGif, file)).rejects.toThrow(new UnsupportedVariantError(message));
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
