import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithFfmpeg } from '@vitrine/testing';
import sharp from 'sharp';
import { brokenPictures, gifBomb, pngBomb } from '../../test/samples/hostile-pictures';
import { ImageBench } from '../../test/samples/image-bench';
import { coloursOf, metadata, photo, quarters } from '../../test/samples/pictures';
import { rawTiff } from '../../test/samples/raw-tiff';
import { UnprocessableFileError } from '../failures/failures';
import { openStill } from '../pixels/open-image';

/** ffmpeg's test picture, 32 × 16, as a JPEG XL codestream, because not every ffmpeg has the encoder. */
const JPEG_XL =
  '/wrDBwFwBGF0DgCACpVRxg1ezvV8+aHDYtrGdYa22rawhLHZXhgkJJyAN5wueVN8+Me5J/DenHzziB5K2TNyw1RC16' +
  'XcccRc/EirwJCeGwMEGG8M3hgVUiDRdktJPMbjiXkXM2ZM9EAOgDGriImJAX+uQzUZz4NO73TYOsSPwGQgMk1zW9TH' +
  'sD4wdyE4Nk7kBBhfD3LYPl3UPrZLuuxxmbxKHsja1EuYYcpouAFSeHNApT8aPvBartI3/DoA7AH/vPJWBrJntLyEHe' +
  '3CEcdGpr7IWVy3qgDdIXWDf11h0du8Y8MCcSdwdFboQWaLGz/5s4UWBCusGhjRsQbw0mET80h6i4ZANDgu49dAELJq' +
  'RXD9kMKW3esSpKFf5Fg/dg5XRFAW';

describeWithFfmpeg('ImageProcessor', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  describe('stills', () => {
    it.each([
      ['jpeg', 'jpg', 'image/jpeg', async () => (await photo(400, 300)).jpeg().toBuffer()],
      ['png', 'png', 'image/png', async () => (await photo(400, 300)).png().toBuffer()],
      ['webp', 'webp', 'image/webp', async () => (await photo(400, 300)).webp().toBuffer()],
      ['avif', 'avif', 'image/avif', async () => (await photo(400, 300)).avif({ effort: 0 }).toBuffer()],
    ])('keeps the format of a %s', async (format, ext, mime, make) => {
      const file = await make();
      const result = await bench.process(file, { format, ext, mime });
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

    // Promise [files]: A picture in a format that browsers don’t show becomes a JPEG.
    it.each([
      ['tiff', async () => (await photo(200, 150)).tiff().toBuffer()],
      [
        'bmp',
        async () =>
          readFile(bench.files.make('still.bmp', '-f', 'lavfi', '-i', 'testsrc=s=200x150', '-frames:v', '1')),
      ],
    ])('converts a %s to JPEG, at its own size if it is small', async (format, make) => {
      const result = await bench.process(await make(), { format });
      const whole = { ext: 'jpg', mime: 'image/jpeg', width: 200, height: 150, key: 'f/abc1234_sm.jpg' };
      for (const size of ['sm', 'md', 'lg', 'xl'] as const) expect(result.variant(size)).toMatchObject(whole);
      expect(await metadata(result.read('sm'))).toMatchObject({ format: 'jpeg', width: 200, height: 150 });
    });

    it('decodes a BMP without ffmpeg', async () => {
      const file = await readFile(
        bench.files.make('plain.bmp', '-f', 'lavfi', '-i', 'testsrc=s=200x150', '-frames:v', '1'),
      );
      const job = await bench.files.job(file, { format: 'bmp' });
      const result = await bench.processor.process({ ...job, tools: { ...job.tools, ffmpeg: null } });
      expect(result).toMatchObject({ width: 200, height: 150, fully_seen: true });
    });

    it('converts a TIFF to PNG only if it has transparency', async () => {
      const opaque = (await photo(60, 40)).ensureAlpha(1);
      expect(
        (
          await bench.process(await opaque.tiff({ compression: 'lzw' }).toBuffer(), { format: 'tiff' })
        ).variant('xs').ext,
      ).toBe('jpg');
      const glass = (await photo(60, 40)).ensureAlpha(0.4);
      const result = await bench.process(await glass.tiff({ compression: 'lzw' }).toBuffer(), {
        format: 'tiff',
      });
      expect(result.variant('xs')).toMatchObject({ ext: 'png', mime: 'image/png' });
      expect(await metadata(result.read('xs'))).toMatchObject({ format: 'png', hasAlpha: true });
    });

    it('converts a still GIF to PNG', async () => {
      const result = await bench.process(await (await photo(200, 150)).gif().toBuffer(), { format: 'gif' });
      expect(result.variants.map(({ ext }) => ext)).toEqual(Array(6).fill('png'));
      expect(result.variant('xl')).toMatchObject({ width: 200, height: 150 });
    });

    it('draws an SVG as PNG, no larger than its own size', async () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 250" width="500" height="250"><rect width="250" height="250" fill="#f00"/></svg>';
      const result = await bench.process(Buffer.from(svg), { format: 'svg' });
      expect(result).toMatchObject({ width: 500, height: 250 });
      expect(result.variant('xl')).toMatchObject({ ext: 'png', width: 500, height: 250 });
      expect(await metadata(result.read('sm'))).toMatchObject({
        format: 'png',
        width: 320,
        height: 160,
        hasAlpha: true,
      });
    });

    it('draws an SVG without a size at the edge of each size', async () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"><rect width="24" height="12" fill="#f00"/></svg>';
      const result = await bench.process(Buffer.from(svg), { format: 'svg' });
      expect(result).toMatchObject({ width: 24, height: 12 });
      expect(result.variant('xl')).toMatchObject({ width: 1920, height: 960 });
      expect(await metadata(result.read('xs'))).toMatchObject({ format: 'png', width: 160, height: 80 });
    });

    it.each([
      ['1in', 96],
      ['72pt', 96],
      ['50.8mm', 192],
      ['96px', 96],
    ])('draws a length of %s in an SVG with %i pixels, like browsers', async (length, pixels) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="20" viewBox="0 0 320 20"><svg width="320" height="20"><rect width="${length}" height="20"/></svg></svg>`;
      const result = await bench.process(Buffer.from(svg), { format: 'svg' });
      expect(result).toMatchObject({ width: 320, height: 20 });
      const { data, info } = await sharp(await result.read('sm'))
        .extractChannel('alpha')
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info.width).toBe(320);
      expect(data.subarray(0, 320).filter((alpha) => alpha > 127)).toHaveLength(pixels);
    });

    it('reads no file to which an SVG refers', async () => {
      const neighbour = bench.files.make(
        'secret.png',
        '-f',
        'lavfi',
        '-i',
        'color=red:s=100x100',
        '-frames:v',
        '1',
      );
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="100" height="100"><image x:href="file://${neighbour}" width="100" height="100"/></svg>`;
      const result = await bench.process(Buffer.from(svg), { format: 'svg' });
      const { data } = await sharp(await result.read('xs'))
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(Math.max(...data)).toBe(0);
    });

    it('shows red, green and blue of a TIFF with five channels', async () => {
      const pixel = [200, 100, 50, 255, 255];
      const layout = { width: 200, height: 100, channels: 5, bits: 8, photometric: 2 } as const;
      const file = rawTiff(layout, Buffer.alloc(200 * 100 * 5, Buffer.from(pixel)));
      const made = await bench.process(file, { format: 'tiff' });
      const { data } = await sharp(await made.read('xs'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([...data.subarray(0, 3)].map((value, at) => Math.abs(value - (pixel[at] ?? 0)) < 4)).toEqual([
        true,
        true,
        true,
      ]);
    });

    it('maps 0 to 1 of a grey TIFF in floating point to black to white', async () => {
      const ramp = Float32Array.from({ length: 200 * 100 }, (_, at) => (at % 200) / 199);
      const layout = {
        width: 200,
        height: 100,
        channels: 1,
        bits: 32,
        photometric: 1,
        isFloat: true,
      } as const;
      const file = rawTiff(layout, Buffer.from(ramp.buffer));
      const made = await bench.process(file, { format: 'tiff' });
      const { data, info } = await sharp(await made.read('xs'))
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const at = (share: number): number => data[Math.floor(info.width * share) * info.channels] ?? -1;
      for (const share of [0.1, 0.5, 0.9]) expect(Math.abs(at(share) - 255 * share)).toBeLessThan(6);
    });

    it('converts a JPEG XL to JPEG', async () => {
      const result = await bench.process(Buffer.from(JPEG_XL, 'base64'), { format: 'jxl' });
      expect(result.variant('xl')).toMatchObject({ ext: 'jpg', width: 32, height: 16 });
    });

    // Promise [security]: libvips uses only the loaders of accepted formats.
    it('opens no file with the loaders of libvips that Vitrine does not use', async () => {
      const vips = join(bench.files.folder, 'picture.v');
      const drawing = join(bench.files.folder, 'drawing.svg');
      await (await photo(8, 8)).toFile(vips);
      await writeFile(drawing, '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
      for (const input of [vips, drawing, await readFile(drawing)])
        await expect(openStill(input).metadata()).rejects.toThrow('unsupported');
    });

    it.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'rotates a picture with EXIF orientation %i upright, at every size',
      async (orientation) => {
        const stored = await (await quarters(400, 200)).withMetadata({ orientation }).jpeg().toBuffer();
        const upright = await sharp(stored).autoOrient().png().toBuffer();
        const result = await bench.process(stored, { format: 'jpeg', ext: 'jpg' });
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

    it('converts CMYK to sRGB at every size', async () => {
      const cmyk = await (await quarters(200, 200)).toColourspace('cmyk').jpeg().toBuffer();
      expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
      const result = await bench.process(cmyk, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'xl'] as const) {
        expect(await metadata(result.read(size))).toMatchObject({ space: 'srgb', channels: 3 });
        expect(await coloursOf(await result.read(size))).toBe('rgbw');
      }
    });

    // Promise [files]: JPEG and PNG sizes are in sRGB.
    it('converts wide-gamut colours to sRGB, at every size and without the profile', async () => {
      const green = sharp({ create: { width: 200, height: 200, channels: 3, background: '#00c800' } });
      const wide = await green.withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
      const [stored = 0] = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
      expect(stored).toBeGreaterThan(60);
      const result = await bench.process(wide, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'xl'] as const) {
        const file = await result.read(size);
        expect((await sharp(file).metadata()).icc).toBeUndefined();
        const [r = 255, g = 0, b = 255] = await sharp(file).raw().toBuffer();
        expect(r).toBeLessThan(20);
        expect(g).toBeGreaterThan(190);
        expect(b).toBeLessThan(20);
      }
    });

    it('serves a picture with an sRGB profile unchanged', async () => {
      const file = await (await photo(100, 80)).withIccProfile('srgb').jpeg().toBuffer();
      expect((await bench.process(file, { format: 'jpeg', ext: 'jpg' })).variant('xl').key).toBe(
        'f/abc1234.jpg',
      );
    });

    it('keeps the alpha of 16-bit PNG, in 8 bits', async () => {
      const deep = await (await quarters(400, 400)).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer();
      expect((await sharp(deep).metadata()).depth).toBe('ushort');
      const result = await bench.process(deep, { format: 'png' });
      const small = await result.read('xs');
      expect(await sharp(small).metadata()).toMatchObject({ depth: 'uchar', hasAlpha: true });
      expect(await coloursOf(small)).toBe('rgbw');
      const { channels } = await sharp(small).stats();
      expect(Math.abs((channels[3]?.mean ?? 0) - 127)).toBeLessThan(2);
    });

    it('accepts grey pictures, with and without alpha', async () => {
      const grey = (await photo(400, 300)).greyscale();
      const jpeg = await bench.process(await grey.clone().jpeg().toBuffer(), { format: 'jpeg', ext: 'jpg' });
      expect(await metadata(jpeg.read('xs'))).toMatchObject({ width: 160 });
      const png = await bench.process(await grey.clone().ensureAlpha(0.5).png().toBuffer(), {
        format: 'png',
      });
      expect(await metadata(png.read('xs'))).toMatchObject({ width: 160, hasAlpha: true });
    });

    it.each([
      [1, 1],
      [1, 20_000],
      [20_000, 3],
    ])('accepts a picture of %i × %i', async (width, height) => {
      const file = await sharp({ create: { width, height, channels: 3, background: '#aa5500' } })
        .png()
        .toBuffer();
      const result = await bench.process(file, { format: 'png' });
      const { width: xsWidth, height: xsHeight } = await metadata(result.read('xs'));
      expect(Math.max(xsWidth, xsHeight)).toBeLessThanOrEqual(16_383);
    });

    // Promise [moderation]: Of a long picture, parts are judged in which its details can be seen.
    it.each([
      ['high', { width: 400, height: 4800 }],
      ['wide', { width: 4800, height: 400 }],
    ])('gives the classifier parts of a %s strip, and at most eight', async (_, size) => {
      const strip = { ...size, channels: 3, background: '#777' } as const;
      const [left, top] = [size.width, size.height].map((edge) => (edge > 400 ? 3100 : 0));
      const detail = await (await photo(400, 400)).png().toBuffer();
      const file = await sharp({ create: strip })
        .composite([{ input: detail, left: left!, top: top! }])
        .png()
        .toBuffer();
      const { frames, readKey } = await bench.process(file, { format: 'png' });
      expect(frames.length).toBeGreaterThan(1);
      expect(frames.length).toBeLessThanOrEqual(9);
      const edges = await Promise.all(frames.map(async (key) => metadata(readKey(key))));
      // The whole strip is 43 pixels narrow.
      expect(edges.filter(({ width, height }) => Math.min(width, height) > 300).length).toBeGreaterThan(0);
    });

    it('writes no metadata into a variant', async () => {
      const exif = { IFD0: { Artist: 'Somebody', Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } };
      const file = await (await photo(400, 300)).withExif(exif).jpeg().toBuffer();
      const result = await bench.process(file, { format: 'jpeg', ext: 'jpg' });
      for (const size of ['xs', 'sm'] as const) {
        const { exif: left, xmp, iptc, icc } = await metadata(result.read(size));
        expect([left, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
        expect((await result.read(size)).includes('Somebody')).toBe(false);
      }
    });

    it('gives the classifier a translucent picture on white and on black, and an opaque one once', async () => {
      const glass = await sharp({ create: { width: 700, height: 350, channels: 4, background: '#00000000' } })
        .png()
        .toBuffer();
      const job = await bench.files.job(glass, { format: 'png' });
      const { frames, files } = await bench.processor.process(job);
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
      expect((await bench.process(opaque, { format: 'png' })).frames).toHaveLength(1);
    });
  });

  describe('refuses', () => {
    it('damaged pictures and files of another type, with a sentence for the uploader', async () => {
      for (const { what, format, bytes, outcome } of await brokenPictures(bench.files)) {
        if (outcome !== 'refused') continue;
        const job = await bench.files.job(bytes, { format });
        const refusal: unknown = await bench.processor.process(job).catch((error: unknown) => error);
        expect([what, refusal]).toEqual([what, expect.any(UnprocessableFileError)]);
        expect([what, (refusal as Error).message]).toEqual([what, expect.stringMatching(/^The [a-z ]+\.$/)]);
      }
    });

    it.each([
      ['a GIF of 65,535 × 65,535', 'gif', async () => gifBomb(65_535, 65_535)],
      ['a PNG of 11,000 × 11,000', 'png', pngBomb],
    ])('%s, before decoding its pixels', async (_, format, make) => {
      const job = await bench.files.job(await make(), { format });
      const before = process.memoryUsage.rss();
      await expect(bench.processor.process(job)).rejects.toBeInstanceOf(UnprocessableFileError);
      expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
    });
  });
});
