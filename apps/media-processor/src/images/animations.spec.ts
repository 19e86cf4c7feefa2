import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Orientation, orientationExif } from '@vitrine/formats';
import { describeWithFfmpeg, withEdits } from '@vitrine/testing';
import sharp from 'sharp';
import { makeApng } from '../../test/samples/apng';
import { ImageBench } from '../../test/samples/image-bench';
import { animation, metadata, photo } from '../../test/samples/pictures';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { pngChunk } from './png/png-chunks';
import type { JobResult } from '../jobs/protocol';
import { ImageProcessor } from './image-processor';

describeWithFfmpeg('animations', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  const still = (background: string, width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer();

  const delay = [50, 100, 150, 200, 250, 300, 350, 400];

  // Promise [files]: Every size of an animation has its frames, delays and loop.
  it.each([
    ['gif', () => animation(400, 200, 8).gif({ delay, loop: 3 }).toBuffer()],
    ['webp', () => animation(400, 200, 8).webp({ delay, loop: 3 }).toBuffer()],
  ])('keeps the frames, delays and loop of a %s in every size', async (format, make) => {
    const result = await bench.process(await make(), { format, frames: 8 });
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

  // Promise [files]: An animation has a still of its first frame.
  it('makes a still of the first frame, which has no metadata', async () => {
    const apng = makeApng(
      [
        { png: await still('#ff0000', 1000, 500), delay: [1, 10] },
        { png: await still('#0000ff', 1000, 500), delay: [1, 10] },
      ],
      0,
    );
    const result = await bench.process(apng, { format: 'png', frames: 2 });
    const key = 'f/abc1234_still.jpg';
    expect(result.still).toMatchObject({
      ...{ name: 'still', key, ext: 'jpg', mime: 'image/jpeg', width: 640, height: 320 },
    });
    const file = await result.readKey(key);
    expect(file.length).toBe(result.still?.bytes);
    const facts = await metadata(Promise.resolve(file));
    expect(facts).toMatchObject({ format: 'jpeg', width: 640, height: 320 });
    expect([facts.exif, facts.icc, facts.xmp, facts.iptc]).toEqual(Array(4).fill(undefined));
    const [red = 0, green = 0, blue = 0] = await sharp(file).resize(1, 1).raw().toBuffer();
    expect([red > 200, green < 50, blue < 50]).toEqual([true, true, true]);
  });

  it.each([2, 3, 4, 5, 6, 7, 8])('turns an APNG as its orientation %d says', async (orientation) => {
    const png = await (await photo(96, 64)).png().toBuffer();
    const apng = makeApng(
      [1, 2].map(() => ({ png, delay: [1, 10] })),
      0,
    );
    const exif = pngChunk('eXIf', Buffer.from(orientationExif(orientation as Orientation)));
    // Behind the header.
    const file = Buffer.concat([apng.subarray(0, 33), exif, apng.subarray(33)]);
    const result = await bench.process(file, { format: 'png', frames: 2 });
    const upright = sharp(await sharp(png).withMetadata({ orientation }).png().toBuffer()).rotate();
    const expected = await upright.removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(result).toMatchObject({ width: expected.info.width, height: expected.info.height });
    const shown = await sharp(await result.read('xl'))
      .removeAlpha()
      .raw()
      .toBuffer();
    const differences = expected.data.map((value, at) => Math.abs(value - (shown[at] ?? 0)));
    expect(differences.reduce((sum, one) => sum + one, 0) / differences.length).toBeLessThan(12);
  });

  it('makes a translucent still of an animation whose first frame is translucent', async () => {
    const apng = makeApng(
      [
        { png: await still('#ff000080', 60, 30), delay: [1, 10] },
        { png: await still('#0000ff', 60, 30), delay: [1, 10] },
      ],
      0,
    );
    const { still: made, readKey } = await bench.process(apng, { format: 'png', frames: 2 });
    expect(made).toMatchObject({ ext: 'webp', mime: 'image/webp', width: 60, height: 30 });
    const alpha = await sharp(await readKey('f/abc1234_still.webp'))
      .extractChannel('alpha')
      .raw()
      .toBuffer();
    expect(Math.abs((alpha[0] ?? 0) - 128)).toBeLessThan(5);
  });

  it('makes no still of a picture that doesn’t move', async () => {
    const result = await bench.process(await (await photo(80, 60)).gif().toBuffer(), { format: 'gif' });
    expect(result.still).toBeUndefined();
  });

  it('leaves a GIF to moderators if its canvas is partly empty and it may use all colours', async () => {
    const file = await (await photo(80, 60)).gif().toBuffer();
    const seen = async (): Promise<boolean> => {
      const job = await bench.files.job(file, { format: 'gif' });
      return (await new ImageProcessor().process(job)).fully_seen;
    };
    expect(await seen()).toBe(true);
    // A canvas that is wider than the only frame.
    file.writeUInt16LE(90, 6);
    expect(await seen()).toBe(false);
  });

  it('gives the classifier at most twelve frames', async () => {
    const file = await animation(200, 100, 30)
      .gif({ delay: Array(30).fill(40) })
      .toBuffer();
    const { frames } = await bench.process(file, { format: 'gif', frames: 30 });
    expect(frames.length).toBeGreaterThan(8);
    expect(frames.length).toBeLessThanOrEqual(12);
  });

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
    const result = await bench.process(apng, { format: 'png', frames: 4 });
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
        .forEach((value, index) => expect(Math.abs(value - (actual.flat()[index] ?? NaN))).toBeLessThan(12));
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

  describe('of an APNG whose default picture is no part of it', () => {
    const flat = async (background: string): Promise<Buffer> =>
      sharp({ create: { width: 200, height: 100, channels: 3, background } })
        .png()
        .toBuffer();
    /** A red default picture, and one green frame. */
    const oneFrame = async (): Promise<Buffer> => {
      const file = makeApng(
        [
          { png: await flat('#ff0000'), delay: [1, 2] },
          { png: await flat('#00ff00'), delay: [1, 2] },
        ],
        0,
      );
      const control = file.indexOf('fcTL') - 4;
      return Buffer.concat([file.subarray(0, control), file.subarray(control + 38)]);
    };
    const middle = async (file: Buffer): Promise<number[]> => {
      const made = await bench.process(file, { format: 'png', frames: 1 });
      const { data } = await sharp(await made.read('xs'))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      return [...data.subarray(0, 3)].map((value) => (value > 127 ? 1 : 0));
    };

    it('shows its only frame', async () => {
      expect(await middle(await oneFrame())).toEqual([0, 1, 0]);
    });

    it.each([['acTL'], ['fcTL']])(
      'is refused if the %s is too short, which no upload leaves so',
      async (type) => {
        const file = await oneFrame();
        const at = file.indexOf(type) - 4;
        const [head, body] = [
          file.subarray(0, at),
          file.subarray(at + 8, at + 8 + file.readUInt32BE(at) - 1),
        ];
        const damaged = Buffer.concat([head, pngChunk(type, body), file.subarray(at + 13 + body.length)]);
        await expect(middle(damaged)).rejects.toBeInstanceOf(UnprocessableFileError);
      },
    );
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
    const result = await bench.process(apng, { format: 'png', frames: 2 });
    expect(await metadata(result.read('xs'), { pages: -1 })).toMatchObject({
      pages: 2,
      loop: 0,
      delay: [500, 250],
    });
  });

  it('keeps the pixels of a GIF unchanged at its own size', async () => {
    const gif = await animation(400, 200, 8).gif({ delay }).toBuffer();
    const result = await bench.process(gif, { format: 'gif', frames: 8 });
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
    const path = bench.files.make(
      'sequence.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=200x100:r=5:d=1',
      ...encoder,
    );
    const result = await bench.process(await readFile(path), { format: 'avif', frames: 5 });
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

  it('plays all of an AVIF sequence with its transparency, ignoring its edit list', async () => {
    const path = bench.files.make(
      'translucent.mp4',
      ...['-f', 'lavfi', '-i', 'testsrc=s=200x100:r=5:d=1,format=yuv420p'],
      ...['-f', 'lavfi', '-i', 'color=white:s=100x100:r=5:d=1,format=rgb24,pad=200:100,format=gray'],
      ...['-map', '0', '-map', '1', '-c:v', 'libaom-av1', '-strict', 'experimental', '-cpu-used', '8'],
      ...['-video_track_timescale', '1000'],
    );
    const cut = [{ duration: 200, mediaTime: 800 }];
    const video = (await readFile(path)).toString('latin1');
    const sequence = video.replace('\0\0\0\0vide', '\0\0\0\0pict').replace('\0\0\0\0vide', '\0\0\0\0auxv');
    const file = withEdits(Buffer.from(sequence, 'latin1'), [cut, cut]);
    const result = await bench.process(file, { format: 'avif', frames: 5 });
    const made = sharp(await result.read('xs'), { pages: -1 });
    expect(await made.metadata()).toMatchObject({ pages: 5, hasAlpha: true, pageHeight: 80 });
    const { data, info } = await made.raw().toBuffer({ resolveWithObject: true });
    const alphaAt = (x: number): number => data[(40 * info.width + x) * 4 + 3] ?? -1;
    expect([alphaAt(40), alphaAt(120)]).toEqual([255, 0]);
  });

  it('shows the still of an AVIF sequence without ffmpeg, and reports that the rest is unseen', async () => {
    const still = await (await photo(80, 60)).avif({ effort: 0 }).toBuffer();
    const withoutFfmpeg = async (file: Buffer): Promise<JobResult> => {
      const job = await bench.files.job(file, { format: 'avif', frames: 5 });
      return bench.processor.process({ ...job, tools: { ...job.tools, ffmpeg: null } });
    };
    expect(await withoutFfmpeg(still)).toMatchObject({ width: 80, height: 60, fully_seen: false });
    const video = bench.files.make(
      'video.mp4',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=64x64:r=5:d=1',
      '-c:v',
      'mpeg4',
    );
    await expect(withoutFfmpeg(await readFile(video))).rejects.toThrow(failureReason.unsupported);
  });

  it('decodes an animation again for each size if it is too large to keep', async () => {
    const file = await animation(400, 200, 14)
      .gif({ delay: Array(14).fill(20), loop: 0 })
      .toBuffer();
    const job = await bench.files.job(file, { format: 'gif', frames: 14 });
    const redecoded = await new ImageProcessor({ rollBytes: 1 }).process(job);
    const made = await metadata(readFile(join(job.folder, 'xs.webp')), { pages: -1 });
    expect(made).toMatchObject({ width: 160, pages: 14, loop: 0, delay: Array(14).fill(20) });
    const inMemory = await bench.processor.process(
      await bench.files.job(file, { format: 'gif', frames: 14 }),
    );
    expect(redecoded.frames).toEqual(inMemory.frames);
    expect(redecoded.hashes.map(({ at }) => at)).toEqual(inMemory.hashes.map(({ at }) => at));
  });
});
