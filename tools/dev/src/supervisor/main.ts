import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError, loadConfig } from '@vitrine/runtime/standalone';
import { DataFolderInUseError } from '../data-folder/data-folder-lock';
import { PostgresError } from '../embedded-postgres/postgres-error';
import { LogLines } from './log-lines';
import { watchRebuilds } from './rebuild-watch';
import { StartError } from './start-error';
import { LOG_NAMES, Supervisor } from './supervisor';
import { SupervisorConfig } from './supervisor.config';

/** npm forwards the terminal's Ctrl-C to a process that has received it already; only a later one is a second Ctrl-C. */
const SAME_REQUEST_MS = 800;

export interface SuperviseOptions {
  /** The workspace's root. */
  readonly root: string;
  /** Restart processes whose compiled code changes. */
  readonly watch: boolean;
  /** Aborted when the process that started this one has ended. */
  readonly orphaned: AbortSignal;
}

/** `npm start` after the build: runs Vitrine until it gets a signal to stop; sets the exit code, never throws. */
export async function supervise({ root, watch, orphaned }: SuperviseOptions): Promise<void> {
  let supervisor: Supervisor | undefined;
  try {
    // The supervisor passes its environment to the processes, so it needs all of it.
    // eslint-disable-next-line no-restricted-properties
    const environment = process.env;
    await checkSettings(root, environment);
    const config = loadConfig(SupervisorConfig, environment);
    const log = new LogLines(process.stdout, LOG_NAMES);
    supervisor = new Supervisor({ root, config, environment, log });
    stopOnRequest(supervisor, orphaned);
    await supervisor.start();
    if (watch) watchAndRenew(supervisor, root);
  } catch (error) {
    if (!supervisor?.isStopping()) {
      process.exitCode = 1;
      process.stderr.write(
        reasonsOf(error)
          .map((reason) => `Vitrine can't start. ${reason}\n`)
          .join(''),
      );
    }
    await supervisor?.stop();
  }
}

function stopOnRequest(supervisor: Supervisor, orphaned: AbortSignal): void {
  let firstAt: number | undefined;
  const onRequest = (): void => {
    if (firstAt !== undefined) {
      if (Date.now() - firstAt > SAME_REQUEST_MS) supervisor.hurry();
      return;
    }
    firstAt = Date.now();
    supervisor.say('Stopping: the processes finish their current work');
    void supervisor.stop().then(() => supervisor.say('Stopped'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onRequest);
  if (orphaned.aborted) onRequest();
  orphaned.addEventListener('abort', onRequest);
}

function watchAndRenew(supervisor: Supervisor, root: string): void {
  const unwatch = watchRebuilds(root, (names) => {
    supervisor.say(`Changed: restarting ${[...names].join(', ')}`);
    void supervisor.renew(names);
  });
  supervisor.ending.addEventListener('abort', unwatch);
}

/** Reports settings that a process would refuse before anything is started, once for all processes. */
async function checkSettings(root: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { DATABASE_URL = '' } = environment;
  // The embedded database has no address yet.
  const complete = { ...environment, DATABASE_URL: DATABASE_URL.trim() || 'postgresql://localhost/vitrine' };
  const program = join(__dirname, 'settings-check.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, root], { env: complete });
  const problems = JSON.parse(stdout) as readonly string[];
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** One line for each problem of the settings; unexpected errors with their stack. */
function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.problems;
  const expected =
    error instanceof StartError || error instanceof PostgresError || error instanceof DataFolderInUseError;
  return [expected ? error.message : ((error as Error).stack ?? String(error))];
}
