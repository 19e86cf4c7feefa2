import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithFfmpeg } from '@vitrine/testing';
import { inspect, MemorySource } from '@vitrine/formats';
import { Bench, type SampleJob } from '../../test/samples/jobs';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { probeVideo } from '../video/probe';
import { VideoProcessor } from '../video/video-processor';
import { AVIF_SEQUENCE, HEIC_TILES, VIDEO, type InputKind } from './decoders';
import { FFMPEG_PREAMBLE, hardenedInput } from './ffmpeg-arguments';
import { runTool } from './run-tool';
import { FEW_PICTURES } from '../../test/samples/hevc';

/** The extension of a file, and what encodes its picture and its sound. */
const ALLOWED: readonly (readonly [ext: string, picture: string, sound: string])[] = [
  ['mp4', 'libx264', 'aac'],
  ['mp4', `libx265 -x265-params ${FEW_PICTURES}`, 'libmp3lame'],
  ['mp4', 'libsvtav1 -preset 12', 'libopus'],
  ['mp4', 'mpeg4', 'alac'],
  ['webm', 'libvpx', 'libvorbis'],
  ['webm', 'libvpx-vp9', 'libopus'],
  ['mkv', 'ffv1', 'flac'],
  ['mkv', 'mpeg4', 'dca'],
  ['mkv', 'mpeg4', 'truehd'],
  ['mkv', 'mpeg4', 'eac3'],
  ['mov', 'prores_ks', 'pcm_s24le'],
  ['mov', 'dnxhd -s 1280x720 -r 25 -pix_fmt yuv422p -b:v 60M', 'pcm_s16be'],
  ['mov', 'qtrle', 'adpcm_ima_qt'],
  ['mov', 'rawvideo -pix_fmt yuyv422', 'pcm_f32le'],
  ['mov', 'v210', 'pcm_mulaw'],
  ['mov', 'mjpeg', 'pcm_alaw'],
  ['avi', 'msmpeg4v2', 'adpcm_ms'],
  ['avi', 'msmpeg4', 'adpcm_ima_wav'],
  ['avi', 'dvvideo -s 720x576 -r 25 -pix_fmt yuv420p', 'pcm_s16le'],
  ['avi', 'rawvideo -pix_fmt yuv420p', 'pcm_u8'],
  ['wmv', 'wmv1', 'wmav1'],
  ['wmv', 'wmv2', 'wmav2'],
  ['flv', 'flv', 'nellymoser -ar 22050 -ac 1'],
  ['flv', 'flashsv', 'adpcm_swf -ar 22050 -ac 1'],
  ['flv', 'flashsv2', 'libspeex -ar 16000 -ac 1'],
  ['ogv', 'libtheora', 'libvorbis'],
  ['ts', 'mpeg2video', 'aac -mpegts_flags latm'],
  ['m2ts', 'mpeg2video', 'pcm_bluray -ac 2'],
  ['mpg', 'mpeg1video', 'mp2'],
  ['vob', 'mpeg2video', 'pcm_dvd'],
  ['vob', 'mpeg2video', 'ac3'],
  ['3gp', 'h263 -s 176x144', 'aac'],
];
/** Two sources: a picture, and a sound. */
const SOURCES = '-f lavfi -i testsrc=s=128x96:d=0.2:r=25 -f lavfi -i sine=d=0.2:r=48000'.split(' ');

describeWithFfmpeg('the decoders that ffmpeg may use', () => {
  let bench: Bench;
  let job: SampleJob;

  beforeAll(async () => {
    bench = await Bench.open();
    job = await bench.job(Buffer.alloc(0), { format: 'mp4', kind: 'video' });
  });
  afterAll(() => bench.close());

  const words = (text: string): string[] => text.split(' ');
  const decode = (kind: InputKind, ...paths: string[]): Promise<string> =>
    runTool(job, {
      program: job.tools.ffmpeg,
      args: [
        ...[...FFMPEG_PREAMBLE, '-xerror', ...paths.flatMap((path) => hardenedInput(path, kind))],
        ...paths.flatMap((_, index) => ['-map', `${index}:v`, '-map', `${index}:a?`]),
        ...['-f', 'null', '-'],
      ],
      reason: failureReason.video,
    });

  it('probe and decode a file of each codec of videos that ffmpeg can encode, which uploads may have', async () => {
    const paths = ALLOWED.map(([ext], index) => join(bench.folder, `allowed-${index}.${ext}`));
    const outputs = ALLOWED.flatMap(([, picture, sound], index) => [
      ...['-map', '0', '-map', '1', '-c:v', ...words(picture), '-c:a', ...words(sound), '-strict', '-2'],
      paths[index] ?? '',
    ]);
    const [program, ...first] = job.tools.ffmpeg;
    execFileSync(program, [...first, '-v', 'error', '-y', ...SOURCES, ...outputs], { stdio: 'ignore' });
    const probed = await Promise.all(
      paths.map(async (path) => {
        const facts = await probeVideo(job, path).catch((error: Error) => error.message);
        return typeof facts === 'string' ? `${path}: ${facts}` : Boolean(facts.codec && facts.audio?.codec);
      }),
    );
    expect(probed).toEqual(paths.map(() => true));
    await decode(VIDEO, ...paths);
    for (const path of paths)
      expect((await inspect(new MemorySource(await readFile(path)))).facts.kind).toBe('video');
  });

  it('are named as in ffmpeg, but for those of other builds', () => {
    const [program, ...first] = job.tools.ffmpeg;
    const list = execFileSync(program, [...first, '-v', 'error', '-decoders'], { encoding: 'utf8' });
    const known = new Set(list.split('\n').map((line) => line.trim().split(/\s+/)[1]));
    const foreign = VIDEO.decoders.split(',').filter((name) => !known.has(name));
    const optional = ['libdav1d', 'libaom-av1', 'libopus', 'libvorbis', 'libspeex', 'libvpx', 'libvpx-vp9'];
    const amr = ['libopencore_amrnb', 'libopencore_amrwb'];
    expect(foreign.filter((name) => ![...optional, ...amr].includes(name))).toEqual([]);
  });

  it('do not include MagicYUV, whose name the uploader is told', async () => {
    const path = bench.make('magic.avi', ...SOURCES, '-c:v', 'magicyuv', '-c:a', 'pcm_s16le');
    const reason = `${failureReason.unsupported.slice(0, -1)}: magicyuv.`;
    await expect(decode(VIDEO, path)).rejects.toThrow(new UnprocessableFileError(reason));
    const upload = await bench.job(await readFile(path), { format: 'avi', kind: 'video' });
    await expect(new VideoProcessor().process(upload, () => undefined)).rejects.toThrow(
      new UnprocessableFileError(reason),
    );
  });

  it('open subtitles, but ffmpeg decodes none of them', async () => {
    const texts = join(bench.folder, 'texts.srt');
    await writeFile(texts, '1\n00:00:00,000 --> 00:00:01,000\nText\n');
    const path = bench.make('texts.mp4', ...SOURCES, '-i', texts, '-c:v', 'mpeg4', '-c:s', 'mov_text');
    expect((await probeVideo(job, path)).codec).toBe('mpeg4');
    await expect(
      runTool(job, {
        program: job.tools.ffmpeg,
        args: [...FFMPEG_PREAMBLE, ...hardenedInput(path), '-map', '0:s', '-f', 'srt', '-'],
        reason: failureReason.video,
      }),
    ).rejects.toThrow('mov_text');
  });

  it.each([
    ['the tiles of a HEIC', HEIC_TILES, 'h264'],
    ['an AVIF sequence', AVIF_SEQUENCE, 'h264'],
  ])('are those of its own format for %s', async (_, kind, codec) => {
    const path = bench.make('other.mp4', ...SOURCES.slice(0, 4), '-c:v', 'libx264');
    await expect(decode(kind, path)).rejects.toThrow(codec);
  });
});
