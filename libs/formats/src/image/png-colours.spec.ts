import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { noise, pngChunk } from '../testing/image-samples';
import { scrub } from '../testing/scrub';
import { inspectPng } from './png';

const HEADER_END = 33;
const HDR = pngChunk('cICP', Uint8Array.of(9, 16, 0, 1));
const LIGHT = pngChunk('cLLI', u32(10_000_000, 2_000_000));
const SRGB = pngChunk('sRGB', Uint8Array.of(0));
const SRGB_GAMMA = pngChunk('gAMA', u32(45_455));
const SRGB_POINTS = pngChunk('cHRM', u32(31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000));
const LINEAR = pngChunk('gAMA', u32(100_000));
const ADOBE_POINTS = pngChunk('cHRM', u32(31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6000));
const PALETTE = pngChunk('PLTE', Uint8Array.of(0, 0, 0, 255, 255, 255));

const damaged = (chunk: Uint8Array): Uint8Array =>
  chunk.map((byte, at) => (at === chunk.length - 1 ? byte ^ 1 : byte));
const gamma = (value: number): Uint8Array => pngChunk('gAMA', u32(value));
const coded = (...points: number[]): Uint8Array => pngChunk('cICP', Uint8Array.from(points));
const points = (...values: number[]): Uint8Array => pngChunk('cHRM', u32(...values));

type Chunks = readonly Uint8Array[];

describe('readColourChunks', () => {
  let colour: Buffer;
  let grey: Buffer;
  let profile: Uint8Array;

  beforeAll(async () => {
    const picture = sharp(noise(8, 8, 3), { raw: { width: 8, height: 8, channels: 3 } });
    colour = await picture.clone().png().toBuffer();
    grey = await picture.clone().toColourspace('b-w').png().toBuffer();
    const { icc } = await sharp(await picture.clone().withIccProfile('p3').png().toBuffer()).metadata();
    profile = pngChunk('iCCP', concatBytes([asciiBytes('ICC\0\0'), deflateSync(icc ?? '')]));
  });

  const withChunks = (chunks: Chunks, file: Buffer): Buffer =>
    Buffer.concat([file.subarray(0, HEADER_END), ...chunks, file.subarray(HEADER_END)]);

  const expectKept = async (chunks: Chunks, kept: Chunks, file = colour): Promise<void> => {
    const { scrubbed } = await scrub(inspectPng, withChunks(chunks, file));
    expect(Buffer.from(scrubbed)).toEqual(withChunks(kept, file));
  };

  it.each<[string, Chunks]>([
    ['sRGB with the same gamma and primaries', [SRGB, SRGB_GAMMA, SRGB_POINTS]],
    ['a gamma', [LINEAR]],
    ['a gamma and primaries', [ADOBE_POINTS, SRGB_GAMMA]],
    ['code points of HDR with the brightness', [HDR, LIGHT]],
    ['code points beside sRGB', [coded(12, 13, 0, 1), SRGB]],
  ])('keeps %s unchanged', async (_, chunks) => {
    const file = withChunks(chunks, colour);
    expect((await scrub(inspectPng, file)).rewrite).toBeNull();
  });

  it.each<[string, Chunks]>([
    ['a gamma with a wrong CRC', [damaged(LINEAR)]],
    ['primaries with a wrong CRC', [damaged(ADOBE_POINTS)]],
    ['sRGB with a wrong CRC', [damaged(SRGB)]],
    ['code points with a wrong CRC', [damaged(HDR)]],
    ['a gamma of 3 bytes', [pngChunk('gAMA', Uint8Array.of(0, 0, 3))]],
    ['sRGB without a value', [pngChunk('sRGB', new Uint8Array(0))]],
    ['sRGB with an unknown value', [pngChunk('sRGB', Uint8Array.of(9))]],
    ['a gamma of zero', [gamma(0)]],
    ['a gamma that makes the picture nearly black', [gamma(1000)]],
    ['a gamma that makes the picture nearly white', [gamma(4_000_000)]],
    ['unspecified code points', [coded(2, 2, 0, 1)]],
    ['unknown code points', [coded(1, 17, 0, 1)]],
    ['code points of a matrix', [coded(1, 13, 1, 1)]],
    ['code points of a limited range', [coded(1, 8, 0, 0)]],
    ['a gamma beside impossible primaries', [points(99_999, 99_999, 1, 1, 1, 1, 1, 1), LINEAR]],
    [
      'a gamma beside primaries on a line',
      [points(31_270, 32_900, 60_000, 30_000, 40_000, 30_000, 10_000, 30_000), LINEAR],
    ],
    [
      'a gamma beside primaries without white',
      [points(90_000, 5000, 64_000, 33_000, 30_000, 60_000, 15_000, 6000), LINEAR],
    ],
    ['primaries without a gamma', [ADOBE_POINTS]],
    ['the brightness of an HDR picture without its code points', [LIGHT]],
    ['chunks after the palette', [PALETTE, LINEAR, HDR]],
  ])('removes %s', async (_, chunks) => {
    await expectKept(
      chunks,
      chunks.filter((chunk) => chunk === PALETTE),
    );
  });

  it('removes chunks after the pixels', async () => {
    const end = colour.length - 12;
    const { scrubbed } = await scrub(
      inspectPng,
      concatBytes([colour.subarray(0, end), LINEAR, colour.subarray(end)]),
    );
    expect(Buffer.from(scrubbed)).toEqual(colour);
  });

  it('keeps the first valid chunk of each type', async () => {
    await expectKept([damaged(SRGB_GAMMA), LINEAR, SRGB_GAMMA], [LINEAR]);
    await expectKept([HDR, coded(1, 13, 0, 1)], [HDR]);
  });

  it('removes chunks that a chunk of a higher rank overrides, unless they mean sRGB', async () => {
    await expectKept([SRGB, LINEAR, ADOBE_POINTS], [SRGB]);
    await expectKept([HDR, profile, LINEAR], [HDR]);
    await expectKept([SRGB, profile, SRGB_GAMMA, ADOBE_POINTS], [profile, SRGB_GAMMA]);
  });

  it('lets the next chunk count if the one of a higher rank is not valid', async () => {
    await expectKept([coded(2, 2, 0, 1), LINEAR], [LINEAR]);
    await expectKept([damaged(profile), LINEAR], [LINEAR]);
    await expectKept([damaged(SRGB), LINEAR], [LINEAR]);
  });

  it('keeps a profile only for pixels of its colour space', async () => {
    await expectKept([profile], [profile]);
    await expectKept([profile], [], grey);
  });
});
