import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { servicePrograms } from '../src/supervisor/services';
import { SupervisorConfig } from '../src/supervisor/supervisor.config';

const ROOT = resolve(__dirname, '../..');

/** Loads the module given as the argument. Prints which variables were read meanwhile, and which files were loaded. */
const LOAD = `
  const read = new Set();
  process.env = new Proxy(process.env, { get: (all, name) => (read.add(name), all[name]) });
  require('reflect-metadata');
  require(process.argv[1]);
  console.log(JSON.stringify({ read: [...read], files: Object.keys(require.cache) }));
  process.exit();`;

const SETTINGS = [
  ...readFileSync(resolve(ROOT, '.env.example'), 'utf8').matchAll(/^#?\s?([A-Z0-9_]+)=/gm),
].map(([, name]) => name);

const programs = servicePrograms({
  root: ROOT,
  dataFolder: '/unused',
  config: loadConfig(SupervisorConfig, {}),
  secrets: {
    superuserPassword: '',
    databasePassword: '',
    busPassword: '',
    siteServiceKey: '',
    frameChoiceSecret: '',
    accountSecretsKey: '',
  },
  decodesVideos: true,
  environment: {},
});

describe.each(programs)('the modules of $name', ({ rootModule }) => {
  let loaded: { read: string[]; files: string[] };
  beforeAll(() => {
    const options = { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
    loaded = JSON.parse(execFileSync(process.execPath, ['--eval', LOAD, rootModule], options));
  });

  it('read no settings while they are loaded, because npm start loads them before it knows the settings', () => {
    expect(SETTINGS).toContain('DATABASE_URL');
    expect(loaded.files).toContain(rootModule);
    expect(loaded.read.filter((name) => SETTINGS.includes(name))).toEqual([]);
  });

  it('do not include the SDK for buckets, which only a process with a bucket loads', () => {
    expect(loaded.files.filter((file) => file.includes('/@aws-sdk/'))).toEqual([]);
  });
});
