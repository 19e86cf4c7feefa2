import { execFile, type ExecFileException } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client, DatabaseError } from 'pg';
import { prepareBinaries, type Binaries } from './binaries';
import type { Guard, GuardedProcess } from './guard';
import { PostgresError } from './postgres-error';
import { socketFolder } from './socket-folder';
import { clearStalePostmaster } from './stale-postmaster';
import { canEnter, postgresUser, type SystemUser } from './system-user';

/** Recovery of a crashed database may take a while; a healthy one starts in a tenth of a second. */
const START_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 30_000;
const MAX_LOG_BYTES = 10_000_000;

export interface EmbeddedPostgresOptions {
  /**
   * The folder of the cluster, its log and its socket. The user that runs PostgreSQL must be able to reach it.
   * If the programs can't be used in place, a copy of them is made beside it.
   */
  readonly folder: string;
  /** Password of the superuser `postgres`. */
  readonly superuserPassword: string;
  /** False trades safety for speed, for tests, whose data may be lost. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** More of PostgreSQL's own settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of the socket if its path in `folder` would be too long; by default the system's temporary folder. */
  readonly temporaryFiles?: string;
}

/**
 * A private PostgreSQL that uses the npm package's programs: it has its own cluster, reachable over a socket in a private
 * folder (or on a free loopback port if there are no sockets), requires passwords, and is run by the guard.
 */
export class EmbeddedPostgres {
  private process: GuardedProcess | undefined;

  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private readonly binaries: Binaries,
    private readonly user: SystemUser | undefined,
    private readonly address: Address,
  ) {}

  /** Creates the cluster if there is none, cleans up after a crash, starts the server and waits until it answers. */
  static async start(guard: Guard, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const cluster = join(options.folder, 'cluster');
    const user = postgresUser(cluster);
    // Root owns the folder itself, so that PostgreSQL's user can't replace the log that root opens by a link.
    mkdirSync(options.folder, { recursive: true, mode: user ? 0o711 : 0o700 });
    if (!canEnter(user, options.folder)) {
      throw new PostgresError(
        `PostgreSQL refuses to run as root, and the user it runs as can't enter ${options.folder}.`,
      );
    }
    const binaries = prepareBinaries(user, dirname(options.folder));
    // First, because the guard removes a folder for the socket, and it may end while the cluster is created.
    const address = await chooseAddress(guard, options, user);
    if (!existsSync(cluster)) await createCluster(binaries, user, cluster, options);
    const postgres = new EmbeddedPostgres(options, binaries, user, address);
    await postgres.launch(guard);
    return postgres;
  }

  /** Starts the server again at the same address after it has ended. */
  async launch(guard: Guard): Promise<void> {
    const cluster = join(this.options.folder, 'cluster');
    const log = join(this.options.folder, 'postgres.log');
    await clearStalePostmaster(cluster);
    if ('socketFolder' in this.address) clearSockets(this.address.socketFolder);
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(log, `${log}.old`);
    this.process = await guard.run({
      command: this.binaries.postgres,
      args: ['-D', cluster, ...settings(this.options, this.address)],
      env: ENVIRONMENT,
      log,
      ...this.user,
    });
    await this.waitUntilReady(log);
  }

  /** Resolves when the server has ended, regardless of the reason. */
  get ended(): Promise<void> {
    return this.process?.ended ?? Promise.resolve();
  }

  /** A connection string for a role and a database of this server. */
  url(role: string, password: string, database: string): string {
    const credentials = `${encodeURIComponent(role)}:${encodeURIComponent(password)}`;
    const name = encodeURIComponent(database);
    return 'port' in this.address
      ? `postgresql://${credentials}@127.0.0.1:${this.address.port}/${name}`
      : `postgresql://${credentials}@localhost/${name}?host=${encodeURIComponent(this.address.socketFolder)}`;
  }

  superuserUrl(database = 'postgres'): string {
    return this.url('postgres', this.options.superuserPassword, database);
  }

  /** Ends all sessions and shuts the server down; with `hurry` it stops immediately, and the next start recovers. */
  async stop(hurry = false): Promise<void> {
    this.signal(hurry ? 'SIGQUIT' : 'SIGINT');
    const patience = setTimeout(() => this.signal('SIGQUIT'), STOP_PATIENCE_MS);
    await this.ended;
    clearTimeout(patience);
  }

  private signal(signal: NodeJS.Signals): void {
    if (!this.process) return;
    try {
      process.kill(this.process.pid, signal);
    } catch {
      // The server has ended already.
    }
  }

  private async waitUntilReady(log: string): Promise<void> {
    let over = false;
    void this.ended.then(() => (over = true));
    const deadline = Date.now() + START_PATIENCE_MS;
    while (!(await this.answers())) {
      if (over || Date.now() > deadline) {
        throw new PostgresError(`PostgreSQL did not start; its log (${log}) ends in:\n${lastLines(log)}`);
      }
      await pause(20);
    }
  }

  private async answers(): Promise<boolean> {
    const client = new Client({ connectionString: this.superuserUrl() });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && error.code === INVALID_PASSWORD) {
        throw new PostgresError(
          `The passwords of the database in ${this.options.folder} are not those of this data folder.`,
        );
      }
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

type Address = { readonly socketFolder: string } | { readonly port: number };

const INVALID_PASSWORD = '28P01';

/** Nothing of our environment: PG* variables of the user must not reach the server. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function settings(options: EmbeddedPostgresOptions, address: Address): string[] {
  const reach =
    'port' in address
      ? { listen_addresses: '127.0.0.1', port: address.port, unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: `"${address.socketFolder.replaceAll('"', '""')}"` };
  const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return Object.entries({
    ...reach,
    ...(options.durable ? {} : unsafeSettings),
    max_connections: options.maxConnections,
    // Our queries are short: compiling them costs more time than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...options.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Created beside its final place and renamed, so that an incomplete cluster is never used. */
async function createCluster(
  binaries: Binaries,
  user: SystemUser | undefined,
  cluster: string,
  options: EmbeddedPostgresOptions,
): Promise<void> {
  const unfinished = `${cluster}.new`;
  const passwordFile = join(options.folder, `password-${randomBytes(6).toString('hex')}`);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, options.superuserPassword, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid);
  try {
    await promisify(execFile)(
      binaries.initdb,
      [
        ...['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        // The builtin provider needs no system locale and knows upper and lower case of all letters.
        ...['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { cwd: '/', env: ENVIRONMENT, ...user },
    );
  } catch (error) {
    const { stderr = '', message } = error as ExecFileException;
    throw new PostgresError(`PostgreSQL could not create its files: ${stderr.trim() || message}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, cluster);
}

async function chooseAddress(
  guard: Guard,
  { folder, temporaryFiles }: EmbeddedPostgresOptions,
  user: SystemUser | undefined,
): Promise<Address> {
  const socket = await socketFolder(join(folder, 'socket'), user, temporaryFiles);
  if (!socket) return { port: await freePort() };
  if (socket.temporary) guard.removeAtEnd(socket.path);
  return { socketFolder: socket.path };
}

/**
 * A killed server leaves its socket's lock file, which may name a zombie or another process. No other server uses
 * this folder.
 */
function clearSockets(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port.')),
      );
    });
  });
}

function lastLines(log: string): string {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  } catch {
    return '(nothing)';
  }
}
