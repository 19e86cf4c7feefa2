import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Figure, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { WorkerChild } from '../harness/worker-child';
import {
  type Candidate,
  EDGES,
  imgproxySettings,
  PROGRAMS,
  sharpJpeg,
  type Size,
  SIZES,
  vitrineAlternatives,
  vitrineVariants,
} from './candidates';
import { findPhotographs, referenceOf } from './photographs';
import { bytesAtScore, meanRatio, type Point } from './rate-curve';
import { type Reference, Scorer } from './scorer';

/** Qualities of sharp's JPEG, between whose scores the bytes are interpolated. */
const LADDER = [60, 72, 80, 90];
const DEFAULT_QUALITY = 80;

/** A candidate's files of one photograph: bytes and score of each size. */
type Measured = Readonly<Record<Size, Point>>;

/**
 * npm run bench:quality. Makes the five sizes of photographs with Vitrine and with other programs, scores each file with
 * SSIMULACRA2 against the losslessly resized photograph, and compares its bytes with those that sharp's defaults for
 * JPEG need for the same score.
 */
async function main(): Promise<boolean> {
  const options = readOptions({ photographs: { default: 4, least: 1 } }, ['folder']);
  const scratch = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const scorer = new Scorer();
  const worker = await WorkerChild.start();
  try {
    const { source, paths } = await findPhotographs(options.photographs, scratch, options.folder);
    print(`${paths.length} photographs: ${source}`);
    const candidates = [
      vitrineVariants(worker),
      vitrineAlternatives('webp'),
      vitrineAlternatives('avif'),
      imgproxySettings('webp'),
      imgproxySettings('avif'),
      ...PROGRAMS,
    ];
    const bench = new QualityBench(scratch, scorer);
    for (const path of paths) await bench.measure(path, candidates);
    return report(bench.figures(candidates));
  } finally {
    await scorer.close();
    await worker.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

class QualityBench {
  private readonly ladders: (readonly Measured[])[] = [];
  private readonly results = new Map<string, Measured[]>();

  constructor(
    private readonly scratch: string,
    private readonly scorer: Scorer,
  ) {}

  /** Makes and scores the files of one photograph. A program that isn't installed is left out, and named. */
  async measure(photograph: string, candidates: readonly Candidate[]): Promise<void> {
    const references = new Map<Size, Reference>();
    for (const size of SIZES) references.set(size, await referenceOf(photograph, EDGES[size]));
    const scored = async (candidate: Candidate): Promise<Measured> => {
      const files = await candidate.make(photograph, this.scratch);
      const points = SIZES.map(async (size): Promise<[Size, Point]> => {
        const score = await this.scorer.score(references.get(size) as Reference, files[size]);
        return [size, { bytes: files[size].length, score }];
      });
      return Object.fromEntries(await Promise.all(points)) as Measured;
    };
    const ladder: Measured[] = [];
    for (const quality of LADDER) ladder.push(await scored(sharpJpeg(quality)));
    this.ladders.push(ladder);
    for (const candidate of candidates) {
      try {
        const results = this.results.get(candidate.name) ?? [];
        results.push(await scored(candidate));
        this.results.set(candidate.name, results);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        print(`${candidate.name} is not installed; it is left out`);
      }
    }
    print(`measured ${photograph.split('/').at(-1) ?? ''}`);
  }

  /** Prints a table of all candidates, and returns the figures that have a target. */
  figures(candidates: readonly Candidate[]): Figure[] {
    const usual = this.ladders.map((ladder) => ladder[LADDER.indexOf(DEFAULT_QUALITY)] as Measured);
    const rows: [string, readonly Measured[]][] = [
      [sharpJpeg(DEFAULT_QUALITY).name, usual],
      ...candidates.map(({ name }): [string, readonly Measured[]] => [name, this.results.get(name) ?? []]),
    ];
    print('\nKiB (score; bytes / those of sharp’s JPEG at equal score), means of all photographs:');
    for (const [name, measured] of rows) {
      if (measured.length === 0) continue;
      const cells = SIZES.map((size) => {
        const points = measured.map((each) => each[size]);
        const [bytes, score] = [
          mean(points.map(({ bytes }) => bytes)),
          mean(points.map(({ score }) => score)),
        ];
        const ratio = meanRatio(this.ratios(measured, [size]));
        return `${size} ${(bytes / 1024).toFixed(1)} (${score.toFixed(1)}; ${ratio.toFixed(2)})`;
      });
      print(`${name.padEnd(40)} ${cells.join(' · ')}`);
    }
    print('');
    const ratioOf = (name: string): number => meanRatio(this.ratios(this.results.get(name) ?? []));
    const points = (value: number): string => `${value.toFixed(1)} points`;
    /** How far the mean score of the worst size is below the mean score of sharp's defaults. */
    const below = (name: string): number =>
      Math.max(
        ...SIZES.map(
          (size) =>
            mean(usual.map((each) => each[size].score)) -
            mean((this.results.get(name) ?? []).map((each) => each[size].score)),
        ),
      );
    const [jpeg, webp, avif] = ['Vitrine, JPEG', 'Vitrine, WebP', 'Vitrine, AVIF'] as const;
    return [
      atMost('bytes of JPEG / sharp’s JPEG at equal score', ratioOf(jpeg), 0.9),
      atMost('bytes of AVIF / sharp’s JPEG at equal score', ratioOf(avif), 0.7),
      atMost('bytes of WebP / sharp’s JPEG at equal score', ratioOf(webp), 0.7),
      // A smaller file must not be paid for with what people see.
      ...[jpeg, avif, webp].map((name) =>
        atMost(`score of sharp’s defaults − ${name}, worst size`, below(name), 3, points),
      ),
    ];
  }

  /** Bytes of a candidate's files, divided by those that sharp's JPEG needs for the same scores. */
  private ratios(measured: readonly Measured[], sizes: readonly Size[] = SIZES): number[] {
    return measured.flatMap((each, index) =>
      sizes.map((size) => {
        const ladder = (this.ladders[index] ?? []).map((step) => step[size]);
        return each[size].bytes / bytesAtScore(ladder, each[size].score);
      }),
    );
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

runBenchmark('quality', main);
