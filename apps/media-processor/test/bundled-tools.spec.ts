import { spawnSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { withMatrix } from '@vitrine/testing';
import sharp from 'sharp';
import { VideoToolsConfig } from '../src/config/video-tools.config';
import { locateTools, type LocatedTools } from '../src/tools/locate-tools';
import { VideoProcessor } from '../src/video/video-processor';
import { Bench } from './samples/jobs';
import { probeStreams } from './samples/probe-streams';

const FOUND = /^FFmpeg \d+\.\d+ of node-av \d+\.\d+\.\d+$/;

describe('the bundled ffmpeg', () => {
  let bench: Bench;
  let sample: string;
  beforeAll(async () => {
    bench = await Bench.open();
    sample = bench.make(
      'sample.mp4',
      ...['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10:d=1', '-f', 'lavfi', '-i', 'sine=d=1'],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    );
  });
  afterAll(() => bench.close());

  const locate = (settings: Record<string, string>): Promise<LocatedTools> =>
    locateTools(loadConfig(VideoToolsConfig, settings));
  const run = async (tool: 'ffmpeg' | 'ffprobe', args: readonly string[]) => {
    const { tools } = await locate({ VIDEO_TOOLS: 'bundled' });
    const [program = '', ...first] = tools[tool] ?? [];
    return spawnSync(program, [...first, ...args], { encoding: 'utf8' });
  };
  const script = async (name: string, output: string): Promise<string> => {
    const path = join(bench.folder, name);
    await writeFile(path, `#!/bin/sh\necho "${output}"\n`);
    await chmod(path, 0o755);
    return path;
  };

  it('is used by default if the configured ffmpeg is older than version 5', async () => {
    const old = await script('old', 'ffmpeg version 4.4.1');
    const recent = await script('recent', 'ffmpeg version 5.0');
    const probe = await script('ffprobe', 'ffprobe version 5.0');
    const paths = (path: string) => ({ FFMPEG_PATH: path });
    expect((await locate(paths(old))).found).toMatch(FOUND);
    expect(await locate(paths(recent))).toMatchObject({
      found: `ffmpeg 5.0 from ${recent}`,
      tools: { ffmpeg: [recent], ffprobe: [probe] },
    });
    expect((await locate({ ...paths(old), VIDEO_TOOLS: 'system' })).tools.ffmpeg).toEqual([old]);
    expect((await locate({ ...paths(recent), VIDEO_TOOLS: 'bundled' })).found).toMatch(FOUND);
    expect(await locate({ ...paths(recent), VIDEO_TOOLS: 'none' })).toMatchObject({
      found: 'no ffmpeg, because VIDEO_TOOLS is none',
      tools: { ffmpeg: null, ffprobe: null },
    });
  });

  it('processes a rotated video with sound', async () => {
    const turned = join(bench.folder, 'turned.mp4');
    await writeFile(turned, withMatrix(await readFile(sample), [0, 1, -1, 0]));
    const { tools } = await locate({ VIDEO_TOOLS: 'bundled' });
    const job = { ...(await bench.job(await readFile(turned), { kind: 'video', format: 'mp4' })), tools };
    const result = await new VideoProcessor().process(job, () => undefined);
    expect(result).toMatchObject({ width: 240, height: 320, fully_seen: true });
    const [picture, sound] = probeStreams(join(job.folder, 'xs.mp4'));
    expect(picture).toMatchObject({ codec_name: 'h264', width: 240, height: 320, nb_read_frames: '10' });
    expect(sound).toMatchObject({ codec_name: 'aac', channels: 1 });
    expect(await sharp(join(job.folder, 'thumb.jpg')).metadata()).toMatchObject({ width: 240, height: 320 });
  });

  it.each([
    ['-nosuch', '1', '-i', 'SAMPLE', '-f', 'null'],
    ['-i', 'SAMPLE', '-nosuch', '1', '-f', 'null'],
    ['-i', 'SAMPLE', '-shortest', '-f', 'null'],
    ['-i', 'SAMPLE', '-map', '0:9', '-f', 'null'],
    ['-i', 'SAMPLE', '-map_metadata', '0', '-f', 'null'],
    ['-i', 'SAMPLE', '-vf', 'nosuch', '-f', 'null'],
  ])('refuses %s %s %s …', async (...args) => {
    const named = args.map((arg) => (arg === 'SAMPLE' ? sample : arg));
    const { status, stderr } = await run('ffmpeg', ['-v', 'error', ...named, '-']);
    expect([status, stderr.trim() !== '']).toEqual([1, true]);
  });

  it.each([
    ['-show_entries', 'stream=nosuch', '-of', 'json'],
    ['-show_entries', 'stream=width', '-of', 'xml'],
    ['-show_entries', 'stream=width', '-of', 'json', '-nosuch', '1'],
  ])('refuses to probe with %s %s %s %s', async (...args) => {
    const { status, stderr } = await run('ffprobe', ['-v', 'error', ...args, '-i', sample]);
    expect([status, stderr.trim() !== '']).toEqual([1, true]);
  });

  it('decodes with no codec that is not on the whitelist', async () => {
    const decode = (codecs: string) =>
      run('ffmpeg', [
        '-v',
        'error',
        '-codec_whitelist',
        codecs,
        '-i',
        sample,
        '-map',
        '0:v',
        '-f',
        'null',
        '-',
      ]);
    expect((await decode('h264,aac')).status).toBe(0);
    const { status, stderr } = await decode('hevc,aac');
    expect(status).toBe(1);
    expect(stderr).toMatch(/Codec \(h264\) not on whitelist/);
  });
});
