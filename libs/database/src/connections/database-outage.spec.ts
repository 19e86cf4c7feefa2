import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { isDatabaseOutage } from '@vitrine/runtime';

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('It did not fail');
    },
    (error: unknown) => error,
  );
const connect = (connectionString: string): Promise<unknown> => new Client({ connectionString }).connect();
const url = (): string => process.env['VITRINE_TEST_POSTGRES_URL'] ?? '';

describe('isDatabaseOutage', () => {
  it.each([
    ['no server listens', () => connect('postgresql://someone@127.0.0.1:1/none')],
    ['there is no socket', () => connect('postgresql://someone@localhost/none?host=%2Fnowhere')],
    ['a session is ended', () => endedSession()],
    [
      'TypeORM finds no server',
      () => new DataSource({ type: 'postgres', url: 'postgresql://someone@127.0.0.1:1/none' }).initialize(),
    ],
  ])('returns true if %s', async (_what, work) => {
    expect(isDatabaseOutage(await failureOf(work()))).toBe(true);
  });

  it.each([
    ['a statement is wrong', 'select from nowhere'],
    ['a statement takes too long', `set statement_timeout = 1; select pg_sleep(1)`],
  ])('returns false if %s', async (_what, sql) => {
    const client = new Client({ connectionString: url() });
    await client.connect();
    try {
      expect(isDatabaseOutage(await failureOf(client.query(sql)))).toBe(false);
    } finally {
      await client.end();
    }
  });

  it('returns false if a file is missing', () => {
    expect(isDatabaseOutage(Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    );
  });
});

async function endedSession(): Promise<unknown> {
  const client = new Client({ connectionString: url() });
  client.on('error', () => undefined);
  await client.connect();
  return client.query('select pg_terminate_backend(pg_backend_pid())');
}
