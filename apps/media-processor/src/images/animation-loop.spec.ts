import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFfmpeg, findFfprobe } from '@vitrine/testing';
import sharp from 'sharp';
import { ImageBench, type MadeImage } from '../../test/samples/image-bench';
import { timesOf } from './animation-loop';

/** Waves that move, with many colours: a picture like those that cameras make, of which lossless formats are large. */
function waves(width: number, height: number, count: number): sharp.Sharp {
  const data = Buffer.alloc(width * height * 4 * count);
  for (let at = 0; at < width * height * count; at++) {
    const [x, y, frame] = [at % width, Math.floor(at / width) % height, Math.floor(at / (width * height))];
    const wave = (turn: number): number =>
      128 + 90 * Math.sin((x * Math.cos(turn) + y * Math.sin(turn)) / 17 + frame / 3 + turn);
    data.set([wave(0.3), wave(1.2), wave(2.5), 255], at * 4);
  }
  return sharp(data, { raw: { width, height: height * count, channels: 4, pageHeight: height }, pages: -1 });
}

describe('the loop of an animation', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  const KEY = 'f/abc1234_loop.mp4';
  const process = (file: Buffer, format = 'gif', frames = 8): Promise<MadeImage> =>
    bench.process(file, { format, frames });
  const delay = [50, 100, 150, 200, 250, 300, 5, 450];

  /** What ffprobe finds in a loop, and its frames as pictures of one row each. */
  async function read(made: MadeImage): Promise<ReadLoop> {
    const job = await bench.files.job(Buffer.from('x'), { format: 'gif' });
    const path = join(job.folder, 'read.mp4');
    const bytes = await made.readKey(KEY);
    await writeFile(path, bytes);
    const ffprobe = (...args: string[]): string =>
      execFileSync(findFfprobe(), ['-v', 'error', ...args, '-i', path], { encoding: 'utf8' });
    const streams = 'stream=codec_name,pix_fmt,width,height,color_space,color_range';
    const facts = JSON.parse(ffprobe('-of', 'json', '-show_entries', `${streams}:format=duration`)) as Facts;
    const times = ffprobe('-of', 'csv=p=0', '-show_entries', 'packet=pts_time')
      .trim()
      .split(/[\s,]+/);
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-vsync', '0', '-'];
    const pixels = execFileSync(findFfmpeg(), ['-v', 'error', '-i', path, ...raw], {
      maxBuffer: 100_000_000,
    });
    const [{ width = 0, height = 0 } = {}] = facts.streams;
    const frames = times.map((_, i) => pixels.subarray(i * width * height * 3, (i + 1) * width * height * 3));
    return { facts, times: times.map(Number), strings: bytes.toString('latin1'), frames };
  }

  // Promise [files]: The loop is an MP4 with the frames and times of the animation.
  it.each([
    ['gif', () => waves(201, 101, 8).gif({ delay, loop: 0 }).toBuffer()],
    ['webp', () => waves(201, 101, 8).webp({ delay, loop: 0, lossless: true }).toBuffer()],
  ])('of a %s has its frames and their times, no sound and no metadata', async (format, make) => {
    const file = await make();
    const made = await process(file, format);
    const { loop } = made;
    expect(loop).toMatchObject({
      name: 'loop',
      key: KEY,
      ext: 'mp4',
      mime: 'video/mp4',
      width: 200,
      height: 100,
    });
    expect(loop?.bytes).toBe((await made.readKey(KEY)).length);
    expect(loop?.bytes).toBeLessThan(0.8 * made.variant('lg').bytes);

    const { facts, times, strings, frames } = await read(made);
    expect(facts.streams).toEqual([
      expect.objectContaining({
        ...{ codec_name: 'h264', pix_fmt: 'yuv420p', width: 200, height: 100 },
        ...{ color_space: 'bt709', color_range: 'tv' },
      }),
    ]);
    // Browsers show a frame with a delay of 5 ms for 100 ms. The last frame comes again before the end.
    const expected = [0, 50, 150, 300, 500, 750, 1050, 1150, 1580];
    expect(times.map((seconds) => Math.round(seconds * 1000))).toEqual(expected);
    expect(Number(facts.format.duration)).toBeCloseTo(1.6, 3);
    expect(strings.indexOf('moov')).toBeLessThan(strings.indexOf('mdat'));
    for (const trace of ['Lavc', 'Lavf', 'x264', 'creation']) expect(strings).not.toContain(trace);

    for (const [place, frame] of frames.slice(0, 8).entries()) {
      const source = await sharp(file, { page: place })
        .removeAlpha()
        .resize(200, 100, { fit: 'fill' })
        .raw()
        .toBuffer();
      const difference = source.reduce((sum, value, i) => sum + Math.abs(value - (frame[i] ?? 0)), 0);
      expect([place, difference / source.length < 6]).toEqual([place, true]);
    }
  });

  // Promise [files]: Only an opaque animation without end gets a loop, if that saves bytes.
  it('is not made if an animation is translucent, ends, or is as small as its loop', async () => {
    const opaque = (loop: number) => waves(200, 100, 8).gif({ delay, loop });
    expect((await process(await opaque(0).toBuffer())).loop).toBeDefined();
    expect((await process(await opaque(3).toBuffer())).loop).toBeUndefined();

    const still = { create: { width: 40, height: 40 * 3, channels: 4, background: '#ffffff' } } as const;
    const flat = sharp({ ...still, pages: -1 });
    const plain = await sharp(await flat.raw().toBuffer(), {
      raw: { width: 40, height: 120, channels: 4, pageHeight: 40 },
      pages: -1,
    })
      .gif({ delay: [50, 50, 50], loop: 0 })
      .toBuffer();
    expect((await process(plain, 'gif', 3)).loop).toBeUndefined();

    const { data, info } = await waves(200, 100, 8).raw().toBuffer({ resolveWithObject: true });
    // One pixel of the last frame.
    data[data.length - 1] = 0;
    const hole = sharp(data, {
      raw: { width: info.width, height: info.height, channels: 4, pageHeight: 100 },
      pages: -1,
    });
    expect((await process(await hole.gif({ delay, loop: 0 }).toBuffer())).loop).toBeUndefined();
  });

  it('is not made without ffmpeg', async () => {
    const file = await waves(200, 100, 8).gif({ delay, loop: 0 }).toBuffer();
    const { loop } = await bench.process(file, { format: 'gif', frames: 8, withFfmpeg: false });
    expect(loop).toBeUndefined();
  });

  it('has times of few words if the delays are equal, and none if they are all different', () => {
    expect(timesOf(Array<number>(5000).fill(40))).toBe('40*clip(N-0,0,4999)+20*clip(N-4999,0,1)');
    expect(timesOf(Array.from({ length: 5000 }, (_, place) => 20 + (place % 7)))).toBeNull();
  });
});

interface ReadLoop {
  readonly facts: Facts;
  /** The presentation time of each frame in seconds. */
  readonly times: readonly number[];
  readonly strings: string;
  readonly frames: readonly Buffer[];
}

interface Facts {
  readonly streams: readonly { readonly width: number; readonly height: number }[];
  readonly format: { readonly duration: string };
}
