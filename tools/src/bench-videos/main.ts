import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HEAVY_VIDEOS, PHONE_VIDEOS, type PhoneVideo, VideoSamples } from '@vitrine/testing';
import { Child } from '../bench-variants/child';

/**
 * npm run bench:videos [words]. Processes videos like those of phones, cameras and screen recorders with the built
 * media-processor's worker, one after the other on a new worker each, and prints for each the time and the peak resident
 * memory of the worker and its ffmpeg together. With words: only the videos whose names contain them.
 */
const WORKER = resolve(__dirname, '../../../apps/media-processor/dist/worker/main.js');
const SAMPLE_MS = 20;
/** A phone's clip lasts this many times as long as the sample. */
const CLIP_LOOPS = 20;
const MIB = 1024 ** 2;

interface Figures {
  readonly seconds: number;
  readonly mebibytes: number;
}

async function main(): Promise<void> {
  if (!existsSync(WORKER)) throw new Error(`${WORKER} is not built: run npm run build`);
  const wanted = process.argv.slice(2).join(' ');
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const samples = await VideoSamples.open();
  try {
    const [hlg] = HEAVY_VIDEOS;
    const clip = 'a clip of ten seconds, 4K60 HLG';
    if (hlg && clip.includes(wanted))
      report(clip, await measure(await looped(await samples.make(hlg), folder), hlg, folder));
    for (const video of [...HEAVY_VIDEOS, ...PHONE_VIDEOS]) {
      if (!video.what.includes(wanted)) continue;
      report(video.what, await measure(await samples.make(video), video, folder));
    }
  } finally {
    await Promise.all([samples.close(), rm(folder, { recursive: true, force: true })]);
  }
}

/** Repeats the sample without encoding it again. */
async function looped(path: string, folder: string): Promise<string> {
  const clip = join(folder, 'clip.mov');
  const loop = ['-stream_loop', String(CLIP_LOOPS - 1), '-i', path, '-map', '0', '-c', 'copy'];
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...loop, '-tag:v', 'hvc1', clip]);
  return clip;
}

async function measure(source: string, { format, ext }: PhoneVideo, parent: string): Promise<Figures> {
  const folder = await mkdtemp(join(parent, 'job-'));
  const worker = await Child.start(WORKER);
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, worker.residentMemoryOfAll())), SAMPLE_MS);
  const slug = 'bench01';
  const media = { slug, kind: 'video', format, mime: 'video/mp4', ext, key: `f/${slug}.${ext}` };
  const job = {
    media: { ...media, bytes: 0, frames: 1, duration: null },
    ...{ source, folder, tools: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', prlimit: null } },
    limits: { toolMemory: 16 * 1024 * MIB, toolSeconds: 3600 },
  };
  try {
    return { seconds: (await worker.ask({ id: 1, job })) / 1000, mebibytes: most };
  } finally {
    clearInterval(timer);
    await worker.stop();
  }
}

function report(what: string, { seconds, mebibytes }: Figures): void {
  process.stdout.write(
    `${what.padEnd(62)} ${seconds.toFixed(1).padStart(7)} s ${mebibytes.toFixed(0).padStart(6)} MiB\n`,
  );
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
