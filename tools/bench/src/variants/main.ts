import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { IMAGE_EDGE } from '@vitrine/contracts';
import { alternate, timed } from '../harness/alternate';
import { atLeast, atMost, type Figure, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { photograph } from '../harness/photograph';
import { type BenchTools, WorkerChild } from '../harness/worker-child';
import { findVideoTools } from '@vitrine/admin';
import { residentMebibytes } from '../processes/process-usage';
import { median } from '../statistics/statistics';

const FLOOR = join(__dirname, 'floor.js');
const SIDE_BY_SIDE_JOBS = 6;

const run = promisify(execFile);

/**
 * npm run bench:variants [-- --rounds 15 --images 500]. Measures the built media-processor's worker on synthetic photographs, as ratios within one
 * run: whole jobs (five variants, thumbhash, PDQ, moderation frame, written to disk) against decoding and resizing to
 * only the largest variant, and against five runs of vipsthumbnail; two workers side by side against one; a HEIC
 * against the same JPEG.
 */
async function main(): Promise<boolean> {
  const { rounds, images } = readOptions({
    rounds: { default: 15, least: 1 },
    images: { default: 500, least: 1 },
  });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const bench = new VariantsBench(folder, rounds);
  try {
    await bench.prepare();
    return report([
      ...(await bench.ratios()),
      ...(await bench.heic()),
      await bench.sideBySide(),
      await bench.memory(images),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class VariantsBench {
  private readonly photo: string;
  private jobs = 0;

  constructor(
    private readonly folder: string,
    private readonly rounds: number,
  ) {
    this.photo = join(folder, 'photo.jpg');
  }

  async prepare(): Promise<void> {
    print('Making a 12 MP photograph …');
    await (await photograph(4000, 3000, 1)).jpeg({ quality: 90 }).toFile(this.photo);
  }

  async ratios(): Promise<Figure[]> {
    const [floor, worker] = [await WorkerChild.start(FLOOR), await WorkerChild.start()];
    const hasVips = (await findOnPath('vipsthumbnail')) !== null;
    if (!hasVips) print('vipsthumbnail is not installed (Debian: libvips-tools); skipping that comparison');
    const measurements = [
      () => floor.ask({ source: this.photo }),
      () => this.job(worker, this.photo, 'jpeg'),
      ...(hasVips ? [() => this.fiveThumbnails()] : []),
    ];
    const results = await alternate(measurements, { rounds: this.rounds, warmUp: 2 });
    await Promise.all([floor.stop(), worker.stop()]);
    const [floorMs = 0, jobMs = 0, vipsMs] = results.map(median);
    const ofJob = (other: number): string => ` (${other.toFixed(0)}, job ${jobMs.toFixed(0)} ms)`;
    return [
      atMost(
        'job / decoding and resizing to only the largest',
        jobMs / floorMs,
        1.9,
        undefined,
        ofJob(floorMs),
      ),
      ...(vipsMs === undefined
        ? []
        : [atLeast('five runs of vipsthumbnail / job', vipsMs / jobMs, 3, ofJob(vipsMs))]),
    ];
  }

  /** The same photograph as a HEIC, which ffmpeg decodes. */
  async heic(): Promise<Figure[]> {
    // The programs of this machine.
    // eslint-disable-next-line no-restricted-properties
    const tools = await findVideoTools(process.env);
    const encoder = await findOnPath('heif-enc');
    if (!encoder || !tools?.ffmpeg) {
      print('heif-enc or ffmpeg is not installed (Debian: libheif-examples, ffmpeg); skipping HEIC');
      return [];
    }
    const heic = join(this.folder, 'photo.heic');
    await run(encoder, ['-q', '80', '-p', 'preset=ultrafast', this.photo, '-o', heic]);
    const worker = await WorkerChild.start();
    const measurements = [
      () => this.job(worker, this.photo, 'jpeg'),
      () => this.job(worker, heic, 'heic', tools),
    ];
    const results = await alternate(measurements, { rounds: this.rounds, warmUp: 1 });
    await worker.stop();
    const [jpegMs = 0, heicMs = 0] = results.map(median);
    const details = ` (${heicMs.toFixed(0)} / ${jpegMs.toFixed(0)} ms)`;
    return [atMost('a HEIC of 12 megapixels / the same as JPEG', heicMs / jpegMs, 5, undefined, details)];
  }

  async sideBySide(): Promise<Figure> {
    const workers = [await WorkerChild.start(), await WorkerChild.start()] as const;
    for (const worker of workers) await this.job(worker, this.photo, 'jpeg');
    const series = async (worker: WorkerChild): Promise<void> => {
      for (let index = 0; index < SIDE_BY_SIDE_JOBS; index++) await this.job(worker, this.photo, 'jpeg');
    };
    const gains: number[] = [];
    for (let round = 0; round < Math.ceil(this.rounds / 3); round++) {
      const alone = await timed(() => series(workers[0]));
      const together = await timed(() => Promise.all(workers.map(series)));
      gains.push((2 * alone) / together);
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    return atLeast('two workers side by side / one, jobs a second', median(gains), 1.7);
  }

  async memory(images: number): Promise<Figure> {
    print(`Processing ${images} mixed images with one worker …`);
    const samples = await this.mixedSamples();
    const worker = await WorkerChild.start();
    for (let index = 0; index < images; index++) {
      const [path, format] = samples[index % samples.length] as readonly [string, string];
      await this.job(worker, path, format);
    }
    const resident = residentMebibytes([worker.pid]);
    await worker.stop();
    const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;
    return atMost(`worker RSS after ${images} mixed images`, resident, 350, mebibytes);
  }

  /** Mostly JPEGs of many sizes, as people upload; some of every other format that libvips reads. */
  private async mixedSamples(): Promise<(readonly [path: string, format: string])[]> {
    const samples: (readonly [string, string])[] = [];
    for (const [index, width] of [4000, 3000, 1600, 1200, 900, 640, 2400, 320].entries()) {
      const picture = await photograph(width, Math.round(width * 0.75), index + 2);
      const path = join(this.folder, `sample-${index}`);
      await picture.clone().jpeg({ quality: 88 }).toFile(`${path}.jpg`);
      samples.push([`${path}.jpg`, 'jpeg']);
      if (width > 2000) continue;
      await picture.clone().png().toFile(`${path}.png`);
      await picture.clone().webp({ effort: 1 }).toFile(`${path}.webp`);
      await picture.clone().tiff().toFile(`${path}.tiff`);
      await picture.clone().avif({ effort: 0 }).toFile(`${path}.avif`);
      await picture.clone().gif({ effort: 1 }).toFile(`${path}.gif`);
      for (const format of ['png', 'webp', 'tiff', 'avif', 'gif'])
        samples.push([`${path}.${format}`, format]);
    }
    return samples;
  }

  /** Processes a picture, in a separate folder. Returns the milliseconds that it took. */
  private async job(worker: WorkerChild, path: string, format: string, tools?: BenchTools): Promise<number> {
    const folder = join(this.folder, `job-${++this.jobs}`);
    await mkdir(folder);
    const file = { path, kind: 'image', format, mime: `image/${format}`, ext: format } as const;
    const took = await worker.processFile(file, folder, tools);
    await rm(folder, { recursive: true });
    return took;
  }

  private async fiveThumbnails(): Promise<number> {
    return timed(async () => {
      for (const [size, edge] of Object.entries(IMAGE_EDGE)) {
        const output = join(this.folder, `vips-${size}.jpg`);
        await run('vipsthumbnail', [this.photo, '--size', String(edge), '-o', output]);
      }
    });
  }
}

/** The path of a program; null when the shell doesn't find it. */
async function findOnPath(name: string): Promise<string | null> {
  try {
    return (await run('/bin/sh', ['-c', `command -v ${name}`])).stdout.trim() || null;
  } catch {
    return null;
  }
}

runBenchmark('variants', main);
