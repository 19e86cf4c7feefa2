import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@vitrine/testing';
import { DiskFullError, UnprocessableFileError } from '../failures/failures';
import { NO_ISOLATION } from '../isolation/isolation';
import type { JobResult, MediaJob } from '../jobs/protocol';
import { DecoderPool, DisplacedError, type JobHooks } from './decoder-pool';

const MIB = 1024 * 1024;
/** Longer than any test. */
const LONG_MS = 600_000;
/** Niceness values of the system. */
const LOWEST_PRIORITY = 19;
const ENTRY = join(__dirname, 'decoder-pool.fixture.cjs');

const prlimit = ((): string | null => {
  try {
    return execFileSync('/bin/sh', ['-c', 'command -v prlimit'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
})();

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('DecoderPool', () => {
  let folder: string;
  let pool: DecoderPool;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-pool-'));
    pool = poolOf(60_000);
  });

  const poolOf = (restMs: number, keptReady = 0, isolation = NO_ISOLATION, entry = ENTRY): DecoderPool =>
    new DecoderPool({
      entry,
      prlimit,
      nice: 'nice',
      size: 2,
      memoryLimit: 400 * MIB,
      recycleAbove: 150 * MIB,
      restMs,
      keptReady,
      isolation,
      scratch: folder,
    });

  afterEach(async () => {
    await pool.close();
    await rm(folder, { recursive: true, force: true });
  });

  const hooksOf = (hooks: Partial<JobHooks> = {}): JobHooks => ({
    lane: 'quick',
    timeLimitMs: 10_000,
    clockLimitMs: 10 * (hooks.timeLimitMs ?? 10_000),
    writtenLimit: MIB,
    onProgress: () => undefined,
    onCrash: () => undefined,
    accept: async (result) => result,
    ...hooks,
  });
  const run = (slug: string, hooks: Partial<JobHooks> = {}): Promise<number> => {
    const job = { media: { slug }, folder } as MediaJob;
    return pool.run(job, hooksOf(hooks)).then(({ thumbhash }) => Number(thumbhash));
  };

  it('reuses a worker, and reports its progress', async () => {
    const progress: number[] = [];
    const first = await run('good', { onProgress: (percent) => progress.push(percent) });
    expect(await run('good')).toBe(first);
    expect(progress).toEqual([50]);
  });

  it('ends a worker that has no job for a while, and starts one for the next job', async () => {
    pool = poolOf(100);
    const first = await run('good');
    await eventually(() => {
      expect(pool.resting).toBe(0);
      expect(isAlive(first)).toBe(false);
    });
    expect(await run('good')).not.toBe(first);
  });

  it('keeps as many workers ready as it should, and replaces one that dies', async () => {
    pool = poolOf(1, 2);
    await pool.warmUp();
    const pids = await Promise.all([run('good'), run('good'), run('crash').catch(() => 0), run('good')]);
    // Longer than the rest of a worker that isn't kept.
    await run('hang', { timeLimitMs: 100 }).catch(() => 0);
    expect(pool.resting).toBe(2);
    expect(pids[0]).toBeGreaterThan(0);
  });

  it('runs interactive jobs before those that wait, and one of the others after each', async () => {
    const order: string[] = [];
    const note = (lane: 'interactive' | 'quick', name: string): Promise<unknown> =>
      run('good', {
        lane,
        accept: async (result) => {
          order.push(name);
          return result;
        },
      });
    // One place is taken by a long job, and the other by the first interactive one.
    const long = run('hang', { lane: 'long', timeLimitMs: LONG_MS }).catch(() => 0);
    const first = note('interactive', 'first');
    const waiting = [note('quick', 'upload 1'), note('quick', 'upload 2')];
    const readers = [
      note('interactive', 'reader 1'),
      note('interactive', 'reader 2'),
      note('interactive', 'reader 3'),
    ];
    await Promise.all([first, ...waiting, ...readers]);
    expect(order).toEqual(['first', 'upload 1', 'reader 1', 'upload 2', 'reader 2', 'reader 3']);
    await pool.close();
    await long;
  });

  describe('an idle job', () => {
    it('runs alone at the lowest priority, on a worker of its own', async () => {
      await run('good');
      let priority: number | undefined;
      const pid = await run('good', {
        lane: 'idle',
        accept: async (result) => {
          priority = getPriority(Number(result.thumbhash));
          return result;
        },
      });
      expect(priority).toBe(LOWEST_PRIORITY);
      expect(isAlive(pid)).toBe(false);
      expect(pool.isIdle).toBe(true);
    });

    it('is not begun while another job runs', async () => {
      const other = run('hang', { timeLimitMs: 100 }).catch(() => 0);
      await expect(run('good', { lane: 'idle' })).rejects.toThrow(DisplacedError);
      await other;
    });

    it('continues beside a job that has a place, and ends for one that has none', async () => {
      const idle = run('hang', { lane: 'idle' });
      const displaced = expect(idle).rejects.toThrow(DisplacedError);
      await run('good');
      expect(pool.working.idle).toBe(1);
      const jobs = [run('good'), run('good')];
      await displaced;
      expect(await Promise.all(jobs)).toEqual([expect.any(Number), expect.any(Number)]);
    });

    it('gets no second worker if it kills the first', async () => {
      const crashes: Error[] = [];
      const crashed = run('crash', { lane: 'idle', onCrash: (error) => crashes.push(error) });
      await expect(crashed).rejects.toThrow(UnprocessableFileError);
      expect(crashes).toEqual([]);
    });
  });

  describe('on a full disk', () => {
    let isFull: boolean;
    beforeEach(() => pool.close());
    const fillingPool = (keptReady: number): DecoderPool =>
      poolOf(60_000, keptReady, {
        ...NO_ISOLATION,
        makeFolder: () => {
          if (isFull) throw new Error('ENOSPC: no space left on device');
          return null;
        },
      });

    it('an idle job fails, and leaves its place to others', async () => {
      pool = fillingPool(0);
      isFull = true;
      await expect(run('good', { lane: 'idle' })).rejects.toThrow('ENOSPC');
      expect(pool.isIdle).toBe(true);
      isFull = false;
      await run('good', { lane: 'idle' });
    });

    it('a job that has ended keeps its result even if its worker cannot be replaced', async () => {
      pool = fillingPool(1);
      isFull = false;
      const accept = async (result: JobResult): Promise<JobResult> => {
        isFull = true;
        return result;
      };
      expect(await run('good', { lane: 'long', accept })).toBeGreaterThan(0);
    });
  });

  it('runs as many jobs at the same time as it has workers, and lets the others wait', async () => {
    const hung = [run('hang', { timeLimitMs: 100 }), run('hang', { timeLimitMs: 100 })];
    let isPlaceFree = false;
    const outcomes = hung.map((job) =>
      expect(job.finally(() => (isPlaceFree = true))).rejects.toThrow('longer'),
    );
    await run('good');
    expect(isPlaceFree).toBe(true);
    await Promise.all(outcomes);
  });

  // Promise [security]: Long jobs leave a place to quick ones.
  it('leaves one place to quick jobs, however many long jobs wait', async () => {
    const long = [1, 2, 3].map(() => run('hang', { lane: 'long', timeLimitMs: LONG_MS }));
    const ended = long.map((job) => job.catch((error: Error) => error.message));
    const first = await Promise.race([run('good'), ...ended]);
    expect(first).toBeGreaterThan(0);
    await pool.close();
    await Promise.all(ended);
  });

  it('starts a long job while quick ones wait, and continues with the quick ones beside it', async () => {
    const quick = async (): Promise<void> => {
      while (!done) await run('good');
    };
    let done = false;
    const busy = [quick(), quick(), quick(), quick()];
    await run('good', { lane: 'long' });
    done = true;
    await Promise.all(busy);
  });

  it('runs jobs at a lower priority, and each long one at the lowest in its own worker', async () => {
    const niceness: number[] = [];
    const pids: number[] = [];
    for (const lane of ['long', 'long', 'quick'] as const) {
      const pid = await run('good', {
        lane,
        // The worker still runs while its result is checked.
        accept: async (result) => {
          niceness.push(getPriority(Number(result.thumbhash)) - getPriority());
          return result;
        },
      });
      pids.push(pid);
    }
    const lower = (by: number): number => Math.min(by, LOWEST_PRIORITY - getPriority());
    expect(niceness).toEqual([lower(10), lower(10), lower(5)]);
    expect(new Set(pids).size).toBe(3);
    expect(pids.map(isAlive)).toEqual([false, false, true]);
  });

  it('does not reuse a worker whose result was not accepted', async () => {
    const pids: number[] = [];
    const accept: JobHooks['accept'] = async ({ thumbhash }) => {
      pids.push(Number(thumbhash));
      throw new UnprocessableFileError('The file could not be processed.');
    };
    await expect(run('good', { accept })).rejects.toBeInstanceOf(UnprocessableFileError);
    expect(pids.map(isAlive)).toEqual([false]);
    expect(await run('good')).not.toBe(pids[0]);
  });

  it('ignores invalid messages of a worker, and unknown sentences for the uploader', async () => {
    await expect(run('babble')).rejects.toEqual(
      new UnprocessableFileError('The file could not be processed.'),
    );
  });

  it.each(['nothing', 'no-list', 'no-file'])(
    'refuses the file at once if the result has the wrong shape (%s)',
    async (slug) => {
      await expect(run(slug)).rejects.toEqual(new UnprocessableFileError('The file could not be processed.'));
    },
  );

  it("distinguishes the file's fault from a temporary failure, and keeps the worker", async () => {
    const pid = await run('good');
    await expect(run('refused')).rejects.toEqual(
      new UnprocessableFileError('The image could not be decoded.'),
    );
    await expect(run('failed')).rejects.toEqual(new Error('Disk full'));
    await expect(run('full')).rejects.toBeInstanceOf(DiskFullError);
    expect(await run('good')).toBe(pid);
  });

  it('repeats a job on a fresh worker if its worker died', async () => {
    const crashes: Error[] = [];
    expect(await run('crash-once', { onCrash: (error) => crashes.push(error) })).toBeGreaterThan(0);
    expect(crashes).toHaveLength(1);
    expect(crashes[0]?.message).toContain('SIGABRT');
  });

  it('refuses a file that kills both workers, and continues with the next', async () => {
    await expect(run('crash')).rejects.toEqual(
      new UnprocessableFileError('The file could not be processed.'),
    );
    expect(await run('good')).toBeGreaterThan(0);
  });

  it.each(['hang', 'spin'])(
    'kills a worker that takes too long (%s), without another attempt',
    async (slug) => {
      await expect(run(slug, { timeLimitMs: 100 })).rejects.toEqual(
        new UnprocessableFileError('The file takes longer to process than is allowed.'),
      );
      expect(await run('good')).toBeGreaterThan(0);
    },
  );

  it('allows a job more than its time if it uses little of the processor', async () => {
    expect(await run('slow', { timeLimitMs: 1_000 })).toBeGreaterThan(0);
  });

  it('does not count the start of a worker as time of the job', async () => {
    const late = join(folder, 'late.cjs');
    await writeFile(late, `setTimeout(() => require(${JSON.stringify(ENTRY)}), 2_200)`);
    await pool.close();
    pool = poolOf(60_000, 0, NO_ISOLATION, late);
    expect(await run('good', { timeLimitMs: 200 })).toBeGreaterThan(0);
  });

  it('kills the programs that the worker has started', async () => {
    const job = run('hang', { timeLimitMs: LONG_MS });
    const tool = await eventually(async () => {
      const written = Number(await readFile(join(folder, 'tried'), 'utf8'));
      // The file may exist and be empty: number 0 would be the group of the tests, which lives.
      if (written === 0) throw new Error('Not written yet');
      return written;
    });
    expect(isAlive(tool)).toBe(true);
    await writeFile(join(folder, 'too-large'), Buffer.alloc(2 * MIB));
    await expect(job).rejects.toThrow(UnprocessableFileError);
    await eventually(() => expect(isAlive(tool)).toBe(false));
  });

  it('kills a worker that uses too much memory', async () => {
    await expect(run('hoard')).rejects.toBeInstanceOf(UnprocessableFileError);
    expect(await run('good')).toBeGreaterThan(0);
  });

  it('replaces an idle worker that uses much memory', async () => {
    const large = await run('large');
    expect(await run('good')).not.toBe(large);
    expect(isAlive(large)).toBe(false);
  });

  it("passes none of this process's environment to workers", async () => {
    const job = { media: { slug: 'environment' }, folder } as MediaJob;
    const { thumbhash } = await pool.run(job, hooksOf());
    expect(thumbhash.split(',').filter((name) => !name.startsWith('NODE_'))).toEqual([
      'MALLOC_ARENA_MAX',
      'UV_THREADPOOL_SIZE',
    ]);
  });

  it('leaves no worker when its own process is killed', async () => {
    const code = `require('node:child_process').fork(${JSON.stringify(ENTRY)}, { detached: true })
      .on('message', function () { console.log(this.pid); });`;
    const parent = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });
});
