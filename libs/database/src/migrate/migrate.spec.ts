import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { MigrationBlockedError, readSchemaState, runMigrations } from './migrate';
import type { Migration } from './migration';
import { BASELINE, readMigrations } from './schema-files';

describe('runMigrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('names the step during which the connection was lost, and does not crash', async () => {
    const uncaught = jest.fn();
    process.on('uncaughtException', uncaught);
    const fatal = { name: '9999-server-dies', up: 'select pg_terminate_backend(pg_backend_pid())' };

    await expect(runMigrations(database.url, [fatal])).rejects.toThrow('Migration 9999-server-dies failed');

    process.off('uncaughtException', uncaught);
    expect(uncaught).not.toHaveBeenCalled();
    expect(await runMigrations(database.url, [{ name: '9999-goes-on', up: 'select 1' }])).toEqual([
      '9999-goes-on',
    ]);
  });

  describe('of a database in use', () => {
    let clients: Client[] = [];
    const connect = async (): Promise<Client> => {
      const client = new Client({ connectionString: database.url, application_name: 'someone' });
      await client.connect();
      clients = [...clients, client];
      return client;
    };
    /** Opens a transaction that has read `media`, and so blocks every change of the table's schema. */
    const slowReader = async (): Promise<Client> => {
      const reader = await connect();
      await reader.query('begin; select count(*) from media');
      return reader;
    };
    const addColumn = (name: string): Migration => ({
      name,
      up: `alter table media add column "${name}" int`,
    });

    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.end()));
    });

    it('lets requests run while it waits for its locks, and reports whom it waits for', async () => {
      const reader = await slowReader();
      const { rows } = await reader.query<{ pid: number }>('select pg_backend_pid() as pid');
      const told: string[] = [];
      let done = false;
      const migrated = runMigrations(database.url, [addColumn('9999-waits')], {
        say: (line) => void told.push(line),
      }).finally(() => (done = true));
      const request = await connect();
      // The longest delay of a request by the migration, in milliseconds.
      await request.query("set statement_timeout = '1s'");
      while (told.length < 1) await request.query('select count(*) from media');
      for (let n = 0; n < 20; n++) await request.query('update media set bytes = bytes');
      expect(done).toBe(false);
      expect(told[0]).toMatch(
        new RegExp(
          `^9999-waits waits for its locks, which are held by session ${rows[0]?.pid} of \\w+ \\(someone, idle in transaction`,
        ),
      );

      await reader.query('commit');

      expect(await migrated).toEqual(['9999-waits']);
      expect(told.at(-1)).toMatch(/^9999-waits took \d+ ms$/);
    });

    it('names the blocking session when its patience is over, and changes nothing', async () => {
      await slowReader();
      const steps = [{ name: '9999-blocked', up: 'create table left_behind (); drop table media cascade' }];
      // Long enough for several attempts: on a busy machine, the first ones end before the blocking session is seen.
      const attempt = runMigrations(database.url, steps, { patienceMs: 2_000 });

      await expect(attempt).rejects.toThrow(MigrationBlockedError);
      await expect(attempt).rejects.toThrow(
        /^Migration 9999-blocked did not get its locks within 2 s; which are held by session \d+ of \w+ \(someone/,
      );
      const { rows } = await (await connect()).query("select to_regclass('left_behind') as found");
      expect(rows).toEqual([{ found: null }]);
    });

    it('does not count its own work as waiting', async () => {
      const reader = await slowReader();
      const patienceMs = 6_000;
      const steps = [{ name: '9999-works', up: 'select pg_sleep(6.2)' }, addColumn('9999-after-work')];
      let blocked = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (blocked = resolve));
      const migrated = runMigrations(database.url, steps, {
        patienceMs,
        say: (line) => void (line.includes('waits for its locks') && blocked()),
      });
      await Promise.race([waiting, migrated]);
      // The first attempt has ended by then.
      await pause(200);
      await reader.query('commit');

      expect(await migrated).toEqual(['9999-works', '9999-after-work']);
    });

    it('runs a step outside transactions, and again after a failed attempt', async () => {
      const client = await connect();
      await client.query(`insert into users (username) values ('twin_one'), ('twin_two')`);
      const unique: Migration = {
        name: '9999-index',
        mode: 'alone',
        repair: 'drop index concurrently if exists users_first_idx',
        up: `create unique index concurrently users_first_idx on users ((left(username, 4))) where username like 'twin%'`,
      };
      await expect(runMigrations(database.url, [unique])).rejects.toThrow('Migration 9999-index failed');
      await client.query(`delete from users where username = 'twin_two'`);

      expect(await runMigrations(database.url, [unique])).toEqual(['9999-index']);

      const { rows } = await client.query(
        `select indisvalid from pg_index where indexrelid = 'users_first_idx'::regclass`,
      );
      expect(rows).toEqual([{ indisvalid: true }]);
    });

    it('runs batches until no row is left', async () => {
      const client = await connect();
      await client.query(
        `insert into users (username) select 'filled_' || n from generate_series(1, 25) as n`,
      );
      const fill: Migration = {
        name: '9999-fill',
        mode: 'batches',
        up: `update users set bio = 'filled'
             where id in (select id from users where username like 'filled%' and bio is distinct from 'filled' limit 10)`,
      };

      expect(await runMigrations(database.url, [fill])).toEqual(['9999-fill']);

      const { rows } = await client.query(`select count(*)::int as filled from users where bio = 'filled'`);
      expect(rows).toEqual([{ filled: 25 }]);
    });

    it('rejects batches of several statements, and changes nothing', async () => {
      const twoStatements: Migration = {
        name: '9999-two',
        mode: 'batches',
        up: 'create table half (); select 1',
      };
      await expect(runMigrations(database.url, [twoStatements])).rejects.toMatchObject({
        cause: new Error('A step that runs in batches must be one statement'),
      });
      const { rows } = await (await connect()).query("select to_regclass('half') as found");
      expect(rows).toEqual([{ found: null }]);
    });

    it('runs in one of many processes, while the others wait without blocking it', async () => {
      const told: string[] = [];
      const steps: Migration[] = [
        addColumn('9999-once'),
        { name: '9999-slow', up: 'select pg_sleep(0.6)' },
        {
          name: '9999-together',
          mode: 'alone',
          up: 'create index concurrently media_once_idx on media ("9999-once")',
        },
      ];

      const taken = await Promise.all(
        [1, 2, 3].map(() => runMigrations(database.url, steps, { say: (line) => void told.push(line) })),
      );

      expect(taken.flat().sort()).toEqual(['9999-once', '9999-slow', '9999-together']);
      expect(told.filter((line) => line.startsWith('Waiting for another migration: session'))).toHaveLength(
        2,
      );
    });

    it('gives up on a runner that does not end', async () => {
      const otherRunner = await connect();
      await otherRunner.query('select pg_advisory_lock($1)', [0x76697472]);

      await expect(runMigrations(database.url, [], { patienceMs: 1 })).rejects.toThrow(
        /^Another migration has been running for more than 0\.001 s: session \d+ of \w+ \(someone, idle/,
      );
    });
  });

  it('compares a database with an older or newer release', async () => {
    const own = [BASELINE, ...readMigrations().map(({ name }) => name)];
    const next = { name: '9998-next', up: 'select 1' };
    const fresh = await createTestDatabase();
    try {
      const state = { needsAdoption: false, pending: [], unknown: [] };
      expect(await readSchemaState(fresh.url)).toEqual(state);
      expect(await readSchemaState(fresh.url, [...readMigrations(), next])).toEqual({
        ...state,
        pending: ['9998-next'],
      });
      await runMigrations(fresh.url, [next]);
      expect(await readSchemaState(fresh.url)).toEqual({ ...state, unknown: ['9998-next'] });
      expect(await runMigrations(fresh.url)).toEqual([]);
      const client = new Client({ connectionString: fresh.url });
      await client.connect();
      await client.query('drop table schema_migrations');
      await client.end();
      expect(await readSchemaState(fresh.url)).toEqual({ ...state, pending: own });
    } finally {
      await fresh.drop();
    }
  });
});
