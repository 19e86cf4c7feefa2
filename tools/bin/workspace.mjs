// The first steps of every command of the workspace: install the dependencies of the lockfile, and build.
// Plain JavaScript without dependencies, because it runs before `npm ci`.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeUnusedFiles } from './unused-files.mjs';

export const root = resolve(import.meta.dirname, '../..');

const OLDEST_NODE = [20, 19];

/** A command of the workspace can't continue; its message is shown without a stack trace. */
export class CommandError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a command's main function and turns a `CommandError` into a message and an exit code. */
export async function command(main) {
  try {
    requireNode();
    await main();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.message) process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

/** Reads settings from the workspace's `.env`, if there is one; the environment takes precedence. */
export function loadEnvFile() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
}

/**
 * Installs what is needed to build and run Vitrine if it is not installed, with `tools` also the tools of tests and of
 * development; then compiles what has changed. `chatter` is the descriptor for the output of npm and the compiler.
 */
export async function prepare({ chatter = 1, signal, tools = false } = {}) {
  await install({ chatter, signal, tools });
  await build({ chatter, signal });
}

/** Installs the packages of the lockfile if they are not installed, without `tools` only those that `npm start` needs. */
export async function install({ chatter = 1, signal, tools = true } = {}) {
  if (isInstalled(tools)) return;
  // What is needed to run stays in place, because a Vitrine that runs may load it later.
  const step = tools && isInstalled(false) ? ['install', '--no-save'] : ['ci'];
  say(chatter, `Installing the dependencies (npm ${step[0]}); this takes about half a minute …`);
  const cache = writableCache();
  const code = await run(
    npm(),
    // NODE_ENV must not decide. No package needs its install script.
    [
      ...step,
      tools ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--ignore-scripts',
      '--loglevel=error',
      '--no-audit',
      '--no-fund',
      ...cache.options,
    ],
    { chatter, signal },
  );
  cache.remove();
  if (code !== 0) throw new CommandError("The dependencies could not be installed; see npm's output above.");
  removeUnusedFiles(root);
}

/** Compiles the sources without checking types, in a third of the time. `npm run types` and `npm run build` check them. */
export async function build({ chatter = 1, signal } = {}) {
  if (!existsSync(join(root, 'apps/website/dist/assets'))) say(chatter, 'Building …');
  // Scripts and styles for browsers are bundled separately, at the same time.
  const [compilation, bundling] = await Promise.allSettled([
    run(node('typescript/bin/tsc'), ['-b', '--noCheck'], { chatter, signal }),
    bundle('apps/website/build-assets.mjs', 'The website’s scripts and styles', { chatter, signal }),
  ]);
  if (compilation.status === 'rejected') throw compilation.reason;
  if (compilation.value !== 0) throw new CommandError("The build failed; see the compiler's output above.");
  if (bundling.status === 'rejected') throw bundling.reason;
}

/** Makes the ES module of the client's package, which no service needs. */
export const buildClientModule = (options) =>
  bundle('libs/client/build-esm.mjs', 'The ES module of @vitrine/client', options);

async function bundle(script, made, { chatter = 1, signal } = {}) {
  const code = await run([process.execPath, join(root, script)], [], { chatter, signal });
  if (code !== 0) throw new CommandError(`${made} could not be bundled; see above.`);
}

/** Runs a program to its end and resolves with its exit code. When `signal` is aborted, the program is ended. */
export function run([program, ...first], args, { chatter = 1, signal, env = process.env } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      env,
      signal,
      stdio: ['inherit', chatter, 2],
    });
    child.on('error', (error) => failed(error.name === 'AbortError' ? new CommandError('', 130) : error));
    child.on('exit', (code, killedBy) => {
      if (killedBy === 'SIGINT') failed(new CommandError('', 130));
      else done(code ?? 1);
    });
  });
}

/** The command line of an installed package's program, run by this same Node, without the PATH. */
export const node = (file) => [process.execPath, join(root, 'node_modules', file)];

/**
 * Signals that a command should stop: `interrupted` after Ctrl-C, SIGTERM or SIGHUP; `orphaned` when the npm that started
 * the command has ended. npm signals only the shell in between, which may end without passing the signal on.
 */
export function stopRequests() {
  const interrupted = new AbortController();
  const orphaned = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort());
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      orphaned.abort();
    }, 250);
    check.unref();
  }
  return { interrupted: AbortSignal.any([interrupted.signal, orphaned.signal]), orphaned: orphaned.signal };
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new CommandError(
    `Vitrine needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}.`,
  );
}

/** Whether the installed packages, as npm recorded them, are those of the lockfile; without `tools`, those for running. */
function isInstalled(tools) {
  const wanted = readLock('package-lock.json');
  const present = readLock('node_modules/.package-lock.json');
  if (!present) return false;
  const packages = Object.entries(wanted ?? {});
  const own = packages.filter(([path]) => !path.includes('node_modules/'));
  const named = new Set(
    own.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies)),
  );
  // npm leaves out what is for other systems. What our packages name for every system may be missing after an update.
  const mayBeMissing = (path, { optional, devOptional, os }) =>
    (optional === true || (!tools && devOptional === true)) &&
    (os !== undefined || !named.has(path.slice('node_modules/'.length)));
  return packages
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .filter(([, { dev }]) => tools || !dev)
    .every(([path, entry]) => {
      const found = present[path];
      return found
        ? found.version === entry.version && found.integrity === entry.integrity
        : mayBeMissing(path, entry);
    });
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function npm() {
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js') ? [process.execPath, own] : ['npm'];
}

/** npm needs a folder for its cache, and some home folders are not writable. */
function writableCache() {
  try {
    accessSync(process.env.HOME || homedir(), constants.W_OK);
    return { options: [], remove: () => undefined };
  } catch {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-npm-'));
    return {
      options: [`--cache=${folder}`],
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  }
}

function say(descriptor, message) {
  (descriptor === 2 ? process.stderr : process.stdout).write(`${message}\n`);
}
