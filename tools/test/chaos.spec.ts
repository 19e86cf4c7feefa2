import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = resolve(__dirname, '../dist/chaos/main.js');
/** Everything starts, and is killed, examined and stopped, on a machine that may do much else. */
const PATIENCE_MS = 180_000;

describe('npm run chaos', () => {
  it(
    'runs a storm in small, finds the promise kept and writes its figures down',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-results-'));
      try {
        const small = ['--set', 'uploads=3', '--set', 'kills=1', '--bus', 'postgres', '--results', folder];
        const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'storm', ...small]);

        expect(stdout).toMatch(/^ {2}promise +kept$/m);
        const { name, results } = JSON.parse(await readFile(join(folder, 'storm.json'), 'utf8'));
        expect({ name, kept: results[0].kept, breaches: results[0].breaches }).toEqual({
          name: 'storm',
          kept: true,
          breaches: [],
        });
        const figures = new Map<string, string | number>(results[0].figures);
        expect(figures.get('kills')).toBe('1: api-gateway: 1');
        expect(figures.get('uploads answered 201')).toBeGreaterThanOrEqual(3);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    PATIENCE_MS,
  );
});
