import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { IMAGE_EDGE } from '@vitrine/contracts';
import { Child } from './child';
import { photograph } from './photograph';

/**
 * npm run bench:variants. Measures the built media-processor's worker on synthetic photographs, as ratios within one
 * run: whole jobs (five variants, thumbhash, PDQ, moderation frame, written to disk) against decoding and resizing
 * to the largest alone, against five runs of vipsthumbnail, two workers side by side against one, and a HEIC against the same JPEG.
 */
const WORKER = resolve(__dirname, '../../../apps/media-processor/dist/worker/main.js');
const FLOOR = join(__dirname, 'floor.js');
const ROUNDS = 15;
const SIDE_BY_SIDE_JOBS = 6;
const SIDE_BY_SIDE_ROUNDS = 5;
const MIXED_IMAGES = 500;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

const run = promisify(execFile);

async function main(): Promise<void> {
  if (!existsSync(WORKER)) throw new Error(`${WORKER} is not built: run npm run build`);
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const bench = new VariantsBench(folder);
  try {
    await bench.prepare();
    const rows = [
      ...(await bench.ratios()),
      ...(await bench.heic()),
      await bench.sideBySide(),
      await bench.memory(),
    ];
    for (const { what, measured, target, met } of rows) {
      print(
        `${what.padEnd(58)} ${measured.padStart(10)}   target ${target.padEnd(10)} ${met ? 'met' : 'MISSED'}`,
      );
    }
    if (rows.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class VariantsBench {
  private readonly photo: string;
  private jobs = 0;

  constructor(private readonly folder: string) {
    this.photo = join(folder, 'photo.jpg');
  }

  async prepare(): Promise<void> {
    print('Making a 12 MP photograph …');
    await (await photograph(4000, 3000, 1)).jpeg({ quality: 90 }).toFile(this.photo);
  }

  /** Rounds alternate, so that a neighbour's load falls on all of them alike. */
  async ratios(): Promise<Row[]> {
    const [floor, worker] = [await Child.start(FLOOR), await Child.start(WORKER)];
    const vips = await hasVipsThumbnail();
    if (!vips) print('vipsthumbnail is not installed (Debian: libvips-tools): that comparison is left out');
    const times = { floor: [] as number[], job: [] as number[], vips: [] as number[] };
    for (let round = -2; round < ROUNDS; round++) {
      const [floorMs, jobMs] = [
        await floor.ask({ source: this.photo }),
        await this.job(worker, this.photo, 'jpeg'),
      ];
      const vipsMs = vips && round % 3 === 0 ? await this.fiveThumbnails() : null;
      if (round < 0) continue;
      times.floor.push(floorMs);
      times.job.push(jobMs);
      if (vipsMs !== null) times.vips.push(vipsMs);
    }
    await Promise.all([floor.stop(), worker.stop()]);
    const [floorMs, jobMs, vipsMs] = [median(times.floor), median(times.job), median(times.vips)];
    print(`decode and resize to the largest ${floorMs.toFixed(0)} ms, whole job ${jobMs.toFixed(0)} ms`);
    const rows = [atMost('job / decoding and resizing to the largest alone', jobMs / floorMs, 1.9, '×')];
    if (vips) {
      print(`five runs of vipsthumbnail ${vipsMs.toFixed(0)} ms`);
      rows.push(atLeast('five runs of vipsthumbnail / job', vipsMs / jobMs, 3));
    }
    return rows;
  }

  /** The same photograph as a HEIC, decoded by ffmpeg. */
  async heic(): Promise<Row[]> {
    const [encoder, ffmpeg] = [await onPath('heif-enc'), await onPath('ffmpeg')];
    if (!encoder || !ffmpeg) {
      print('heif-enc or ffmpeg is not installed (Debian: libheif-examples, ffmpeg): HEIC is left out');
      return [];
    }
    const heic = join(this.folder, 'photo.heic');
    await run(encoder, ['-q', '80', '-p', 'preset=ultrafast', this.photo, '-o', heic]);
    const worker = await Child.start(WORKER);
    const [jpegTimes, heicTimes]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round++) {
      const jpegMs = await this.job(worker, this.photo, 'jpeg');
      const heicMs = await this.job(worker, heic, 'heic', ffmpeg);
      if (round < 0) continue;
      jpegTimes.push(jpegMs);
      heicTimes.push(heicMs);
    }
    await worker.stop();
    const [jpegMs, heicMs] = [median(jpegTimes), median(heicTimes)];
    print(`JPEG ${jpegMs.toFixed(0)} ms, HEIC ${heicMs.toFixed(0)} ms`);
    return [atMost('a HEIC of 12 megapixels / the same as JPEG', heicMs / jpegMs, 5, '×')];
  }

  async sideBySide(): Promise<Row> {
    const workers = [await Child.start(WORKER), await Child.start(WORKER)] as const;
    for (const worker of workers) await this.job(worker, this.photo, 'jpeg');
    const series = async (worker: Child): Promise<void> => {
      for (let index = 0; index < SIDE_BY_SIDE_JOBS; index++) await this.job(worker, this.photo, 'jpeg');
    };
    const gains: number[] = [];
    for (let round = 0; round < SIDE_BY_SIDE_ROUNDS; round++) {
      const alone = await timed(() => series(workers[0]));
      const together = await timed(() => Promise.all(workers.map(series)));
      gains.push((2 * alone) / together);
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    return atLeast('two workers side by side / one, jobs a second', median(gains), 1.7);
  }

  async memory(): Promise<Row> {
    print(`Putting ${MIXED_IMAGES} mixed images through one worker …`);
    const samples = await this.mixedSamples();
    const worker = await Child.start(WORKER);
    for (let index = 0; index < MIXED_IMAGES; index++) {
      const [path, format] = samples[index % samples.length] as readonly [string, string];
      await this.job(worker, path, format);
    }
    const resident = worker.residentMemory();
    await worker.stop();
    return atMost(`worker RSS after ${MIXED_IMAGES} mixed images`, resident, 350, ' MB');
  }

  /** JPEGs of many sizes above all, as people send them; some of every other format that libvips reads. */
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

  /** One job as media-processor hands it to a worker; gives its milliseconds. */
  private async job(worker: Child, source: string, format: string, ffmpeg = ''): Promise<number> {
    const id = ++this.jobs;
    const folder = join(this.folder, `job-${id}`);
    await mkdir(folder);
    const slug = `bench${id}`;
    const media = {
      slug,
      kind: 'image',
      format,
      mime: `image/${format}`,
      ext: format,
      key: `f/${slug}.${format}`,
    };
    const job = {
      media: { ...media, bytes: 0, frames: 1, duration: null },
      ...{ source, folder, tools: { ffmpeg, ffprobe: '', prlimit: null } },
      limits: { toolMemory: 0, toolSeconds: 0 },
    };
    const took = await worker.ask({ id, job });
    await rm(folder, { recursive: true });
    return took;
  }

  private async fiveThumbnails(): Promise<number> {
    return timed(async () => {
      for (const [size, edge] of Object.entries(IMAGE_EDGE)) {
        await run('vipsthumbnail', [
          this.photo,
          '--size',
          String(edge),
          '-o',
          join(this.folder, `vips-${size}.jpg`),
        ]);
      }
    });
  }
}

async function hasVipsThumbnail(): Promise<boolean> {
  try {
    await run('vipsthumbnail', ['--vips-version']);
    return true;
  } catch {
    return false;
  }
}

/** The path at which the shell finds a program; null if it finds none. */
async function onPath(name: string): Promise<string | null> {
  try {
    return (await run('/bin/sh', ['-c', `command -v ${name}`])).stdout.trim() || null;
  } catch {
    return null;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const atMost = (what: string, value: number, limit: number, unit: string): Row => ({
  what,
  measured: `${unit === '×' ? value.toFixed(2) : value.toFixed(0)}${unit}`,
  target: `≤ ${limit}${unit}`,
  met: value <= limit,
});

const atLeast = (what: string, value: number, limit: number): Row => ({
  what,
  measured: `${value.toFixed(2)}×`,
  target: `≥ ${limit}×`,
  met: value >= limit,
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

void main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
