import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePortRange } from '@vitrine/testing';
import { createToken } from '../harness/admin-token';
import { currentHolder, postgresFolder } from '@vitrine/dev';
import { ProcessTree } from './process-tree';

const ROOT = resolve(__dirname, '../../../..');

/**
 * Limits that one account of a benchmark doesn't reach, and no work in idle time, whose cost has a separate limit. Everything else
 * is the default.
 */
const LIMITS = {
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  UPLOADS_PER_DAY: '1000000',
  ALTERNATIVES_SECONDS_PER_HOUR: '0',
} as const;

/** Vitrine as `npm start` runs it on a built tree, with a separate, empty data folder. */
export class RunningStack {
  readonly tree: ProcessTree;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly site: string,
    readonly api: string,
    readonly upload: string,
    /** Milliseconds from the command to the line that says that Vitrine is ready. */
    readonly startMs: number,
  ) {
    this.tree = new ProcessTree(child.pid ?? 0);
  }

  /**
   * Starts it with these settings and waits until it is ready. Throws with its last lines if it ends before.
   */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RunningStack> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
    // Under root, PostgreSQL runs as another user, which must be able to enter this folder.
    await chmod(folder, 0o711);
    const port = await freePortRange(8);
    // The processes get these settings and none of the caller's.
    // eslint-disable-next-line no-restricted-properties
    const { PATH, HOME } = process.env;
    const began = performance.now();
    const child = spawn(process.execPath, [join(ROOT, 'tools/bin/start.mjs')], {
      env: {
        ...{ PATH, HOME, VITRINE_DATA_DIR: join(folder, 'data') },
        ...LIMITS,
        ...{ API_PORT: String(port), UPLOAD_PORT: String(port + 1), SITE_PORT: String(port + 2) },
        MANAGEMENT_PORT: String(port + 3),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const last: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => last.push(String(chunk)));
    for await (const line of createInterface({ input: child.stdout })) {
      last.push(`${line}\n`);
      const [, site, api, upload] = / site (\S+) · API (\S+) · upload (\S+) /.exec(line) ?? [];
      if (!site || !api || !upload) continue;
      child.stdout.resume();
      return new RunningStack(child, folder, site, api, upload, performance.now() - began);
    }
    await rm(folder, { recursive: true, force: true });
    throw new Error(`Vitrine did not start:\n${last.slice(-20).join('')}`);
  }

  /** The embedded database. */
  get databaseUrl(): string {
    const databaseUrl = currentHolder(join(this.folder, 'data'))?.environment?.['DATABASE_URL'];
    if (!databaseUrl) throw new Error('npm start did not publish the address of its database');
    return databaseUrl;
  }

  /** Runs `work` and returns the number of SQL statements that all processes send meanwhile, by the log of PostgreSQL. */
  async countStatements(work: () => Promise<void>): Promise<number> {
    const folder = postgresFolder(join(this.folder, 'data'));
    const settings = join(folder, 'cluster', 'postgresql.auto.conf');
    const log = join(folder, 'postgres.log');
    const before = await readFile(settings);
    const reload = async (): Promise<void> => {
      const [pid] = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGHUP');
    };
    await appendFile(settings, "log_statement = 'all'\n");
    await reload();
    const { size } = await stat(log);
    await work();
    const logged = (await readFile(log)).subarray(size).toString('latin1');
    await writeFile(settings, before);
    await reload();
    return logged.match(/ LOG: {2}(?:statement: |execute )/g)?.length ?? 0;
  }

  /** A token of a new account. */
  token(): Promise<string> {
    return createToken(this.databaseUrl, 'bench', { isNew: true });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
