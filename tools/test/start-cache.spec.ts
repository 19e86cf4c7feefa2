import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const PRELOAD = resolve(__dirname, '../jest/start-cache.cjs');

/** A service whose CommonJS modules load a package of ES modules, which imports a CommonJS package, and a file later. */
const FILES = {
  'app/dist/main.js': `
    const { tell, words } = require('modern');
    const start = async () => {
      const { late } = await import('./late.js');
      console.log(JSON.stringify({
        told: tell('x'), words, late, main: require.main === module, folder: __dirname,
        resolved: require.resolve('old'), cached: require.resolve('old') in require.cache,
        data: require('./data.json').value, argv: process.execArgv, env: Object.keys(process.env).sort(),
      }));
      process.exitCode = Number(process.argv[2]);
    };
    start();`,
  'app/dist/late.js': `exports.late = require('old').shout('late');`,
  'app/dist/data.json': `{ "value": 7 }`,
  'node_modules/modern/package.json': `{ "name": "modern", "type": "module", "exports": "./index.js" }`,
  'node_modules/modern/index.js': `
    import old, { shout } from 'old';
    import legacy from './legacy.cjs';
    import * as all from './words.js';
    export * from './words.js';
    export const words = Object.keys(all).sort();
    export const tell = (text) => [old.shout(text), shout(text), legacy, all.default, import.meta.url];`,
  'node_modules/modern/words.js': `export const one = 1; export default 'default';`,
  'node_modules/modern/legacy.cjs': `module.exports = 'legacy';`,
  'node_modules/old/package.json': `{ "name": "old" }`,
  'node_modules/old/index.js': `exports.shout = (text) => text + '!';`,
};

describe('the start of a service from compiled code', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-quick-start-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (quick: boolean, status = 0): unknown => {
    const main = join(folder, 'app/dist/main.js');
    const result = spawnSync(
      process.execPath,
      [...(quick ? ['--require', PRELOAD] : []), main, String(status)],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          ...(quick && { VITRINE_TEST_START_CACHE: join(folder, 'cache') }),
        },
      },
    );
    expect(result).toMatchObject({ stderr: '', status });
    return JSON.parse(result.stdout);
  };
  const cached = (): string[] => readdirSync(folder).filter((name) => name === 'cache');

  it('loads what Node loads, and so does the next start, also if a source has changed', () => {
    const expected = run(false);
    expect(run(true, 1)).toEqual(expected);
    expect(cached()).toEqual([]);
    expect(run(true)).toEqual(expected);
    expect(readdirSync(join(folder, 'cache'))).toEqual(['app.cache']);
    writeFileSync(join(folder, 'node_modules/old/index.js'), 'throw new Error("read again")');
    expect(run(true)).toEqual(expected);
  });
});
