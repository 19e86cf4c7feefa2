import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError, loadConfig } from '@vitrine/runtime';
import { databaseNeed } from '@vitrine/admin';
import { currentHolder, DataFolderInUseError, DataFolderLock } from '../data-folder/data-folder-lock';
import { loadSecrets } from '../data-folder/secrets';
import { Guard } from '../embedded-postgres/guard';
import { PostgresError } from '../embedded-postgres/postgres-error';
import { hasPostgres } from '../embedded-postgres/postgres-folder';
import { runsAsRoot } from '../embedded-postgres/system-user';
import { startEmbeddedDatabase } from '../supervisor/stack-database';
import { StartError } from '../supervisor/start-error';
import { SupervisorConfig } from '../supervisor/supervisor.config';

const START_PATIENCE_MS = 60_000;

export interface BesideStackOptions {
  /** The workspace's root. */
  readonly root: string;
  /** The tool, relative to `root`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly interrupted: AbortSignal;
}

type ToolEnvironment = Readonly<Record<string, string>>;

/**
 * Runs an operator's tool with the database, bus and files of this installation: those of `DATABASE_URL` if it is
 * set, else those of the running `npm start`, else an embedded database that runs only as long as the tool. Sets the
 * exit code to the tool's. Refuses a command that needs an existing site if the data folder has no database, so that a wrong
 * VITRINE_DATA_DIR makes no second site.
 */
export async function runBesideStack(options: BesideStackOptions): Promise<void> {
  try {
    // The tool reads its own settings, so it gets the whole environment.
    // eslint-disable-next-line no-restricted-properties
    const environment = process.env;
    const config = loadConfig(SupervisorConfig, environment);
    const dataFolder = resolve(options.root, config.dataFolder);
    const runTool = async (found: ToolEnvironment): Promise<void> => {
      process.exitCode = await runToEnd(options, { ...environment, ...found });
    };
    const need = databaseNeed(options.args);
    if (config.databaseUrl || need === 'none') return await runTool({ VITRINE_DATA_DIR: dataFolder });
    const running = await runningStack(dataFolder);
    if (running) return await runTool(running);
    if (!hasPostgres(dataFolder)) {
      if (need === 'existing') throw new StartError(noDatabase(dataFolder));
      process.stderr.write(`There is no database in ${dataFolder}: making a new one.\n`);
    }
    // This command runs on a schema that can't be migrated before.
    const migrate = options.args[0] !== 'adopt-baseline';
    await withOwnDatabase(dataFolder, migrate, runTool);
  } catch (error) {
    if (!isExpected(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

const noDatabase = (dataFolder: string): string =>
  `There is no database in ${dataFolder}. Start Vitrine once (npm start). If its data is in another folder, set ` +
  'VITRINE_DATA_DIR to that folder.';

/** The facts that the running `npm start` has published; waits for them while it is starting. */
async function runningStack(dataFolder: string): Promise<ToolEnvironment | undefined> {
  const deadline = Date.now() + START_PATIENCE_MS;
  for (;;) {
    const holder = currentHolder(dataFolder);
    if (holder?.command !== 'npm start') return undefined;
    if (holder.environment) return holder.environment;
    if (Date.now() > deadline)
      throw new StartError('npm start is running, but its database has not started.');
    await pause(100);
  }
}

async function withOwnDatabase(
  dataFolder: string,
  migrate: boolean,
  work: (environment: ToolEnvironment) => Promise<void>,
): Promise<void> {
  mkdirSync(dataFolder, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
  const lock = await DataFolderLock.acquire(dataFolder, 'npm run admin');
  const guard = new Guard();
  try {
    lock.publish({ guardPid: guard.pid });
    const secrets = loadSecrets(dataFolder);
    const { addresses } = await startEmbeddedDatabase(guard, dataFolder, secrets, { migrate });
    await work({ DATABASE_URL: addresses.databaseUrl, VITRINE_DATA_DIR: dataFolder });
  } finally {
    await guard.close();
    lock.release();
  }
}

function runToEnd(
  { root, program, args, interrupted }: BesideStackOptions,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((done, failed) => {
    const file = resolve(root, program);
    const child = spawn(process.execPath, [file, ...args], { cwd: root, env, stdio: 'inherit' });
    interrupted.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}

const isExpected = (error: unknown): error is Error =>
  [StartError, PostgresError, DataFolderInUseError, ConfigurationError].some((type) => error instanceof type);
