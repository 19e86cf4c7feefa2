import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEAVY_VIDEOS, PHONE_VIDEOS, type PhoneVideo, VideoSamples } from '@vitrine/testing';
import { atMost, print, report, runBenchmark } from '../harness/benchmark';
import { WorkerChild } from '../harness/worker-child';
import { PeakMemory, processorTimeOf } from '../processes/process-usage';
import { findVideoTools, type FoundVideoTools } from '@vitrine/admin';

/** How often the sample is repeated for a clip of ten seconds. */
const CLIP_LOOPS = 20;
const CLIP = 'a clip of ten seconds, 4K60 HLG';

/** What the bundled ffmpeg may take, as a multiple of what the system's takes. */
const MOST = 1.25;

/** The figures of one video with one ffmpeg, or the sum of several. */
interface Cost {
  /** Milliseconds of processor time of the worker and its ffmpeg. */
  readonly processor: number;
  /** Mebibytes. */
  readonly memory: number;
}

/**
 * npm run bench:videos [words]. Processes videos like those of phones, cameras and screen recorders with the built
 * media-processor's worker, each with a new worker, once with the system's ffmpeg and once with the bundled one. Prints
 * the time, the processor time and the peak resident memory of the worker and its ffmpeg together, and the ratios.
 * With words: only the videos whose names contain them.
 */
async function main(): Promise<boolean> {
  const wanted = process.argv.slice(2).join(' ');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const samples = await VideoSamples.open();
  // The programs of this machine.
  // eslint-disable-next-line no-restricted-properties
  const { env } = process;
  const found = await Promise.all(
    ['system', 'bundled'].map((kind) => findVideoTools({ ...env, VIDEO_TOOLS: kind })),
  );
  const available = found.flatMap((tools) => (tools?.ffmpeg ? [tools] : []));
  const costs = available.map((): Cost[] => []);
  try {
    const [hlg] = HEAVY_VIDEOS;
    const measureAll = async (what: string, path: string, video: PhoneVideo): Promise<void> => {
      print(what);
      for (const [index, tools] of available.entries()) {
        costs[index]?.push(await measure(path, video, tools, folder));
      }
    };
    if (hlg && CLIP.includes(wanted)) {
      await measureAll(CLIP, repeated(await samples.make(hlg), folder), hlg);
    }
    for (const video of [...HEAVY_VIDEOS, ...PHONE_VIDEOS]) {
      if (video.what.includes(wanted)) await measureAll(video.what, await samples.make(video), video);
    }
    const [system, bundled] = costs;
    return system && bundled ? compare(system, bundled) : true;
  } finally {
    await Promise.all([samples.close(), rm(folder, { recursive: true, force: true })]);
  }
}

/** Prints what the bundled ffmpeg takes compared with the system's; false if that is too much. */
function compare(system: readonly Cost[], bundled: readonly Cost[]): boolean {
  const total = (costs: readonly Cost[]): number => costs.reduce((sum, { processor }) => sum + processor, 0);
  const peak = (costs: readonly Cost[]): number => Math.max(...costs.map(({ memory }) => memory));
  return report([
    atMost('bundled / system: processor time', total(bundled) / total(system), MOST),
    atMost('bundled / system: peak memory', peak(bundled) / peak(system), MOST),
  ]);
}

/** Repeats the sample without encoding it again. Returns the path of the result. */
function repeated(path: string, folder: string): string {
  const clip = join(folder, 'clip.mov');
  const loop = ['-stream_loop', String(CLIP_LOOPS - 1), '-i', path, '-map', '0', '-c', 'copy'];
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...loop, '-tag:v', 'hvc1', clip]);
  return clip;
}

/** Processes one video with one ffmpeg, and prints and returns its figures. */
async function measure(
  path: string,
  { format, ext }: PhoneVideo,
  tools: FoundVideoTools,
  parent: string,
): Promise<Cost> {
  const folder = await mkdtemp(join(parent, 'job-'));
  const worker = await WorkerChild.start();
  const memory = new PeakMemory(worker.pid);
  try {
    const file = { path, kind: 'video', format, mime: 'video/mp4', ext } as const;
    const took = await worker.processFile(file, folder, tools);
    const cost = { processor: processorTimeOf(worker.pid), memory: memory.stop() };
    const figures = [
      `${(took / 1000).toFixed(1).padStart(8)} s`,
      `${(cost.processor / 1000).toFixed(1).padStart(8)} s of processor time`,
      `${String(cost.memory).padStart(6)} MiB`,
    ];
    print(`  ${tools.found.padEnd(42)}${figures.join('')}`);
    return cost;
  } finally {
    memory.stop();
    await worker.stop();
  }
}

runBenchmark('videos', main);
