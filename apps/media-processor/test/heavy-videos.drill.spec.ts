import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { HEAVY_VIDEOS, VideoSamples } from '@vitrine/testing';
import { MediaProcessorConfig } from '../src/config/media-processor.config';
import { DecoderPool } from '../src/decoders/decoder-pool';
import { mappedMemoryLimit } from '../src/decoders/process-tree';
import { failureReason } from '../src/failures/failures';
import { NO_ISOLATION } from '../src/isolation/isolation';
import type { JobResult, MediaJob } from '../src/jobs/protocol';
import { Bench } from './samples/jobs';
import { hueOf, lengthOf, MeasuredVideo } from './samples/measured-video';

const MIB = 1024 * 1024;
/** The most pixels, the most frames a second of a large picture, and the longest edges of a phone; `bench:videos` has more. */
const PROCESSED = HEAVY_VIDEOS.filter(({ what }) => /4K60 HLG|120 frames|8K/.test(what));
/** The built worker, which production starts. */
const ENTRY = join(__dirname, '..', 'dist', 'worker', 'main.js');

describe('videos of many pixels, on a worker with the default limit of memory', () => {
  const limit = loadConfig(MediaProcessorConfig, {}).memoryLimitMb * MIB;
  let bench: Bench;
  let samples: VideoSamples;

  beforeAll(async () => {
    [bench, samples] = await Promise.all([Bench.open(), VideoSamples.open()]);
  });
  afterAll(() => Promise.all([bench.close(), samples.close()]));

  async function jobOf(video: (typeof HEAVY_VIDEOS)[number], memoryLimit: number): Promise<MediaJob> {
    const file = await readFile(await samples.make(video));
    const job = await bench.job(file, { kind: 'video', format: video.format, ext: video.ext });
    return { ...job, limits: { toolMemory: mappedMemoryLimit(memoryLimit), toolSeconds: 600 } };
  }

  async function run(job: MediaJob, memoryLimit: number): Promise<JobResult> {
    const { prlimit } = job.tools;
    const pool = new DecoderPool({
      restMs: 60_000,
      keptReady: 0,
      ...{ entry: ENTRY, prlimit, nice: null, size: 1, memoryLimit, recycleAbove: 300 * MIB },
      ...{ isolation: NO_ISOLATION, scratch: bench.folder },
    });
    const finished = pool.run(job, {
      lane: 'long',
      timeLimitMs: 280_000,
      clockLimitMs: 1_500_000,
      writtenLimit: 1024 ** 3,
      onProgress: () => undefined,
      onCrash: () => undefined,
      accept: async (result) => result,
    });
    return finished.finally(() => pool.close());
  }

  it.each(PROCESSED.map((video) => [video.what, video] as const))('processes %s', async (_, video) => {
    const job = await jobOf(video, limit);
    const result = await run(job, limit);
    const { width, height, duration, frames, sound, card } = video.expected;
    expect(result).toMatchObject({ width, height });
    expect(Math.abs((result.duration ?? 0) - duration)).toBeLessThanOrEqual(0.05);
    const largest = new MeasuredVideo(join(job.folder, 'xl.mp4'));
    const [picture] = largest.streams('video');
    expect(picture).toMatchObject({
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
    });
    expect(Math.abs(Number(picture?.['nb_read_frames']) - (frames ?? 0))).toBeLessThanOrEqual(1);
    if (sound) expect(Math.abs(lengthOf(largest.sound()) - sound.seconds)).toBeLessThanOrEqual(0.08);
    const { topLeft, topRight } = largest.corners('first');
    expect(Math.min(...topLeft)).toBeGreaterThan(card === 'hdr' ? 200 : 245);
    expect(Math.max(...topLeft) - Math.min(...topLeft)).toBeLessThanOrEqual(8);
    expect(Math.min(hueOf(topRight), 360 - hueOf(topRight))).toBeLessThanOrEqual(12);
  });

  // Promise [files]: A file that needs more memory than the limit is refused with that reason.
  it('refuses a video that needs more memory than the limit, and names memory as the reason', async () => {
    const [video] = PROCESSED;
    if (!video) throw new Error('No such sample');
    const memoryLimit = 320 * MIB;
    await expect(run(await jobOf(video, memoryLimit), memoryLimit)).rejects.toThrow(failureReason.memory);
  });
});
