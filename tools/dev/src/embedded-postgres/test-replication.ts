import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from './embedded-postgres';
import { Guard } from './guard';

/** A streaming replica for one test. */
export interface TestReplica {
  /** Connection string of the superuser. */
  url(database: string): string;
  /** Pauses or resumes the replay; the replica continues to receive and to answer. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Kills it, as when a machine fails. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Promotes it to a primary. */
  promote(): Promise<void>;
}

export interface ReplicatedPostgres {
  /** Connection string of the primary's superuser. */
  url(database: string): string;
  readonly replica: TestReplica;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL and a streaming replica of it, in a temporary folder that is removed however the run ends. `routeOf` may give
 * the replica another address of the primary.
 */
export async function startReplicatedPostgres(
  settings: Readonly<Record<string, string>> = {},
  routeOf: (primaryUrl: string) => string | Promise<string> = (url) => url,
): Promise<ReplicatedPostgres> {
  const guard = new Guard();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-replicated-'));
  guard.removeAtEnd(folder);
  // Root's PostgreSQL runs as another user, who must be able to enter; the folders inside are private.
  chmodSync(folder, 0o711);
  const superuserPassword = randomBytes(24).toString('base64url');
  const options = { superuserPassword, durable: false, maxConnections: 100, settings };
  try {
    const primary = await EmbeddedPostgres.start(guard, { ...options, folder: join(folder, 'primary') });
    await copyCluster(primary, join(folder, 'primary'), join(folder, 'replica'));
    const replica = await EmbeddedPostgres.start(guard, {
      ...options,
      folder: join(folder, 'replica'),
      settings: { ...settings, primary_conninfo: connectionInfo(await routeOf(primary.superuserUrl())) },
    });
    const asked = (statement: string): Promise<unknown> => ask(replica.superuserUrl(), statement);
    return {
      url: (database) => primary.superuserUrl(database),
      replica: {
        url: (database) => replica.superuserUrl(database),
        pauseReplay: async () => void (await asked('select pg_wal_replay_pause()')),
        resumeReplay: async () => void (await asked('select pg_wal_replay_resume()')),
        kill: () => replica.stop(true),
        start: () => replica.launch(guard),
        promote: async () => void (await asked('select pg_promote()')),
      },
      stop: async () => {
        await replica.stop(true);
        await primary.stop(true);
        await guard.close();
      },
    };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/** The base backup of PostgreSQL's manual (25.3.3): a copy of the files between two calls. */
async function copyCluster(primary: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: primary.superuserUrl() });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    mkdirSync(to, { mode: 0o711 });
    const cluster = join(to, 'cluster');
    // With owners and modes, which PostgreSQL checks.
    execFileSync('cp', ['-a', join(from, 'cluster'), cluster]);
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(cluster, name), { force: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const { uid, gid } = statSync(cluster);
    for (const [name, text] of [
      ['backup_label', rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(cluster, name), text, { mode: 0o600 });
      chownSync(join(cluster, name), uid, gid);
    }
  } finally {
    await client.end();
  }
}

/** A connection string in libpq's format for `primary_conninfo`. */
function connectionInfo(url: string): string {
  const { username, password, hostname, port, searchParams } = new URL(url);
  const words = {
    host: searchParams.get('host') ?? hostname,
    port: port || '5432',
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  return Object.entries(words)
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ');
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
