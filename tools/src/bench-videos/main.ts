import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEAVY_VIDEOS, PHONE_VIDEOS, type PhoneVideo, VideoSamples } from '@vitrine/testing';
import { print, runBenchmark } from '../bench-harness/benchmark';
import { WorkerChild } from '../bench-harness/worker-child';
import { PeakMemory } from '../processes/process-usage';

/** How often the sample is repeated for a clip of ten seconds. */
const CLIP_LOOPS = 20;
const CLIP = 'a clip of ten seconds, 4K60 HLG';

/**
 * npm run bench:videos [words]. Processes videos like those of phones, cameras and screen recorders with the built
 * media-processor's worker, each with a new worker, and prints the time and the peak resident memory of the worker and
 * its ffmpeg together. With words: only the videos whose names contain them.
 */
async function main(): Promise<boolean> {
  const wanted = process.argv.slice(2).join(' ');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const samples = await VideoSamples.open();
  try {
    const [hlg] = HEAVY_VIDEOS;
    if (hlg && CLIP.includes(wanted)) {
      await measure(CLIP, repeated(await samples.make(hlg), folder), hlg, folder);
    }
    for (const video of [...HEAVY_VIDEOS, ...PHONE_VIDEOS]) {
      if (video.what.includes(wanted)) await measure(video.what, await samples.make(video), video, folder);
    }
    return true;
  } finally {
    await Promise.all([samples.close(), rm(folder, { recursive: true, force: true })]);
  }
}

/** Repeats the sample without encoding it again. Returns the path of the result. */
function repeated(path: string, folder: string): string {
  const clip = join(folder, 'clip.mov');
  const loop = ['-stream_loop', String(CLIP_LOOPS - 1), '-i', path, '-map', '0', '-c', 'copy'];
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...loop, '-tag:v', 'hvc1', clip]);
  return clip;
}

/** Processes one video and prints its figures. */
async function measure(
  what: string,
  path: string,
  { format, ext }: PhoneVideo,
  parent: string,
): Promise<void> {
  const folder = await mkdtemp(join(parent, 'job-'));
  const worker = await WorkerChild.start();
  const memory = new PeakMemory(worker.pid);
  try {
    const took = await worker.processFile(
      { path, kind: 'video', format, mime: 'video/mp4', ext },
      folder,
      'ffmpeg',
    );
    const seconds = (took / 1000).toFixed(1).padStart(7);
    print(`${what.padEnd(62)} ${seconds} s ${String(memory.stop()).padStart(6)} MiB`);
  } finally {
    memory.stop();
    await worker.stop();
  }
}

runBenchmark('videos', main);
