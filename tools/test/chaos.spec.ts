import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { SCENARIOS } from '../src/chaos/scenarios';

const PROGRAM = resolve(__dirname, '../dist/chaos/main.js');
/** The stack is started, killed, examined and stopped; a busy machine takes long for that. */
const PATIENCE_MS = 180_000;

describe('the scenarios', () => {
  it('promise what docs/reliability.md promises', async () => {
    const page = await readFile(resolve(__dirname, '../../docs/reliability.md'), 'utf8');
    const promises = [...page.matchAll(/^## ([a-z-]+)\n\n\*\*Promise\.\*\* ([^]*?)\n\n/gm)].map(
      ([, name, text = '']) => [name, text.replaceAll(/\s+/g, ' ').replaceAll('`', '')],
    );
    expect(Object.fromEntries(promises)).toEqual(
      Object.fromEntries(SCENARIOS.map(({ name, promise }) => [name, promise])),
    );
  });
});

describe('npm run chaos', () => {
  it(
    'runs a small storm, reports the promise as kept and writes the figures',
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
