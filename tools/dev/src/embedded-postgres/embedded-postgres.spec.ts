import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withClient } from '@vitrine/database';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres';
import { Guard } from './guard';
import { PostgresError } from './postgres-error';

describe('EmbeddedPostgres', () => {
  let folder: string;
  let guard: Guard;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-embedded-'));
    chmodSync(folder, 0o711);
    guard = new Guard();
  });

  afterEach(async () => {
    await guard.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> =>
    EmbeddedPostgres.start(guard, {
      folder: join(folder, 'postgres'),
      superuserPassword: 'first',
      durable: false,
      maxConnections: 20,
      ...options,
    });
  const ask = (url: string, sql: string): Promise<unknown[]> =>
    withClient(url, 'test', async (client) => (await client.query(sql)).rows);

  it('says why the cluster can not be created, and leaves no password', async () => {
    const failure = start({ superuserPassword: '' });

    await expect(failure).rejects.toThrow(PostgresError);
    await expect(failure).rejects.toThrow(/could not create its files: .*password file ".*" is empty/s);
    expect(readdirSync(join(folder, 'postgres')).filter((name) => name.startsWith('password-'))).toEqual([]);
  });

  it('folds the case of every letter and has the extensions that come with PostgreSQL', async () => {
    const postgres = await start();

    expect(await ask(postgres.superuserUrl(), "select lower('ÀÉŽЖ') as lower")).toEqual([{ lower: 'àéžж' }]);
    await ask(
      postgres.superuserUrl(),
      'create extension pg_trgm; create extension citext; create extension unaccent',
    );
  });

  it('refuses connections without the password', async () => {
    const postgres = await start();

    await expect(ask(postgres.url('postgres', 'guessed', 'postgres'), 'select 1')).rejects.toThrow(
      'password',
    );
    await expect(ask(postgres.url('postgres', '', 'postgres'), 'select 1')).rejects.toThrow();
  });

  it('reports that the data belong to other passwords', async () => {
    await (await start()).stop();

    await expect(start({ superuserPassword: 'second' })).rejects.toThrow(PostgresError);
  });

  it('uses a shorter path for its socket if necessary, and removes it afterwards', async () => {
    const long = join(folder, 'x'.repeat(90));

    const postgres = await start({ folder: join(long, 'postgres') });

    const socket = new URL(postgres.superuserUrl()).searchParams.get('host') ?? '';
    expect(socket).not.toContain(long);
    expect(await ask(postgres.superuserUrl(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await guard.close();
    expect(existsSync(socket)).toBe(false);
  });

  it('listens on a loopback port if there are no Unix sockets', async () => {
    const long = join(folder, 'y'.repeat(90));
    mkdirSync(long);

    const postgres = await start({ folder: join(long, 'postgres'), temporaryFiles: long });

    expect(new URL(postgres.superuserUrl()).hostname).toBe('127.0.0.1');
    expect(await ask(postgres.superuserUrl(), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(long)).toEqual(['postgres']);
  });

  it('starts although an incomplete cluster exists', async () => {
    cpSync(__dirname, join(folder, 'postgres/cluster.new'), { recursive: true });

    const postgres = await start();

    expect(await ask(postgres.superuserUrl(), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(join(folder, 'postgres')).sort()).toEqual(['cluster', 'postgres.log', 'socket']);
  });

  it('starts although a pid file names an unrelated running process', async () => {
    await (await start()).stop();
    const stranger = spawn('sleep', ['60']);
    const file = join(folder, 'postgres/cluster/postmaster.pid');
    writeFileSync(file, `${stranger.pid}\n${dirname(file)}\n1700000000\n5432\n\n\n`);

    try {
      await expect(start()).resolves.toBeInstanceOf(EmbeddedPostgres);
    } finally {
      stranger.kill();
    }
  });

  it('shows the end of its log if it can not start', async () => {
    await (await start()).stop();
    appendFileSync(join(folder, 'postgres/cluster/postgresql.conf'), 'no_such_setting = 1\n');

    await expect(start()).rejects.toThrow('no_such_setting');
  });

  it('is stopped by its guard when our process is killed', async () => {
    const postgres = await start();

    await guard.close();

    await expect(postgres.ended).resolves.toBeUndefined();
    await expect(ask(postgres.superuserUrl(), 'select 1')).rejects.toThrow();
  });
});
