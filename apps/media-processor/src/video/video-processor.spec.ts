import { readFile, truncate, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { withMatrix, withNames } from '@vitrine/testing';
import sharp from 'sharp';
import { Bench } from '../../test/samples/jobs';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { JobResult, MediaJob } from '../jobs/protocol';
import { VideoProcessor } from './video-processor';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
/** Display matrices by the degrees that they rotate clockwise. */
const TURNS = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const;
const source = (filter: string): string[] => ['-f', 'lavfi', '-i', filter];

describe('VideoProcessor', () => {
  let bench: Bench;
  const processor = new VideoProcessor();

  beforeAll(async () => {
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  async function process(
    path: string,
    format: string,
    media: Partial<MediaJob['media']> = {},
  ): Promise<JobResult & { readonly folder: string; readonly progress: readonly number[] }> {
    const job = await bench.job(await readFile(path), { kind: 'video', format, ...media });
    const progress: number[] = [];
    const result = await processor.process(job, (percent) => progress.push(percent));
    expect(result.variants.map(({ name }) => name)).toEqual(['xs', 'sm', 'md', 'lg', 'xl', 'thumb']);
    expect(result.variants.at(-1)).toMatchObject({
      key: 'f/abc1234_thumb.jpg',
      ext: 'jpg',
      mime: 'image/jpeg',
    });
    expect(result.hashes.length).toBeGreaterThan(0);
    expect(result.fully_seen).toBe(true);
    expect(result.frames.length).toBeGreaterThan(0);
    return { ...result, folder: job.folder, progress };
  }

  const video = (path: string): Record<string, unknown> =>
    bench.probe(path).find(({ codec_type }) => codec_type === 'video') ?? {};

  const pixel = async (picture: Buffer, x: number, y: number): Promise<number[]> => {
    const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true });
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(at, at + 3)];
  };

  // Promise [files]: Sizes of videos are MP4 with H.264 and AAC.
  it('encodes H.264 and AAC for every size below the source, in one run', async () => {
    const path = bench.make(
      'vp8.webm',
      ...source('testsrc=s=720x406:d=1.5:r=25'),
      ...source('sine=d=1.5:r=48000'),
      ...['-c:v', 'libvpx', '-b:v', '500k', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
    );
    const result = await process(path, 'matroska', { ext: 'webm' });
    expect(result).toMatchObject({ width: 720, height: 406 });
    expect(result.duration).toBeCloseTo(1.5, 1);
    expect(result.variants.map(({ key, width, height }) => [key, width, height])).toEqual([
      ['f/abc1234_xs.mp4', 426, 240],
      ['f/abc1234_sm.mp4', 638, 360],
      ['f/abc1234_md.mp4', 720, 406],
      ['f/abc1234_md.mp4', 720, 406],
      ['f/abc1234_md.mp4', 720, 406],
      ['f/abc1234_thumb.jpg', 640, 361],
    ]);
    for (const [size, width, height] of [
      ['xs', 426, 240],
      ['md', 720, 406],
    ] as const) {
      const [picture, sound] = bench.probe(join(result.folder, `${size}.mp4`));
      expect(picture).toMatchObject({
        codec_name: 'h264',
        width,
        height,
        pix_fmt: 'yuv420p',
        color_space: 'bt709',
      });
      expect(sound).toMatchObject({ codec_name: 'aac' });
    }
    // Frames that look the same are judged once.
    expect(result.frames.length).toBeGreaterThanOrEqual(5);
    expect(result.frames.length).toBeLessThanOrEqual(12);
  });

  // Promise [files]: A video that browsers can play is copied without encoding, and plays while it loads.
  it('copies a web-safe source, moves its index to the front and removes its texts', async () => {
    const path = bench.make(
      'safe.mp4',
      ...source('testsrc=s=320x180:d=1:r=25'),
      ...source('sine=d=1'),
      ...H264,
      '-profile:v',
      'main',
      '-c:a',
      'aac',
      '-metadata',
      'title=Somewhere',
      '-metadata',
      'location=+12.3+045.6/',
    );
    const result = await process(path, 'mp4');
    const keys = new Set(result.variants.slice(0, 5).map(({ key }) => key));
    expect([...keys]).toEqual(['f/abc1234_xs.mp4']);
    const made = await readFile(join(result.folder, 'xs.mp4'));
    expect(made.indexOf('moov')).toBeLessThan(made.indexOf('mdat'));
    for (const text of ['Somewhere', '+12.3', 'x264', 'Lavf']) expect(made.includes(text)).toBe(false);
    expect(video(join(result.folder, 'xs.mp4'))).toMatchObject({
      width: 320,
      height: 180,
      nb_read_frames: '25',
    });
  });

  it.each([90, 180, 270] as const)(
    'rotates a video that is marked to be rotated by %i degrees clockwise',
    async (rotation) => {
      const flat = bench.make(
        'flat.mp4',
        ...source('color=red:s=320x240:d=0.4:r=10'),
        '-vf',
        'drawbox=w=160:h=120:color=blue:t=fill',
        ...H264,
      );
      const path = join(bench.folder, `turned-${rotation}.mp4`);
      await writeFile(path, withMatrix(await readFile(flat), TURNS[rotation]));
      const result = await process(path, 'mp4');
      const upright = rotation % 180 === 90;
      expect(result).toMatchObject(upright ? { width: 240, height: 320 } : { width: 320, height: 240 });
      expect(video(join(result.folder, 'xs.mp4'))).toMatchObject(
        upright ? { width: 240, height: 320 } : { width: 320, height: 240 },
      );
      const thumb = await readFile(join(result.folder, 'thumb.jpg'));
      const [x, y] = { 90: [0.8, 0.2], 180: [0.8, 0.8], 270: [0.2, 0.8] }[rotation] as [number, number];
      const [r = 0, , b = 0] = await pixel(thumb, x, y);
      expect(b).toBeGreaterThan(r + 100);
    },
  );

  // Promise [files]: The thumbnail of a video is its first frame that is not black.
  it('uses the first frame that is not black as the thumbnail', async () => {
    const path = bench.make(
      'intro.mp4',
      ...source('color=black:s=320x240:d=1:r=10'),
      ...source('color=yellow:s=320x240:d=1:r=10'),
      '-filter_complex',
      '[0][1]concat=n=2',
      ...H264,
      '-g',
      '1000',
    );
    const result = await process(path, 'mp4');
    const [r = 0, g = 0, b = 255] = await pixel(await readFile(join(result.folder, 'thumb.jpg')), 0.5, 0.5);
    expect(Math.min(r, g)).toBeGreaterThan(200);
    expect(b).toBeLessThan(60);
  });

  it('uses the first frame of a video that stays black', async () => {
    const path = bench.make('night.mp4', ...source('color=black:s=320x240:d=0.5:r=10'), ...H264);
    const result = await process(path, 'mp4');
    expect(result.variants.at(-1)).toMatchObject({ width: 320, height: 240 });
  });

  it.each([
    ['a single frame', ['-frames:v', '1'], 'color=green:s=320x240:r=25'],
    ['odd edges', ['-pix_fmt', 'yuv444p'], 'testsrc=s=321x241:d=0.4:r=10'],
    ['ten bits', ['-pix_fmt', 'yuv420p10le'], 'testsrc=s=320x240:d=0.4:r=10'],
    ['two hundred frames a second', ['-pix_fmt', 'yuv420p'], 'testsrc=s=320x240:d=0.5:r=200'],
    ['stretched pixels', ['-vf', 'setsar=2/1', '-pix_fmt', 'yuv420p'], 'testsrc=s=160x240:d=0.4:r=10'],
  ])('accepts %s', async (_, args, input) => {
    const path = bench.make('odd.mp4', ...source(input), '-c:v', 'libx264', '-preset', 'ultrafast', ...args);
    const { folder, variants } = await process(path, 'mp4');
    expect(variants[0]).toMatchObject({ width: 320, height: 240 });
    const made = video(join(folder, 'xs.mp4'));
    expect(made).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 240 });
    expect(Number(made['nb_read_frames'])).toBeGreaterThan(0);
    const [frames = 0, seconds = 1] = String(made['avg_frame_rate']).split('/').map(Number);
    expect(frames / seconds).toBeLessThanOrEqual(60.5);
  });

  it('converts BT.601 to BT.709 and keeps the colours', async () => {
    const path = bench.make(
      'sd.avi',
      ...source('color=0x00b43c:s=320x240:d=0.4:r=10'),
      '-vf',
      'scale=out_color_matrix=bt601,format=yuv420p',
      '-c:v',
      'mpeg4',
      '-qmin',
      '2',
      '-qmax',
      '2',
    );
    const result = await process(path, 'avi');
    expect(video(join(result.folder, 'xs.mp4'))).toMatchObject({
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
    });
    const [r = 255, g = 0, b = 255] = await pixel(await readFile(join(result.folder, 'thumb.jpg')), 0.5, 0.5);
    expect(Math.abs(r - 0)).toBeLessThan(12);
    expect(Math.abs(g - 180)).toBeLessThan(12);
    expect(Math.abs(b - 60)).toBeLessThan(12);
  });

  it('reports its progress', async () => {
    const path = bench.make('long.avi', ...source('testsrc=s=640x480:d=3:r=25'), '-c:v', 'mpeg4');
    const { progress } = await process(path, 'avi');
    expect(progress.length).toBeGreaterThan(0);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
    expect(Math.max(...progress)).toBeLessThanOrEqual(99);
  });

  it('measures a video whose header holds no duration', async () => {
    const path = bench.make(
      'live.webm',
      ...source('testsrc=s=160x120:d=2:r=10'),
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-live',
      '1',
    );
    const { duration } = await process(path, 'matroska');
    expect(duration).toBeCloseTo(2, 0);
  });

  it('processes the readable part of a truncated file', async () => {
    const path = bench.make('cut.mkv', ...source('testsrc=s=320x240:d=4:r=10'), ...H264, '-g', '5');
    await truncate(path, 60_000);
    const { folder } = await process(path, 'matroska');
    expect(Number(video(join(folder, 'xs.mp4'))['nb_read_frames'])).toBeGreaterThan(0);
  });

  describe('refuses', () => {
    const refusal = async (file: Buffer, format: string): Promise<UnprocessableFileError> => {
      const job = await bench.job(file, { kind: 'video', format });
      const error = await processor.process(job, () => undefined).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(UnprocessableFileError);
      expect((error as Error).message).toMatch(/^The [a-z ]+(?:: \w+)?\.$/);
      return error as UnprocessableFileError;
    };

    it('a playlist that names local files, whatever its format is', async () => {
      const secret = bench.make('secret.mp4', ...source('testsrc=s=64x64:d=0.2:r=10'), ...H264);
      const hls = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`;
      await refusal(Buffer.from(hls), 'mp4');
      await refusal(Buffer.from(`ffconcat version 1.0\nfile '${secret}'\n`), 'matroska');
    });

    it('sound without a picture', async () => {
      await refusal(await readFile(bench.make('sound.mp4', ...source('sine=d=0.5'), '-c:a', 'aac')), 'mp4');
    });

    it('sound with a cover', async () => {
      const cover = bench.make('cover.jpg', ...source('testsrc=s=64x64'), '-frames:v', '1');
      const path = bench.make(
        'album.mp4',
        ...source('sine=d=0.5'),
        '-i',
        cover,
        ...['-map', '0', '-map', '1', '-c:a', 'aac', '-c:v', 'mjpeg', '-disposition:v:0', 'attached_pic'],
      );
      await refusal(await readFile(path), 'mp4');
    });

    it('noise', async () => {
      await refusal(Buffer.alloc(5000, 'noise'), 'mpegts');
    });

    it('a header without samples', async () => {
      const file = await readFile(bench.make('whole.mp4', ...source('testsrc=s=64x64:d=0.5:r=10'), ...H264));
      await refusal(file.subarray(0, 200), 'mp4');
    });

    it.each([
      ['vvc1', /: vvc1?\.$/],
      ['zzz9', /: zzz9\.$/],
    ])('a codec that may not be decoded, with its name (%s)', async (code, name) => {
      const path = bench.make('known.mp4', ...source('testsrc=s=64x64:d=0.2:r=10'), ...H264);
      const { message } = await refusal(withNames(await readFile(path), { avc1: code, avcC: 'free' }), 'mp4');
      expect(message).toMatch(name);
    });

    it('a damaged file', async () => {
      const path = bench.make('damaged.mp4', ...source('testsrc=s=64x64:d=0.5:r=10'), ...H264);
      const file = await readFile(path);
      file.fill(0xa5, file.indexOf('mdat') + 4, file.indexOf('moov') - 4);
      expect((await refusal(file, 'mp4')).message).toBe(failureReason.video);
    });

    it.each([
      [
        'what takes more memory than a tool is allowed',
        { toolMemory: 60 * 1024 * 1024 },
        failureReason.memory,
      ],
      ['what takes more processor time than a tool is allowed', { toolSeconds: 1 }, failureReason.time],
    ])('%s', async (_, limit, reason) => {
      if (!hasPrlimit()) return;
      const path = bench.make('large.avi', ...source('testsrc=s=3840x2160:d=2:r=10'), '-c:v', 'mpeg4');
      const job = await bench.job(await readFile(path), { kind: 'video', format: 'avi' });
      const limited = { ...job, limits: { ...job.limits, ...limit } };
      await expect(processor.process(limited, () => undefined)).rejects.toThrow(
        new UnprocessableFileError(reason),
      );
    });
  });
});

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version']);
    return true;
  } catch {
    return false;
  }
}
