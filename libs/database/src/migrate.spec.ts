import { createTestDatabase, type TestDatabase } from '@vitrine/testing';
import { runMigrations } from './migrate';

describe('runMigrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('names the step during which the server went away, and outlives it', async () => {
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
});
