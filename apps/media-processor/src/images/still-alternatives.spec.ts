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
