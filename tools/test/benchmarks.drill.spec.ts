import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeUnless, whoseTurnItIs, whyMissing } from '@vitrine/testing';

const ROOT = resolve(__dirname, '../..');
/** With their smallest numbers; two stacks are started one after the other. */
const PATIENCE_MS = 1_200_000;
/** A benchmark that hangs is ended before its test, so that it doesn't disturb the next one. */
const LONGEST_MS = PATIENCE_MS - 30_000;

/** The smallest run of each benchmark, as arguments, and a Debian package without whose program it can't run. */
const RUNS: Readonly<Record<string, readonly [args: string, program?: string]>> = {
  cost: ['--pictures 1 --photographs 1 --idle-seconds 5 --rest-seconds 0'],
  feeds: ['--posts 1000 --rounds 2'],
  files: ['--rounds 1 --seconds 1 --connections 64', 'wrk'],
  quality: ['--photographs 1'],
  reads: ['--rounds 1 --seconds 1'],
  site: ['--rounds 1'],
  upload: ['--megabytes 1 --rounds 1'],
  variants: ['--rounds 1 --images 1'],
  videos: ['a single frame'],
  writes: ['--rounds 1 --seconds 1'],
};

/** Runs the built program of a benchmark to its end; resolves with all that it has written. */
function run(name: string, args: string): Promise<{ output: string; code: number | null }> {
  return new Promise((done) => {
    const program = join(ROOT, 'tools/bench/dist', name, 'main.js');
    const child = execFile(
      process.execPath,
      [program, ...args.split(' ')],
      { cwd: ROOT, timeout: LONGEST_MS },
      (_error, stdout, stderr) => done({ output: stdout + stderr, code: child.exitCode }),
    );
  });
}

describe('the benchmarks', () => {
  it('are all run in turn', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const names = Object.keys(scripts).filter((name) => name.startsWith('bench:'));
    expect(names.map((name) => name.slice('bench:'.length)).sort()).toEqual(Object.keys(RUNS).sort());
  });
});

// A small run on a busy machine says nothing about targets: only that the benchmark measures and reports.
describe.each(whoseTurnItIs(Object.entries(RUNS)))('npm run bench:%s', (name, [args, program]) => {
  describeUnless(program ? whyMissing(program) : null, `-- ${args}`, () => {
    it(
      'runs to its end and reports figures',
      async () => {
        const { output, code } = await run(name, args);
        expect(output).not.toMatch(/failed:/);
        expect(output).toMatch(name === 'videos' ? / \d+ MiB$/m : /target/);
        // 1 is a missed target.
        expect([0, 1]).toContain(code);
      },
      PATIENCE_MS,
    );
  });
});
