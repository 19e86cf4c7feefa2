import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  confine,
  type ConfinedProgram,
  describeWithConfinement,
  type FileTrace,
  svgBomb,
} from '@vitrine/testing';
import sharp from 'sharp';
import { DecoderPool } from '../src/decoders/decoder-pool';
import { failureReason, UnprocessableFileError } from '../src/failures/failures';
import { NO_ISOLATION } from '../src/isolation/isolation';
import type { MediaJob, ToolCommand } from '../src/jobs/protocol';
import type { ForbiddenTargets, HostileFile } from './samples/hostile-file';
import { hlsPlaylist, hostileFiles } from './samples/hostile-files';
import { Bench, type SampleJob } from './samples/jobs';

const MIB = 1024 * 1024;
const root = join(__dirname, '..', '..', '..');
/** The built worker, which production starts. */
const ENTRY = join(__dirname, '..', 'dist', 'worker', 'main.js');
const ADDRESS = 'http://192.0.2.1';
/** Far above what a job needs on an idle machine, so that only one that does not end reaches it. */
const TIME_LIMIT_MS = 90_000;

/** The paths that a worker and its tools may open to read, besides the input and the worker's folder. */
const READABLE = [
  // Its own code and packages. Node.js reads manifests to distinguish kinds of modules.
  /^\/(.*\/)?package\.json$/,
  new RegExp(`^${root}/(apps/media-processor|libs/[a-z]+)/dist/`),
  new RegExp(`^${root}/apps/media-processor/fonts\\.conf$`),
  new RegExp(`^${root}/node_modules/`),
  // The system's programs, libraries, fonts and their settings.
  /^\/(usr|lib|lib64)\//,
  /^\/etc\/(ld\.so\.|fonts\/|gcrypt\/|ssl\/openssl\.cnf$|localtime$)/,
  // Information about the machine: processors, memory, limits.
  /^\/sys\/(devices\/system\/(cpu|node)|fs\/cgroup|kernel\/mm)(\/|$)/,
  /^\/proc\/(self|\d+)\//,
  /^\/proc\/(meminfo|cpuinfo|stat|filesystems|sys\/(vm|kernel|crypto)\/\w+)$/,
  /^\/dev\/(null|urandom|random|tty)$/,
];
const WRITABLE = [/^\/dev\/(null|tty)$/];

/** The names of the programs that a worker may run. */
const programsOf = ({ tools }: SampleJob): Set<string> =>
  new Set(['prlimit', 'node', ...[tools.ffmpeg, tools.ffprobe].map(([path]) => basename(path))]);

describeWithConfinement('the corpus of hostile files, without a network and under a file trace', () => {
  let bench: Bench;
  let bait: ForbiddenTargets;
  let corpus: HostileFile[];

  beforeAll(async () => {
    bench = await Bench.open();
    const beside = (name: string): string => join(bench.folder, `bait-${name}`);
    bait = {
      video: bench.make(
        'bait-video.mp4',
        '-f',
        'lavfi',
        '-i',
        'testsrc=s=64x64:d=0.2:r=10',
        '-c:v',
        'libx264',
      ),
      picture: beside('picture.png'),
      text: beside('text.txt'),
      address: ADDRESS,
    };
    await sharp({ create: { width: 80, height: 60, channels: 3, background: '#f0f' } }).toFile(bait.picture);
    await writeFile(bait.text, 'nobody but its owner reads this');
    corpus = await hostileFiles(bench, bait);
  });
  afterAll(() => bench?.close());

  /** Workers like those of media-processor, but traced. */
  async function confinedPool({ memoryLimit = 1024 * MIB } = {}): Promise<{
    pool: DecoderPool;
    confined: ConfinedProgram;
  }> {
    const folder = await mkdtemp(join(bench.folder, 'confined-'));
    const { tools } = await bench.job(Buffer.alloc(0), { format: 'png' });
    if (!tools.prlimit) throw new Error('No prlimit on this system');
    const confined = await confine(tools.prlimit, folder);
    const pool = new DecoderPool({
      restMs: 60_000,
      keptReady: 0,
      entry: ENTRY,
      prlimit: confined.path,
      nice: 'nice',
      size: 1,
      memoryLimit,
      recycleAbove: 300 * MIB,
      // These tests have their own confinement; isolation.spec.ts tests the real one.
      isolation: NO_ISOLATION,
      scratch: folder,
    });
    return { pool, confined };
  }

  /** The result of a job: `done`, or the sentence for its uploader. Rejects if anything but the file is at fault. */
  const outcomeOf = async (pool: DecoderPool, job: MediaJob, timeLimitMs = TIME_LIMIT_MS): Promise<string> =>
    pool
      .run(job, {
        lane: 'quick',
        timeLimitMs,
        clockLimitMs: 10 * timeLimitMs,
        writtenLimit: 1024 ** 3,
        onProgress: () => undefined,
        onCrash: () => undefined,
        accept: async (result) => result,
      })
      .then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof UnprocessableFileError) return error.message;
          throw error;
        },
      );

  /** The forbidden actions of the workers of these jobs. */
  function breaches(trace: FileTrace, jobs: readonly MediaJob[], programs: ReadonlySet<string>): string[] {
    const inputs = new Set(jobs.map(({ source }) => source));
    const own = (path: string): boolean => jobs.some(({ folder }) => `${path}/`.startsWith(`${folder}/`));
    const allowed = (path: string, patterns: readonly RegExp[]): boolean =>
      own(path) || patterns.some((pattern) => pattern.test(path));
    const baited = [...trace.read, ...trace.written, ...trace.seen].filter((path) => path.includes('/bait-'));
    return [
      ...baited.map((path) => `touches ${path}`),
      ...[...trace.read]
        .filter((path) => !inputs.has(path) && !allowed(path, READABLE))
        .map((path) => `reads ${path}`),
      ...[...trace.written].filter((path) => !allowed(path, WRITABLE)).map((path) => `writes ${path}`),
      ...[...trace.executed].filter((path) => !programs.has(basename(path))).map((path) => `runs ${path}`),
      ...trace.network.map((line) => `calls ${line}`),
    ];
  }

  // Promise [security]: Hostile files make no decoder open other files or the network.
  it('opens only its input, writes only its output, uses no network, and ends each job in time', async () => {
    const { pool, confined } = await confinedPool();
    const jobs: MediaJob[] = [];
    const unexpected: string[] = [];
    for (const { what, kind, format, bytes, frames, outcome } of corpus) {
      const job = await bench.job(bytes, { kind, format, frames: frames ?? 1 });
      jobs.push(job);
      const result = await outcomeOf(pool, job).catch((error: Error) => `an error: ${error.message}`);
      const sentence = /^The [a-z ]+\.$/.test(result);
      const expected =
        outcome === 'refused'
          ? sentence
          : outcome === 'harmless'
            ? result === 'done'
            : sentence || result === 'done';
      if (!expected || result.includes('longer')) unexpected.push(`${what}: ${result}`);
    }
    await pool.close();
    expect(unexpected).toEqual([]);
    const trace = await confined.trace();
    // Proves that the trace is not empty by mistake.
    for (const { source } of jobs) expect(trace.read).toContain(source);
    const programs = programsOf(await bench.job(Buffer.alloc(0), { format: 'png' }));
    expect(new Set([...trace.executed].map((path) => basename(path)))).toEqual(programs);
    expect(breaches(trace, jobs, programs)).toEqual([]);
  });

  describe('without a guard, the trace shows that', () => {
    /** ffmpeg and ffprobe without the options that keep them from opening other things. */
    async function withoutGuard(job: SampleJob, protocols: string): Promise<MediaJob> {
      const without = async (tool: ToolCommand): Promise<ToolCommand> => {
        const path = join(await mkdtemp(join(bench.folder, 'unguarded-')), 'tool');
        const script = `#!/bin/sh
for word; do
  shift
  case $last$word in
    -protocol_whitelist?*) set -- "$@" '${protocols}' ;;
    *-format_whitelist) set -- "$@" -f ;;
    -format_whitelist*) set -- "$@" hls ;;
    *) set -- "$@" "$word" ;;
  esac
  last=$word
done
exec '${tool.join("' '")}' "$@"
`;
        await writeFile(path, script);
        await chmod(path, 0o700);
        return [path];
      };
      const [ffmpeg, ffprobe] = await Promise.all([without(job.tools.ffmpeg), without(job.tools.ffprobe)]);
      return { ...job, tools: { ...job.tools, ffmpeg, ffprobe } };
    }

    it.each([
      [
        'a playlist reads a neighbouring file',
        'file,crypto',
        () => `file://${bait.video}`,
        /^touches .*bait-video\.mp4$/,
      ],
      [
        'a playlist connects to an address',
        'file,crypto,http,tcp',
        () => `${ADDRESS}/video.ts`,
        /^calls .*connect\(.*192\.0\.2\.1/,
      ],
    ])('%s', async (_, protocols, entry, breach) => {
      const { pool, confined } = await confinedPool();
      const job = await bench.job(hlsPlaylist(entry()), { kind: 'video', format: 'mp4' });
      await outcomeOf(pool, await withoutGuard(job, protocols));
      await pool.close();
      expect(breaches(await confined.trace(), [job], programsOf(job))).toContainEqual(
        expect.stringMatching(breach),
      );
    });
  });

  // Promise [security]: A file that exceeds memory or time is refused, and the next one is processed.
  it('refuses a file that exceeds its memory or its time, and processes the next one', async () => {
    const { pool } = await confinedPool({ memoryLimit: 256 * MIB });
    const named = (what: string): HostileFile => corpus.find((file) => file.what === what) as HostileFile;
    const job = async (what: string): Promise<MediaJob> => {
      const { bytes, format } = named(what);
      return bench.job(bytes, { format });
    };
    const greedy = await outcomeOf(pool, await job('a GIF of 9,900 × 9,900'));
    // Either the system refuses the memory, or the parent ends the worker.
    expect([failureReason.memory, failureReason.crash]).toContain(greedy);
    const endless = await bench.job(svgBomb(), { format: 'svg' });
    expect(await outcomeOf(pool, endless, 200)).toBe(failureReason.time);
    expect(await outcomeOf(pool, await job('a truncated GIF'))).toBe('done');
    await pool.close();
  });
});
