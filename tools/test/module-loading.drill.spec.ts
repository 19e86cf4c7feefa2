import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { servicePrograms, type StackContext } from '../dev/src/supervisor/services';
import { SupervisorConfig } from '../dev/src/supervisor/supervisor.config';

const ROOT = resolve(__dirname, '../..');

/**
 * Loads the module given as the first argument, as npm start does. Prints which variables were read meanwhile, which files
 * were loaded, what is active afterwards, and which files the program given as the second argument imports in addition.
 */
const LOAD = `
  const read = new Set();
  process.env = new Proxy(process.env, {
    get: (all, name) => (read.add(name), all[name]),
    has: (all, name) => (read.add(name), name in all),
  });
  const [root, main] = process.argv.slice(1);
  const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'exit', 'uncaughtException'];
  const active = () => [
    ...events.filter((event) => process.listenerCount(event) > 0),
    ...process.getActiveResourcesInfo(),
  ];
  // Opens what every process has.
  void [process.stdout, process.stderr];
  const before = active();
  require('reflect-metadata');
  require(root);
  const files = Object.keys(require.cache);
  const after = active();
  const load = require('node:module').createRequire(main);
  const imports = require('node:fs').readFileSync(main, 'utf8').matchAll(/\\brequire\\("([^"]+)"\\)/g);
  for (const [, request] of imports) load(request);
  const more = Object.keys(require.cache).filter((file) => !files.includes(file));
  console.log(JSON.stringify({ read: [...read], files, before, after, more }));
  process.exit();`;

/** Variables of Node and third-party modules that no operator needs. */
const IGNORED = [
  'WATCH_REPORT_DEPENDENCIES',
  'JEST_WORKER_ID',
  'CI',
  'PM2_HOME',
  'NEXT_RUNTIME',
  'TINYGLOBBY_DEBUG',
  'UNDICI_NO_FG',
];

const SETTINGS = [
  ...readFileSync(resolve(ROOT, '.env.example'), 'utf8').matchAll(/^#?\s?([A-Z0-9_]+)=/gm),
].map(([, name]) => name);

const context: StackContext = {
  root: ROOT,
  dataFolder: '/unused',
  config: loadConfig(SupervisorConfig, {}),
  secrets: {
    superuserPassword: '',
    databasePassword: '',
    busPassword: '',
    siteServiceKey: '',
    accountSecretsKey: '',
  },
  decodesVideos: true,
  environment: {},
};

describe.each(servicePrograms(context))('the modules of $name', ({ name, main, rootModule }) => {
  let loaded: { read: string[]; files: string[]; before: string[]; after: string[]; more: string[] };
  beforeAll(() => {
    const options = { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
    loaded = JSON.parse(execFileSync(process.execPath, ['--eval', LOAD, rootModule, main], options));
  });

  it('read no settings while they are loaded, because npm start loads them before it knows the settings', () => {
    expect(SETTINGS).toContain('DATABASE_URL');
    expect(loaded.files).toContain(rootModule);
    expect(loaded.read.filter((name) => SETTINGS.includes(name))).toEqual([]);
  });

  it('do not include the SDK for buckets, which only a process with a bucket loads', () => {
    expect(loaded.files.filter((file) => file.includes('/@aws-sdk/'))).toEqual([]);
  });

  it('read only variables with which the process is created, and others that no operator needs', () => {
    const environment = Object.fromEntries(loaded.read.map((variable) => [variable, 'set']));
    const program = servicePrograms({ ...context, environment }).find((one) => one.name === name);
    const known = [...Object.keys(program?.openEnvironment ?? {}), ...IGNORED];
    expect(loaded.read.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('handle no signal and start no work, so that a process that waits for its settings can be stopped', () => {
    expect(loaded.after).toEqual(loaded.before);
  });

  it('are all third-party modules that the process imports', () => {
    expect(loaded.more.filter((file) => file.includes('/node_modules/'))).toEqual([]);
  });
});

it('the supervisor does not load TypeORM', () => {
  const load = `require(process.argv[1]); console.log(Object.keys(require.cache).join('\\n')); process.exit();`;
  const files = execFileSync(
    process.execPath,
    ['--eval', load, resolve(ROOT, 'tools/dev/dist/supervisor/main.js')],
    {
      encoding: 'utf8',
    },
  ).split('\n');
  expect(files.filter((file) => file.includes('/database/dist/migrate/'))).not.toEqual([]);
  expect(files.filter((file) => file.includes('/node_modules/typeorm/'))).toEqual([]);
});
