import { Database, endingTransactionsWith } from '@vitrine/database';
import { OutageError } from '@vitrine/runtime';
import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { DataSource } from 'typeorm';
import { ForbiddenError, UnavailableError } from '../errors/domain-error';
import { refusalOf, SharedTransactions } from './shared-transactions';

describe('SharedTransactions', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let shared: SharedTransactions<string, number>;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    source = await new DataSource({
      type: 'postgres',
      url: testDatabase.url,
      installExtensions: false,
    }).initialize();
    await source.query(
      'create table changes (name text not null, transaction xid8 not null default pg_current_xact_id())',
    );
  });
  beforeEach(async () => {
    await source.query('truncate changes');
    shared = new SharedTransactions(new Database(source), async (tx, requests) => {
      const outcomes: (number | Error)[] = [];
      for (const { item } of requests) {
        const refusal = await refusalOf(async () => {
          if (item === 'refused') throw new ForbiddenError();
        });
        if (!refusal) await tx.query('insert into changes (name) values ($1)', [item]);
        outcomes.push(refusal ?? item.length);
      }
      return outcomes;
    });
  });
  afterAll(async () => {
    await source.destroy();
    await testDatabase.drop();
  });

  const changes = async (): Promise<{ names: string[]; transactions: number }> => {
    const rows: { name: string; transaction: string }[] = await source.query(
      'select * from changes order by name',
    );
    return {
      names: rows.map(({ name }) => name),
      transactions: new Set(rows.map(({ transaction }) => transaction)).size,
    };
  };
  /** Requests of which all but the first wait for the first. */
  const runAll = (...items: readonly string[]): Promise<PromiseSettledResult<number>[]> =>
    Promise.allSettled(items.map((item) => shared.run('row', item)));

  it('carries out the requests that wait in one transaction', async () => {
    expect(await runAll('a', 'bb', 'ccc')).toEqual(
      [1, 2, 3].map((value) => ({ status: 'fulfilled', value })),
    );
    expect(await changes()).toEqual({ names: ['a', 'bb', 'ccc'], transactions: 2 });
  });

  it('refuses one request and carries out the others', async () => {
    const [, refused, ...others] = await runAll('a', 'refused', 'b', 'c');
    expect(refused).toMatchObject({ status: 'rejected', reason: new ForbiddenError() });
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await changes()).toEqual({ names: ['a', 'b', 'c'], transactions: 2 });
  });

  it('ends its transaction with the last statement of each request that was carried out, and of no other', async () => {
    const marked = (item: string): Promise<number> =>
      endingTransactionsWith(
        async (tx) => void (await tx.query('insert into changes (name) values ($1)', [`end of ${item}`])),
        () => shared.run('row', item),
      );
    await Promise.allSettled(['a', 'b', 'refused', 'c'].map(marked));
    expect(await changes()).toEqual({
      names: ['a', 'b', 'c', 'end of a', 'end of b', 'end of c'],
      transactions: 2,
    });
  });

  it('carries out the others if the last statement of one fails', async () => {
    const failing = (): Promise<number> =>
      endingTransactionsWith(
        () => Promise.reject(new UnavailableError(1)),
        () => shared.run('row', 'failing'),
      );
    const outcomes = await Promise.allSettled([
      shared.run('row', 'a'),
      shared.run('row', 'b'),
      failing(),
      shared.run('row', 'c'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((await changes()).names).toEqual(['a', 'b', 'c']);
  });

  it('does not try each of the others while the database does not answer', async () => {
    let alone = 0;
    shared = new SharedTransactions(new Database(source), (_, requests) => {
      if (requests.length > 1) throw new UnavailableError(1);
      if (++alone > 1) throw new OutageError('away');
      return Promise.resolve([1]);
    });
    const [, ...others] = await runAll('a', 'b', 'c', 'd');
    for (const other of others) expect(other).toMatchObject({ reason: { message: 'away' } });
    expect(alone).toBe(2);
  });

  it('does not repeat a transaction that fails for another reason', async () => {
    let runs = 0;
    shared = new SharedTransactions(new Database(source), async (tx, requests) => {
      runs++;
      if (requests.length > 1) await tx.query('select 1 / 0');
      return requests.map(() => 1);
    });
    const [first, ...others] = await runAll('a', 'b', 'c');
    expect(first?.status).toBe('fulfilled');
    for (const other of others) expect(other).toMatchObject({ reason: { message: 'division by zero' } });
    expect(runs).toBe(2);
  });
});
