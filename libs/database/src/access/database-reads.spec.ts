import { createTestDatabase, eventually, type TestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database';
import { sqlState } from '@vitrine/runtime';

describe('Database', () => {
  let database: TestDatabase;
  let admin: Client;
  let dataSource: DataSource;
  let connection: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
  });
  beforeEach(async () => {
    await admin.query(`drop table if exists things; create table things (id bigint, name text);
                       insert into things values (1, 'one'), (2, 'two')`);
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.url,
      poolSize: 1,
      parseInt8: true,
      installExtensions: false,
    }).initialize();
    connection = new Database(dataSource);
  });
  afterEach(() => dataSource.destroy());
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  const FIND = 'select id, name from things where id = $1';

  it('prepares a statement once per connection', async () => {
    expect(await connection.read(FIND, [1])).toEqual([{ id: 1, name: 'one' }]);
    expect(await connection.read(FIND, [2])).toEqual([{ id: 2, name: 'two' }]);
    expect(await connection.read(FIND, [3])).toEqual([]);
    const kept: unknown = await dataSource.query(
      `select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements
       where name like 'vitrine%'`,
    );
    expect(kept).toEqual([{ statement: FIND, runs: 3 }]);
  });

  it('continues when a migration has changed the columns of a result', async () => {
    await connection.read('select name from things where id = $1', [1]);
    await admin.query(`alter table things alter column name type varchar(7)`);
    for (let i = 0; i < 3; i++) {
      expect(await connection.read('select name from things where id = $1', [1])).toEqual([{ name: 'one' }]);
    }
  });

  it('rejects with PostgreSQL’s code, and stays usable', async () => {
    const refused = await connection.read('select 1 / $1::int as x', [0]).catch((error: unknown) => error);
    expect(sqlState(refused)).toBe('22012');
    expect(await connection.read(FIND, [1])).toHaveLength(1);
  });

  it('prepares again on a new connection', async () => {
    await connection.read(FIND, [1]);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await eventually(async () => expect(await connection.read(FIND, [1])).toHaveLength(1));
  });

  it('reads again, but only one time, if its connection ends', async () => {
    const ends = (times: number): string =>
      `select nextval('reads')::int as read, case when lastval() <= ${times} then pg_terminate_backend(pg_backend_pid()) end as x`;
    await admin.query('create sequence reads');
    expect(await connection.read(ends(1))).toMatchObject([{ read: 2 }]);
    await admin.query('alter sequence reads restart');
    expect(sqlState(await connection.read(ends(9)).catch((error: unknown) => error))).toBe('57P01');
    expect((await admin.query('select last_value::int as reads from reads')).rows).toEqual([{ reads: 2 }]);
  });

  it('rejects too many different texts', async () => {
    const write = async (): Promise<void> => {
      for (let id = 0; id <= 500; id++) await connection.read(`select ${id} as x`);
    };
    await expect(write()).rejects.toThrow('Too many statements to prepare');
  });
});
