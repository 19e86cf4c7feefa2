import { AsyncLocalStorage } from 'node:async_hooks';
import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { sqlState } from '@vitrine/runtime';
import { type Transaction, Database, violatedUniqueConstraint } from './database';

describe('Database', () => {
  let database: TestDatabase;
  let admin: Client;
  let dataSource: DataSource;
  let connection: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query('create table counters (name text primary key, value integer not null default 0)');
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.url,
      installExtensions: false,
    }).initialize();
    connection = new Database(dataSource);
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await admin?.end();
    await database?.drop();
  });

  beforeEach(() => admin.query(`truncate counters; insert into counters (name) values ('a'), ('b')`));

  const raise = (tx: Transaction, name: string): Promise<unknown> =>
    tx.query('update counters set value = value + 1 where name = $1', [name]);
  const values = async (): Promise<unknown[]> =>
    (await admin.query('select value from counters order by name')).rows.map(({ value }) => value);

  it('commits when the work resolves and rolls back when it rejects', async () => {
    await expect(connection.transaction(async (tx) => (await raise(tx, 'a'), 'done'))).resolves.toBe('done');
    const failing = connection.transaction(async (tx) => {
      await raise(tx, 'b');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await values()).toEqual([1, 0]);
  });

  it('runs the work again after a deadlock', async () => {
    let runs = 0;
    let bothHold: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (bothHold = resolve));
    let holding = 0;
    const crossing = (first: string, second: string): Promise<void> =>
      connection.transaction(async (tx) => {
        runs++;
        await raise(tx, first);
        if (++holding === 2) bothHold();
        await held;
        await raise(tx, second);
      });
    await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
    // More often than three times, if the one that runs again is faster than the one that waits.
    expect(runs).toBeGreaterThan(2);
    expect(await values()).toEqual([2, 2]);
  });

  it('runs the work again if the connection is lost between two statements', async () => {
    let runs = 0;
    await connection.transaction(async (tx) => {
      runs++;
      await raise(tx, 'a');
      if (runs === 1) {
        const [session] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await admin.query('select pg_terminate_backend($1)', [session?.pid]);
        await eventually(() => expect(tx.query('select 1')).rejects.toThrow('released'));
      }
      await raise(tx, 'b');
    });
    expect(runs).toBe(2);
    expect(await values()).toEqual([1, 1]);
  });

  it('does not repeat work that fails for another reason', async () => {
    let runs = 0;
    const duplicate = connection.transaction(async (tx) => {
      runs++;
      await tx.query(`insert into counters (name) values ('a')`);
    });
    const error = await duplicate.catch((caught: unknown) => caught);
    expect(sqlState(error)).toBe('23505');
    expect(violatedUniqueConstraint(error)).toBe('counters_pkey');
    expect(runs).toBe(1);
  });

  describe('afterCommit', () => {
    it('calls each function once, after the commit of the last attempt and outside its context', async () => {
      const context = new AsyncLocalStorage<string>();
      const calls: unknown[] = [];
      const failing = (): void => {
        calls.push('failing');
        throw new Error('after the commit');
      };
      const note = async (): Promise<void> => void calls.push(context.getStore(), await values());
      let runs = 0;
      const result = await context.run('request', () =>
        connection.transaction(async (tx) => {
          await raise(tx, 'a');
          for (const callback of [failing, note]) tx.afterCommit(callback);
          if (++runs === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
          expect(calls).toEqual([]);
          return 'done';
        }),
      );
      expect(result).toBe('done');
      await eventually(() => expect(calls).toEqual(['failing', undefined, [1, 0]]));
      expect(runs).toBe(2);
    });

    it('calls nothing if the transaction is rolled back', async () => {
      const calls: string[] = [];
      const failing = connection.transaction(async (tx) => {
        tx.afterCommit(() => calls.push('called'));
        await tx.query('select 1 / 0');
      });
      await expect(failing).rejects.toThrow('division by zero');
      expect(calls).toEqual([]);
    });
  });
});
