import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { PRO_PHOTO, profileOf } from '../../test/samples/colours';
import { makeHeif, tilesOfMp4, type HeifTiles } from '../../test/samples/heic';
import { iccFile } from '../../test/samples/icc-file';
import { ImageBench } from '../../test/samples/image-bench';
import { inkJpeg, withJpegProfile } from '../../test/samples/ink-jpeg';
import { tableOfGrid } from '../../test/samples/made-profiles';
import { control, frame, header, picturesOf, webpOf } from '../../test/samples/webp-cells';
import { openAnimation, openFrame, openFrames } from '../pixels/open-image';
import { frameOf, fromPixels, resizePixels, toPixels, type Pixels } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';
import { decodeFor } from './decode-still';
import { openSource, type ImageSource } from './image-source';
import { PNG_SIGNATURE, pngChunk } from './png/png-chunks';

/** Pixels at each edge of the pictures, and of their reductions. */
const EDGE = 640;
const SMALL = { width: 64, height: 64 };
/** The left half of each picture is a pattern that looks like the right half if it is averaged too early. */
const isPattern = (x: number): boolean => x < EDGE / 2;
/** The code values of neighbours in a pattern, and of the area beside it. */
const CHECKERBOARD = { odd: 255, even: 0, flat: 128 };

const values = (valueOf: (x: number, y: number) => readonly number[]): Buffer =>
  Buffer.from(
    Array.from({ length: EDGE * EDGE }, (_, at) => valueOf(at % EDGE, Math.floor(at / EDGE))).flat(),
  );

const checkerboard = (x: number, y: number, { odd, even, flat } = CHECKERBOARD): number =>
  isPattern(x) ? ((x ^ y) & 1 ? odd : even) : flat;

/** A JPEG of grey whose only coefficient besides the brightness is the highest, far beyond what pixels can hold. */
async function jpegBeyondWhite(): Promise<Buffer> {
  const wave = (at: number): number => Math.cos(((2 * (at % 8) + 1) * 7 * Math.PI) / 16);
  const pixels = values((x, y) => [Math.round(235 + (isPattern(x) ? 20 * wave(x) * wave(y) : 0))]);
  const jpeg = await sharp(pixels, { raw: { width: EDGE, height: EDGE, channels: 1 } })
    .jpeg({ quality: 100 })
    .toBuffer();
  const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
  // The last step of the quantisation table.
  jpeg[table + 5 + 63] = 100;
  return jpeg;
}

/** As YUV 4:2:0, a luma of black and white with a colour that only a middle luma can have. */
const lumaPattern = (): Buffer => {
  const chroma = (EDGE / 2) ** 2;
  const luma = values((x, y) => [checkerboard(x, y, { odd: 235, even: 16, flat: 126 })]);
  return Buffer.concat([luma, Buffer.alloc(chroma, 128), Buffer.alloc(chroma, 16)]);
};

const png = (): Promise<Buffer> =>
  sharp(
    values((x, y) => Array<number>(3).fill(checkerboard(x, y))),
    { raw: { width: EDGE, height: EDGE, channels: 3 } },
  )
    .png({ compressionLevel: 1 })
    .toBuffer();

async function pngWith(type: string, body: Buffer): Promise<Buffer> {
  const plain = await png();
  return Buffer.concat([PNG_SIGNATURE, plain.subarray(8, 33), pngChunk(type, body), plain.subarray(33)]);
}

const pngInProfile = (profile: Buffer): Promise<Buffer> =>
  pngWith('iCCP', Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]));

const LINEAR = Buffer.alloc(4);
LINEAR.writeUInt32BE(100_000);
/** Middle values are black, and both ends are white. */
const TENT = iccFile('scnrRGB Lab ', 2, [
  ['A2B0', tableOfGrid(9, (r, g, b) => [Math.abs((r + g + b) / 3 - 0.5) * 2, 128 / 255, 128 / 255])],
]);
const WIDE_AND_LINEAR = profileOf({ ...PRO_PHOTO, gamma: 1 });

describe('a reduced picture', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  async function lossyWebp(): Promise<Buffer> {
    const yuv = join(bench.files.folder, 'luma.yuv');
    await writeFile(yuv, lumaPattern());
    const layout = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${EDGE}x${EDGE}`];
    return readFile(
      bench.files.make('luma.webp', ...layout, '-i', yuv, '-c:v', 'libwebp', '-quality', '100'),
    );
  }

  const animatedWebp = async (): Promise<Buffer> => {
    const size = { width: EDGE, height: EDGE };
    const pictures = picturesOf(await lossyWebp());
    return webpOf(header(0x02, size), control, frame(pictures, size), frame(pictures, size));
  };

  const inks = async (): Promise<Buffer> => {
    const pattern = values((x, y) => [...Array<number>(3).fill(checkerboard(x, y)), 0]);
    const { icc = Buffer.alloc(0) } = await sharp(
      await sharp(await png())
        .withIccProfile('cmyk')
        .jpeg()
        .toBuffer(),
    ).metadata();
    return withJpegProfile(await inkJpeg(EDGE, EDGE, pattern), icc);
  };

  /** Means of each channel in the left half of a picture, and in the right half, without their edges. */
  async function halvesOf(pixels: Pixels): Promise<[left: number[], right: number[]]> {
    const { width, height } = pixels;
    const meansFrom = async (left: number): Promise<number[]> => {
      const area = { width: width >> 2, height: height >> 1, left: left + (width >> 3), top: height >> 2 };
      const part = await fromPixels(pixels).removeAlpha().extract(area).png().toBuffer();
      return (await sharp(part).stats()).channels.map(({ mean }) => mean);
    };
    return [await meansFrom(0), await meansFrom(width >> 1)];
  }

  const distance = (one: readonly number[], other: readonly number[]): number =>
    Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))));

  /** Expects that a reduction shows the halves of the picture in full size, and that these differ. */
  async function expectReduction(decode: (size: Dimensions) => Promise<Pixels>): Promise<void> {
    const whole = await decode({ width: EDGE, height: EDGE });
    const [left, right] = await halvesOf(await resizePixels(whole, SMALL));
    expect(distance(left, right)).toBeGreaterThan(25);
    const [madeLeft, madeRight] = await halvesOf(await decode(SMALL));
    expect(distance(madeLeft, left)).toBeLessThan(3);
    expect(distance(madeRight, right)).toBeLessThan(3);
  }

  it.each<[string, string, () => Promise<Buffer>]>([
    ['a JPEG with coefficients beyond white', 'jpeg', jpegBeyondWhite],
    ['a WebP with luma beyond its colour', 'webp', () => lossyWebp()],
    ['a PNG in linear light', 'png', () => pngWith('gAMA', LINEAR)],
    ['a PNG with a table', 'png', () => pngInProfile(TENT)],
    ['a PNG with primaries and linear light', 'png', () => pngInProfile(WIDE_AND_LINEAR)],
    ['a JPEG in CMYK with a profile', 'jpeg', () => inks()],
  ])('has the pixels of its full size: %s', async (_, format, make) => {
    const source = await openSource(await bench.files.job(await make(), { format }));
    expect(source).toMatchObject({ width: EDGE, height: EDGE });
    await expectReduction(async (size) => (await decodeFor('jpg', source, size)).pixels);
  });

  it('has the pixels of its full size: each frame of an animated WebP', async () => {
    const { input } = await openSource(
      await bench.files.job(await animatedWebp(), { format: 'webp', frames: 2 }),
    );
    const resized = { fit: 'fill' } as const;
    await expectReduction(({ width, height }) =>
      toPixels(openFrame(input, 1).resize(width, height, resized)),
    );
    for (const open of [openAnimation, () => openFrames(input, 0, 2)])
      await expectReduction(async ({ width, height }) => {
        const roll = await toPixels(open(input).resize(width, height, resized));
        return frameOf({ ...roll, frameHeight: height }, 1);
      });
  });

  it('has the pixels of its full size: a HEIC that ffmpeg decodes', async () => {
    const tile = async (luma: string): Promise<HeifTiles> =>
      tilesOfMp4(await bench.hevc(`color=s=640x640,format=yuv420p,geq=lum='${luma}':cb=128:cr=16`), {
        ...{ tileWidth: 640, tileHeight: 640 },
      });
    const [pattern, flat] = [await tile('if(mod(X+Y,2),235,16)'), await tile('126')];
    const open = async (columns: 2 | 4): Promise<ImageSource> => {
      const row = [pattern, flat].flatMap(({ tiles }) =>
        Array.from({ length: columns / 2 }, () => tiles).flat(),
      );
      const tiles = Array.from({ length: columns / 2 }, () => row).flat();
      const size = { width: columns * 640, height: columns * 320 };
      const file = makeHeif({ ...pattern, columns, tiles }, size);
      const source = await openSource(await bench.files.job(file, { format: 'heic' }));
      expect(source).toMatchObject(size);
      return source;
    };
    const small = { width: 256, height: 128 };
    const source = await open(2);
    const { pixels } = await decodeFor('jpg', source, source);
    const [left, right] = await halvesOf(await resizePixels(pixels, small));
    expect(distance(left, right)).toBeGreaterThan(25);
    const [madeLeft, madeRight] = await halvesOf((await decodeFor('jpg', await open(4), small)).pixels);
    expect(distance(madeLeft, left)).toBeLessThan(3);
    expect(distance(madeRight, right)).toBeLessThan(3);
  });

  it.each([
    ['png', () => pngInProfile(WIDE_AND_LINEAR)],
    ['webp', async () => withGamutAsWebp(WIDE_AND_LINEAR)],
  ])('is judged with its colours converted before and after: %s', async (format, make) => {
    const made = await bench.process(await make(), { format });
    const contrasts = await Promise.all(
      made.frames.map(async (key) => {
        const [left, right] = await halvesOf(await toPixels(sharp(await made.readKey(key))));
        return distance(left, right);
      }),
    );
    expect(contrasts).toHaveLength(2);
    expect(Math.min(...contrasts)).toBeLessThan(5);
    expect(Math.max(...contrasts)).toBeGreaterThan(40);
  });

  const withGamutAsWebp = async (profile: Buffer): Promise<Buffer> =>
    sharp(await pngInProfile(profile), { ignoreIcc: true })
      .keepIccProfile()
      .webp({ lossless: true })
      .toBuffer();
});
