import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VariantName, VariantRecord } from '@vitrine/contracts';
import { withEdits } from '@vitrine/testing';
import sharp, { type Metadata } from 'sharp';
import { makeApng } from '../../test/samples/apng';
import { makeHeic } from '../../test/samples/heic';
import { gifBomb, pngBomb } from '../../test/samples/hostile-files';
import { Bench } from '../../test/samples/jobs';
import { animation, photo, quarters } from '../../test/samples/pictures';
import { failureReason, UnprocessableFileError } from '../failures';
import type { JobResult, MediaJob } from '../worker/protocol';
import { ImageProcessor } from './image-processor';
import { restrictLoaders } from './open-image';

const EVERY_SIZE = ['xs', 'sm', 'md', 'lg', 'xl', 'thumb'];

/** ffmpeg's test picture, 32 × 16, as a JPEG XL codestream: not every ffmpeg has the encoder. */
const JPEG_XL =
  '/wrDBwFwBGF0DgCACpVRxg1ezvV8+aHDYtrGdYa22rawhLHZXhgkJJyAN5wueVN8+Me5J/DenHzziB5K2TNyw1RC16' +
  'XcccRc/EirwJCeGwMEGG8M3hgVUiDRdktJPMbjiXkXM2ZM9EAOgDGriImJAX+uQzUZz4NO73TYOsSPwGQgMk1zW9TH' +
  'sD4wdyE4Nk7kBBhfD3LYPl3UPrZLuuxxmbxKHsja1EuYYcpouAFSeHNApT8aPvBartI3/DoA7AH/vPJWBrJntLyEHe' +
  '3CEcdGpr7IWVy3qgDdIXWDf11h0du8Y8MCcSdwdFboQWaLGz/5s4UWBCusGhjRsQbw0mET80h6i4ZANDgu49dAELJq' +
  'RXD9kMKW3esSpKFf5Fg/dg5XRFAW';

// Encoders and fresh processes are slow on a busy machine; what must be quick says so itself.
jest.setTimeout(120_000);

describe('ImageProcessor', () => {
  let bench: Bench;
  const processor = new ImageProcessor();

  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  /** Processes a file; `variant` reads what serves a size back. */
  async function process(
    file: Buffer,
    media: Partial<MediaJob['media']> & { readonly format: string },
  ): Promise<
    JobResult & { variant(name: VariantName): VariantRecord; read(name: VariantName): Promise<Buffer> }
  > {
    const job = await bench.job(file, media);
    const result = await processor.process(job);
    expect(result.variants.map(({ name }) => name)).toEqual(EVERY_SIZE);
    expect(result.thumbhash).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(result.hashes.length).toBeGreaterThan(0);
    expect(result.fully_seen).toBe(true);
    const variant = (name: VariantName): VariantRecord =>
      result.variants.find((record) => record.name === name) as VariantRecord;
    const read = (name: VariantName): Promise<Buffer> => {
      const made = result.files.find(({ key }) => key === variant(name).key);
      return readFile(made ? join(job.folder, made.file) : job.source);
    };
    return { ...result, variant, read };
  }

  const metadata = async (file: Promise<Buffer>, options = {}): Promise<Metadata> =>
    sharp(await file, options).metadata();

  /** The colours at the middles of the four quarters, clockwise from the top left, as letters. */
  async function coloursOf(file: Buffer): Promise<string> {
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

  describe('stills', () => {
    it.each([
      ['jpeg', 'jpg', 'image/jpeg', async () => (await photo(400, 300)).jpeg().toBuffer()],
      ['png', 'png', 'image/png', async () => (await photo(400, 300)).png().toBuffer()],
      ['webp', 'webp', 'image/webp', async () => (await photo(400, 300)).webp().toBuffer()],
      ['avif', 'avif', 'image/avif', async () => (await photo(400, 300)).avif({ effort: 0 }).toBuffer()],
    ])('keeps the format of a %s', async (format, ext, mime, make) => {
      const file = await make();
      const result = await process(file, { format, ext, mime });
      expect(result).toMatchObject({ width: 400, height: 300, duration: null });
      const small = { ext, mime, width: 160, height: 120, key: `f/abc1234_xs.${ext}` };
      expect(result.variant('xs')).toMatchObject(small);
      expect(result.variant('thumb')).toMatchObject(small);
      expect(await metadata(result.read('sm'))).toMatchObject({ width: 320, height: 240 });
      for (const size of ['md', 'lg', 'xl'] as const) {
        const original = { key: `f/abc1234.${ext}`, width: 400, height: 300, bytes: file.length };
        expect(result.variant(size)).toMatchObject(original);
      }
      for (const record of result.variants.slice(0, 2)) {
        expect((await result.read(record.name)).length).toBe(record.bytes);
      }
    });

    it.each([
      ['tiff', async () => (await photo(200, 150)).tiff().toBuffer()],
      [
        'bmp',
        async () =>
          readFile(bench.make('still.bmp', '-f', 'lavfi', '-i', 'testsrc=s=200x150', '-frames:v', '1')),
      ],
    ])('turns a %s into JPEG, at its own size where it is small', async (format, make) => {
      const result = await process(await make(), { format });
      const whole = { ext: 'jpg', mime: 'image/jpeg', width: 200, height: 150, key: 'f/abc1234_sm.jpg' };
      for (const size of ['sm', 'md', 'lg', 'xl'] as const) expect(result.variant(size)).toMatchObject(whole);
      expect(await metadata(result.read('sm'))).toMatchObject({ format: 'jpeg', width: 200, height: 150 });
    });

    it('decodes a BMP without ffmpeg', async () => {
      const file = await readFile(
        bench.make('plain.bmp', '-f', 'lavfi', '-i', 'testsrc=s=200x150', '-frames:v', '1'),
      );
      const job = await bench.job(file, { format: 'bmp' });
      const result = await processor.process({ ...job, tools: { ...job.tools, ffmpeg: null } });
      expect(result).toMatchObject({ width: 200, height: 150, fully_seen: true });
    });

    it('turns a TIFF into PNG only where something shines through', async () => {
      const opaque = (await photo(60, 40)).ensureAlpha(1);
      expect(
        (await process(await opaque.tiff({ compression: 'lzw' }).toBuffer(), { format: 'tiff' })).variant(
          'xs',
        ).ext,
      ).toBe('jpg');
      const glass = (await photo(60, 40)).ensureAlpha(0.4);
      const result = await process(await glass.tiff({ compression: 'lzw' }).toBuffer(), { format: 'tiff' });
      expect(result.variant('xs')).toMatchObject({ ext: 'png', mime: 'image/png' });
      expect(await metadata(result.read('xs'))).toMatchObject({ format: 'png', hasAlpha: true });
    });

    it('turns a still GIF into PNG', async () => {
      const result = await process(await (await photo(200, 150)).gif().toBuffer(), { format: 'gif' });
      expect(result.variants.map(({ ext }) => ext)).toEqual(Array(6).fill('png'));
      expect(result.variant('xl')).toMatchObject({ width: 200, height: 150 });
    });

    it('draws an SVG as PNG, no larger than it says it is', async () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 250" width="500" height="250"><rect width="250" height="250" fill="#f00"/></svg>';
      const result = await process(Buffer.from(svg), { format: 'svg' });
      expect(result).toMatchObject({ width: 500, height: 250 });
      expect(result.variant('xl')).toMatchObject({ ext: 'png', width: 500, height: 250 });
      expect(await metadata(result.read('sm'))).toMatchObject({
        format: 'png',
        width: 320,
        height: 160,
        hasAlpha: true,
      });
    });

    it.each([
      ['1in', 96],
      ['72pt', 96],
      ['50.8mm', 192],
      ['96px', 96],
    ])('draws what is %s long in an SVG over %i pixels, as browsers do', async (length, pixels) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="20" viewBox="0 0 320 20"><svg width="320" height="20"><rect width="${length}" height="20"/></svg></svg>`;
      const result = await process(Buffer.from(svg), { format: 'svg' });
      expect(result).toMatchObject({ width: 320, height: 20 });
      const { data, info } = await sharp(await result.read('sm'))
        .extractChannel('alpha')
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.width).toBe(320);
      expect(data.subarray(0, 320).filter((alpha) => alpha > 127)).toHaveLength(pixels);
    });

    it('reads nothing that an SVG points at', async () => {
      const neighbour = bench.make(
        'secret.png',
        '-f',
        'lavfi',
        '-i',
        'color=red:s=100x100',
        '-frames:v',
        '1',
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="100" height="100"><image x:href="file://${neighbour}" width="100" height="100"/></svg>`;
      const result = await process(Buffer.from(svg), { format: 'svg' });
      const { data } = await sharp(await result.read('xs'))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(Math.max(...data)).toBe(0);
    });

    /** One HEVC frame of `filter`, in MP4. */
    const hevc = (filter: string): Promise<Buffer> =>
      readFile(
        bench.make(
          'hevc.mp4',
          ...['-f', 'lavfi', '-i', filter, '-frames:v', '1', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
          ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:info=0'],
        ),
      );

    it('turns a HEIC into JPEG, upright by its own property', async () => {
      const mp4 = await hevc('color=red:s=400x200,drawbox=w=200:h=100:color=blue:t=fill,format=yuv420p');
      const file = makeHeic(mp4, { width: 400, height: 200, turns: 1 });
      const result = await process(file, { format: 'heic' });
      expect(result).toMatchObject({ width: 200, height: 400 });
      expect(result.variant('xl')).toMatchObject({ ext: 'jpg', mime: 'image/jpeg', width: 200, height: 400 });
      // A quarter turn counter-clockwise takes the top left corner to the bottom left.
      expect(await coloursOf(await result.read('xl'))).toBe('rrrb');
      expect(await metadata(result.read('xs'))).toMatchObject({ format: 'jpeg', width: 80, height: 160 });
    });

    it("brings a HEIC's colours to sRGB by its profile", async () => {
      const mp4 = await hevc('color=0x00c800:s=128x128,format=yuv420p');
      const wide = sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } }).withIccProfile(
        'p3',
      );
      const { icc: profile } = await sharp(await wide.tiff().toBuffer()).metadata();
      const green = async (file: Buffer): Promise<number[]> => [
        ...(
          await sharp(await (await process(file, { format: 'heic' })).read('xs'))
            .raw()
            .toBuffer()
        ).subarray(0, 3),
      ];
      const [plainRed = 0, plainGreen = 0] = await green(makeHeic(mp4, { width: 128, height: 128 }));
      const [, wideGreen = 0] = await green(makeHeic(mp4, { width: 128, height: 128, profile }));
      expect(plainRed).toBeLessThan(20);
      expect(Math.abs(plainGreen - 200)).toBeLessThan(12);
      // The same numbers mean a stronger green in P3.
      expect(wideGreen).toBeGreaterThan(plainGreen + 3);
    });

    it('turns a JPEG XL into JPEG where ffmpeg can, and says so where it cannot', async () => {
      const file = Buffer.from(JPEG_XL, 'base64');
      if (bench.decodes('libjxl')) {
        const result = await process(file, { format: 'jxl' });
        expect(result.variant('xl')).toMatchObject({ ext: 'jpg', width: 32, height: 16 });
      } else {
        await expect(process(file, { format: 'jxl' })).rejects.toThrow('that this server cannot decode');
      }
    });

    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'sets a picture with EXIF orientation %i upright, at every size',
      async (orientation) => {
        const stored = await (await quarters(400, 200)).withMetadata({ orientation }).jpeg().toBuffer();
        const upright = await sharp(stored).autoOrient().png().toBuffer();
        const result = await process(stored, { format: 'jpeg', ext: 'jpg' });
        const turned = orientation >= 5;
        expect(result).toMatchObject(turned ? { width: 200, height: 400 } : { width: 400, height: 200 });
        const expected = await coloursOf(upright);
        for (const size of ['xs', 'sm', 'xl'] as const) {
          if (orientation === 1 && size === 'xl') continue;
          const { orientation: tag, ...made } = await metadata(result.read(size));
          expect(tag).toBeUndefined();
          expect(made.width < made.height).toBe(turned);
          expect(await coloursOf(await result.read(size))).toBe(expected);
        }
        expect(result.variant('xl').key).toBe(orientation === 1 ? 'f/abc1234.jpg' : 'f/abc1234_md.jpg');
      },
    );

    it('brings CMYK to sRGB at every size', async () => {
      const cmyk = await (await quarters(200, 200)).toColourspace('cmyk').jpeg().toBuffer();
      expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
      const result = await process(cmyk, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'xl'] as const) {
        expect(await metadata(result.read(size))).toMatchObject({ space: 'srgb', channels: 3 });
        expect(await coloursOf(await result.read(size))).toBe('rgbw');
      }
    });

    it('brings wide-gamut colours to sRGB, at every size and without the profile', async () => {
      const green = sharp({ create: { width: 200, height: 200, channels: 3, background: '#00c800' } });
      const wide = await green.withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
      const [stored = 0] = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
      expect(stored).toBeGreaterThan(60);
      const result = await process(wide, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'xl'] as const) {
        const file = await result.read(size);
        expect((await sharp(file).metadata()).icc).toBeUndefined();
        const [r = 255, g = 0, b = 255] = await sharp(file).raw().toBuffer();
        expect(r).toBeLessThan(20);
        expect(g).toBeGreaterThan(190);
        expect(b).toBeLessThan(20);
      }
    });

    it('leaves a picture whose profile is sRGB as it is', async () => {
      const file = await (await photo(100, 80)).withIccProfile('srgb').jpeg().toBuffer();
      expect((await process(file, { format: 'jpeg', ext: 'jpg' })).variant('xl').key).toBe('f/abc1234.jpg');
    });

    it('keeps the alpha of 16-bit PNG, in 8 bits', async () => {
      const deep = await (await quarters(400, 400)).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer();
      expect((await sharp(deep).metadata()).depth).toBe('ushort');
      const result = await process(deep, { format: 'png' });
      const small = await result.read('xs');
      expect(await sharp(small).metadata()).toMatchObject({ depth: 'uchar', hasAlpha: true });
      expect(await coloursOf(small)).toBe('rgbw');
      const { channels } = await sharp(small).stats();
      expect(Math.abs((channels[3]?.mean ?? 0) - 127)).toBeLessThan(2);
    });

    it('takes grey pictures, with and without alpha', async () => {
      const grey = (await photo(400, 300)).greyscale();
      const jpeg = await process(await grey.clone().jpeg().toBuffer(), { format: 'jpeg', ext: 'jpg' });
      expect(await metadata(jpeg.read('xs'))).toMatchObject({ width: 160 });
      const png = await process(await grey.clone().ensureAlpha(0.5).png().toBuffer(), { format: 'png' });
      expect(await metadata(png.read('xs'))).toMatchObject({ width: 160, hasAlpha: true });
    });

    it.each([
      [1, 1],
      [1, 20_000],
      [20_000, 3],
    ])('takes a picture of %i × %i', async (width, height) => {
      const file = await sharp({ create: { width, height, channels: 3, background: '#aa5500' } })
        .png()
        .toBuffer();
      const result = await process(file, { format: 'png' });
      const longest = Math.max(width, height);
      const { width: xsWidth, height: xsHeight } = await metadata(result.read('xs'));
      expect(Math.max(xsWidth, xsHeight)).toBe(Math.min(160, longest));
    });

    it('writes no metadata into a variant', async () => {
      const exif = { IFD0: { Artist: 'Somebody', Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } };
      const file = await (await photo(400, 300)).withExif(exif).jpeg().toBuffer();
      const result = await process(file, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'sm'] as const) {
        const { exif: left, xmp, iptc, icc } = await metadata(result.read(size));
        expect([left, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
        expect((await result.read(size)).includes('Somebody')).toBe(false);
      }
    });

    it('has a translucent picture judged on white and on black, and an opaque one once', async () => {
      const glass = await sharp({ create: { width: 700, height: 350, channels: 4, background: '#00000000' } })
        .png()
        .toBuffer();
      const job = await bench.job(glass, { format: 'png' });
      const { frames, files } = await processor.process(job);
      expect(frames).toEqual(['frames/abc1234/0.jpg', 'frames/abc1234/1.jpg']);
      for (const [index, brightness] of [255, 0].entries()) {
        const { file = '' } = files.find(({ key }) => key === frames[index]) ?? {};
        const picture = sharp(await readFile(join(job.folder, file)));
        expect(await picture.metadata()).toMatchObject({ format: 'jpeg', width: 512, height: 256 });
        expect((await picture.stats()).channels.map(({ min, max }) => [min, max])).toEqual(
          Array(3).fill([brightness, brightness]),
        );
      }
      const opaque = await (await photo(80, 60)).png().toBuffer();
      expect((await process(opaque, { format: 'png' })).frames).toHaveLength(1);
    });
  });

  describe('animations', () => {
    const delay = [50, 100, 150, 200, 250, 300, 350, 400];

    it.each([
      ['gif', () => animation(400, 200, 8).gif({ delay, loop: 3 }).toBuffer()],
      ['webp', () => animation(400, 200, 8).webp({ delay, loop: 3 }).toBuffer()],
    ])('keeps the frames, delays and loop of a %s in every size', async (format, make) => {
      const result = await process(await make(), { format, frames: 8 });
      expect(result).toMatchObject({ width: 400, height: 200 });
      for (const [size, width] of [
        ['xs', 160],
        ['sm', 320],
      ] as const) {
        expect(result.variant(size)).toMatchObject({
          ext: 'webp',
          mime: 'image/webp',
          width,
          height: width / 2,
        });
        const made = await metadata(result.read(size), { pages: -1 });
        expect(made).toMatchObject({
          format: 'webp',
          width,
          pageHeight: width / 2,
          pages: 8,
          loop: 3,
          delay,
        });
      }
      const whole = result.variant('xl');
      expect(whole).toMatchObject({ ext: 'webp', mime: 'image/webp', width: 400, height: 200 });
      expect(whole.key).toBe(format === 'webp' ? 'f/abc1234.webp' : 'f/abc1234_md.webp');
      expect(result.frames).toHaveLength(8);
      const times = [0, 0.05, 0.15, 0.3, 0.5, 0.75, 1.05, 1.4];
      expect(times).toEqual(expect.arrayContaining(result.hashes.map(({ at }) => at)));
    });

    it('has at most twelve frames judged', async () => {
      const file = await animation(200, 100, 30)
        .gif({ delay: Array(30).fill(40) })
        .toBuffer();
      const { frames } = await process(file, { format: 'gif', frames: 30 });
      expect(frames.length).toBeGreaterThan(8);
      expect(frames.length).toBeLessThanOrEqual(12);
    });

    const still = (background: string, width: number, height: number): Promise<Buffer> =>
      sharp({ create: { width, height, channels: 4, background } })
        .png()
        .toBuffer();

    it('plays an APNG: parts of frames, blending, disposal, delays and loop', async () => {
      const apng = makeApng(
        [
          { png: await still('#ff0000', 200, 200), delay: [1, 10] },
          { png: await still('#0000ff', 100, 100), left: 100, top: 0, delay: [200, 1000], dispose: 2 },
          { png: await still('#00ff00', 100, 100), left: 0, top: 100, delay: [3, 0], dispose: 1 },
          { png: await still('#ffffff80', 200, 200), delay: [1, 5], blend: 1 },
        ],
        5,
      );
      const result = await process(apng, { format: 'png', frames: 4 });
      const small = await result.read('xs');
      expect(await sharp(small, { pages: -1 }).metadata()).toMatchObject({
        ...{ format: 'webp', width: 160, pageHeight: 160, pages: 4, loop: 5 },
        delay: [100, 200, 30, 200],
      });
      const corners = async (page: number): Promise<number[][]> => {
        const pixels = await sharp(small, { page }).ensureAlpha().raw().toBuffer();
        return [
          [40, 40],
          [120, 40],
          [40, 120],
        ].map(([x = 0, y = 0]) => [...pixels.subarray((y * 160 + x) * 4, (y * 160 + x) * 4 + 4)]);
      };
      const near = (expected: number[][], actual: number[][]): void =>
        expected
          .flat()
          .forEach((value, index) =>
            expect(Math.abs(value - (actual.flat()[index] ?? NaN))).toBeLessThan(12),
          );
      const [red, green, blue] = [
        [255, 0, 0, 255],
        [0, 255, 0, 255],
        [0, 0, 255, 255],
      ];
      near([red, red, red], await corners(0));
      near([red, blue, red], await corners(1));
      near([red, red, green], await corners(2));
      near(
        [
          [255, 127, 127, 255],
          [255, 127, 127, 255],
        ],
        (await corners(3)).slice(0, 2),
      );
      expect((await corners(3))[2]?.[3]).toBeLessThan(140);
      expect(result.variant('xl').key).toBe('f/abc1234_sm.webp');
    });

    it('plays a 16-bit APNG', async () => {
      const deep = async (background: string): Promise<Buffer> =>
        sharp({ create: { width: 200, height: 100, channels: 4, background } })
          .toColourspace('rgb16')
          .png()
          .toBuffer();
      const apng = makeApng(
        [
          { png: await deep('#ff0000'), delay: [1, 2] },
          { png: await deep('#0000ff'), delay: [1, 4] },
        ],
        0,
      );
      const result = await process(apng, { format: 'png', frames: 2 });
      expect(await metadata(result.read('xs'), { pages: -1 })).toMatchObject({
        pages: 2,
        loop: 0,
        delay: [500, 250],
      });
    });

    it('keeps the very pixels of a gif in the size that it has', async () => {
      const gif = await animation(400, 200, 8).gif({ delay }).toBuffer();
      const result = await process(gif, { format: 'gif', frames: 8 });
      const pixels = (file: Buffer): Promise<Buffer> =>
        sharp(file, { pages: -1 }).ensureAlpha().raw().toBuffer();
      expect((await pixels(await result.read('md'))).equals(await pixels(gif))).toBe(true);
    });

    it('plays an AVIF sequence', async () => {
      const encoder = [
        '-c:v',
        'libaom-av1',
        '-strict',
        'experimental',
        '-cpu-used',
        '8',
        '-crf',
        '40',
        '-b:v',
        '0',
      ];
      const path = bench.make('sequence.mp4', '-f', 'lavfi', '-i', 'testsrc=s=200x100:r=5:d=1', ...encoder);
      const result = await process(await readFile(path), { format: 'avif', frames: 5 });
      const made = await metadata(result.read('xs'), { pages: -1 });
      expect(made).toMatchObject({
        format: 'webp',
        width: 160,
        pageHeight: 80,
        pages: 5,
        delay: Array(5).fill(200),
      });
      expect(result.variant('xl').key).toBe('f/abc1234_sm.webp');
    });

    it('plays an AVIF sequence with its transparency, whatever its edit list leaves out', async () => {
      const path = bench.make(
        'translucent.mp4',
        ...['-f', 'lavfi', '-i', 'testsrc=s=200x100:r=5:d=1,format=yuv420p'],
        ...['-f', 'lavfi', '-i', 'color=white:s=100x100:r=5:d=1,format=rgb24,pad=200:100,format=gray'],
        ...['-map', '0', '-map', '1', '-c:v', 'libaom-av1', '-strict', 'experimental', '-cpu-used', '8'],
        ...['-video_track_timescale', '1000'],
      );
      const cut = [{ duration: 200, mediaTime: 800 }];
      const film = (await readFile(path)).toString('latin1');
      const sequence = film.replace('\0\0\0\0vide', '\0\0\0\0pict').replace('\0\0\0\0vide', '\0\0\0\0auxv');
      const file = withEdits(Buffer.from(sequence, 'latin1'), [cut, cut]);
      const result = await process(file, { format: 'avif', frames: 5 });
      const made = sharp(await result.read('xs'), { pages: -1 });
      expect(await made.metadata()).toMatchObject({ pages: 5, hasAlpha: true, pageHeight: 80 });
      const { data, info } = await made.raw().toBuffer({ resolveWithObject: true });
      const alphaAt = (x: number): number => data[(40 * info.width + x) * 4 + 3] ?? -1;
      expect([alphaAt(40), alphaAt(120)]).toEqual([255, 0]);
    });

    it('shows the still of an AVIF sequence where there is no ffmpeg, and says that it has not seen the rest', async () => {
      const still = await (await photo(80, 60)).avif({ effort: 0 }).toBuffer();
      const withoutFfmpeg = async (file: Buffer): Promise<JobResult> => {
        const job = await bench.job(file, { format: 'avif', frames: 5 });
        return processor.process({ ...job, tools: { ...job.tools, ffmpeg: null } });
      };
      expect(await withoutFfmpeg(still)).toMatchObject({ width: 80, height: 60, fully_seen: false });
      const film = bench.make('film.mp4', '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5:d=1', '-c:v', 'mpeg4');
      await expect(withoutFfmpeg(await readFile(film))).rejects.toThrow(failureReason.unsupported);
    });

    it('decodes an animation again for each size where it is too large to keep', async () => {
      const file = await animation(400, 200, 14)
        .gif({ delay: Array(14).fill(20), loop: 0 })
        .toBuffer();
      const job = await bench.job(file, { format: 'gif', frames: 14 });
      const sparing = await new ImageProcessor({ rollBytes: 1 }).process(job);
      const made = await metadata(readFile(join(job.folder, 'xs.webp')), { pages: -1 });
      expect(made).toMatchObject({ width: 160, pages: 14, loop: 0, delay: Array(14).fill(20) });
      const wasteful = await processor.process(await bench.job(file, { format: 'gif', frames: 14 }));
      expect(sparing.frames).toEqual(wasteful.frames);
      expect(sparing.hashes.map(({ at }) => at)).toEqual(wasteful.hashes.map(({ at }) => at));
    });
  });

  describe('refuses', () => {
    it.each([
      [
        'a truncated JPEG',
        'jpeg',
        async () => (await (await photo(300, 200)).jpeg().toBuffer()).subarray(0, 4000),
      ],
      [
        'a truncated PNG',
        'png',
        async () => (await (await photo(300, 200)).png().toBuffer()).subarray(0, 9000),
      ],
      [
        'a truncated WebP',
        'webp',
        async () => (await (await photo(300, 200)).webp().toBuffer()).subarray(0, 2000),
      ],
      [
        'a truncated AVIF',
        'avif',
        async () => (await (await photo(300, 200)).avif({ effort: 0 }).toBuffer()).subarray(0, 1500),
      ],
      [
        'an SVG that is no XML',
        'svg',
        async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'),
      ],
      ['HEIC that is none', 'heic', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
      ['a JPEG XL that is none', 'jxl', async () => Buffer.from('\xff\x0a junk', 'latin1')],
      ['a PNG that the upload took for a JPEG', 'jpeg', async () => (await photo(30, 20)).png().toBuffer()],
      [
        'an SVG that the upload took for a PNG',
        'png',
        async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      ],
      [
        'an APNG frame outside of its canvas',
        'png',
        async () => {
          const png = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#f00' } })
            .png()
            .toBuffer();
          return makeApng(
            [
              { png, delay: [1, 10] },
              { png, left: 10, delay: [1, 10] },
            ],
            0,
          );
        },
      ],
    ])('%s', async (_, format, make) => {
      const job = await bench.job(await make(), { format });
      const refusal = await processor.process(job).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(UnprocessableFileError);
      expect((refusal as Error).message).toMatch(/^The [a-z ]+\.$/);
    });

    it.each([
      ['a GIF of 65,535 × 65,535', 'gif', async () => gifBomb(65_535, 65_535)],
      ['a PNG of 11,000 × 11,000', 'png', pngBomb],
    ])(
      '%s, before its pixels',
      async (_, format, make) => {
        const job = await bench.job(await make(), { format });
        const before = globalThis.process.memoryUsage.rss();
        await expect(processor.process(job)).rejects.toBeInstanceOf(UnprocessableFileError);
        expect(globalThis.process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
      },
      60_000,
    );
  });
});
