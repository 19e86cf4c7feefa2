import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AlternativeSource, objectKeys } from '@vitrine/contracts';
import sharp from 'sharp';
import { ImageBench } from '../../test/samples/image-bench';
import { photo } from '../../test/samples/pictures';
import { UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { makeAlternatives } from './still-alternatives';

describe('makeAlternatives', () => {
  let bench: ImageBench;
  beforeAll(async () => (bench = await ImageBench.open()));
  afterAll(() => bench.close());

  const sourcesOf = (slug: string, bytes: number): AlternativeSource[] =>
    (
      [
        [320, 240, 'sm'],
        [160, 120, 'xs'],
      ] as const
    ).map(([width, height, name]) => ({
      ...{ key: objectKeys.variant(slug, name, 'jpg'), width, height, bytes },
    }));
  const jobOf = (file: Buffer, format = 'jpeg'): Promise<MediaJob> => bench.files.job(file, { format });

  it('makes each size in both formats, with its pixels, upright and without metadata', async () => {
    const upright = await (await photo(600, 800)).jpeg({ quality: 95 }).toBuffer();
    const turned = await sharp(upright)
      .rotate(270)
      .jpeg({ quality: 95 })
      .withExif({ IFD0: { Artist: 'CANARY' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const job = await jobOf(turned);
    const sizes = sourcesOf(job.media.slug, 1_000_000).map((size) => ({
      ...size,
      ...{ width: size.height, height: size.width },
    }));
    const { files, variants, frames } = await makeAlternatives(job, sizes);
    expect([variants, frames]).toEqual([[], []]);
    expect(files.map(({ key }) => key)).toEqual(
      sizes.flatMap(({ key }) => [objectKeys.alternative(key, 'avif'), objectKeys.alternative(key, 'webp')]),
    );
    for (const { file, key } of files) {
      const bytes = await readFile(join(job.folder, file));
      const { format, compression, width, height, exif, icc, hasAlpha } = await sharp(bytes).metadata();
      expect([format, compression]).toEqual(key.endsWith('avif') ? ['heif', 'av1'] : ['webp', undefined]);
      expect([width, height]).toEqual(key.includes('_sm') ? [240, 320] : [120, 160]);
      expect([exif, icc, hasAlpha]).toEqual([undefined, undefined, false]);
      expect(bytes.includes('CANARY')).toBe(false);
      const expected = await sharp(upright).resize(width, height, { fit: 'fill' }).raw().toBuffer();
      const found = await sharp(bytes).raw().toBuffer();
      const squares = found.reduce((sum, value, index) => sum + (value - expected[index]!) ** 2, 0);
      // 30 dB and more.
      expect(squares / found.length).toBeLessThan(65);
    }
  });

  it('keeps only files that save a tenth of the bytes', async () => {
    const job = await jobOf(await (await photo(400, 300)).jpeg().toBuffer());
    const made = await makeAlternatives(job, sourcesOf(job.media.slug, 1_000_000));
    const sizes = await Promise.all(
      made.files.map(async ({ file }) => (await readFile(join(job.folder, file))).length),
    );
    // The largest file is that of the first size.
    const limit = Math.max(...sizes);
    const again = await jobOf(await (await photo(400, 300)).jpeg().toBuffer());
    const { files } = await makeAlternatives(again, sourcesOf(again.media.slug, limit));
    expect(files.length).toBe(sizes.filter((size) => size <= limit * 0.9).length);
    expect(files.length).toBeLessThan(made.files.length);
  });

  // Promise [files]: A PNG with text or drawings becomes a WebP without losses, a photograph one with few bytes.
  it('loses nothing of a drawing in PNG, and keeps its alpha', async () => {
    const box = { width: 120, height: 40, channels: 3, background: '#a00' } as const;
    const png = await sharp({ create: box })
      .extend({ top: 100, bottom: 100, left: 100, right: 100, background: '#0000' })
      .png()
      .toBuffer();
    const sizes = (slug: string): AlternativeSource[] => [
      { key: objectKeys.original(slug, 'png'), width: 320, height: 240, bytes: 1_000_000 },
    ];
    const job = await jobOf(png, 'png');
    const { files } = await makeAlternatives(job, sizes(job.media.slug));
    expect(files.map(({ key }) => key)).toEqual([objectKeys.variant(job.media.slug, 'xl', 'webp')]);
    const pixelsOf = (file: Buffer): Promise<Buffer> => sharp(file).ensureAlpha().raw().toBuffer();
    const made = await pixelsOf(await readFile(join(job.folder, files[0]!.file)));
    const [found, expected] = [made, await pixelsOf(png)].map((pixels) =>
      // Colours of invisible pixels don't matter.
      pixels.map((value, at) => (pixels[at | 3] === 0 ? 0 : value)),
    );
    expect(Buffer.compare(found!, expected!)).toBe(0);

    const photograph = await jobOf(await (await photo(320, 240)).png().toBuffer(), 'png');
    const { files: both } = await makeAlternatives(photograph, sizes(photograph.media.slug));
    expect(both.map(({ key }) => key.split('.')[1])).toEqual(['avif', 'webp']);
  });

  it('keeps a wide gamut', async () => {
    const p3 = await (await photo(400, 300)).withIccProfile('p3').jpeg().toBuffer();
    const job = await jobOf(p3);
    const { files } = await makeAlternatives(job, sourcesOf(job.media.slug, 1_000_000));
    const profiles = await Promise.all(
      files.map(async ({ file }) => (await sharp(await readFile(join(job.folder, file))).metadata()).icc),
    );
    expect(profiles).toHaveLength(4);
    // The compact profile, not that of the source.
    for (const icc of profiles) expect(icc?.length).toBeLessThan(500);
  });

  it('refuses a file that can not be decoded', async () => {
    const job = await jobOf(Buffer.from('no picture'));
    await expect(makeAlternatives(job, sourcesOf(job.media.slug, 1000))).rejects.toThrow(
      UnprocessableFileError,
    );
  });
});
