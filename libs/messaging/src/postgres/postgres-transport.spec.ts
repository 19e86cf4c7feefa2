import { createTestDatabase } from '@vitrine/testing';
import { Client } from 'pg';
import { describeTransport, type TransportHarness } from '../message-transport.contract';
import { PostgresTransport } from './postgres-transport';

describeTransport('PostgresTransport', async (): Promise<TransportHarness> => {
  const database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const adminUrl = new URL(database.url);
  adminUrl.pathname = '/postgres';
  const admin = new Client({ connectionString: adminUrl.toString() });
  await admin.connect();
  const allow = (connections: boolean): Promise<unknown> =>
    admin.query(`alter database ${name} with allow_connections ${connections}`);
  return {
    address: { kind: 'postgres', url: database.url },
    create: (options) => new PostgresTransport({ url: database.url, name: 'contract', ...options }),
    createUnreachable: (options) =>
      new PostgresTransport({ url: 'postgresql://nobody@127.0.0.1:1/none', name: 'contract', ...options }),
    outage: async () => {
      await allow(false);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      return async () => void (await allow(true));
    },
    stop: async () => {
      await admin.end();
      await database.drop();
    },
  };
});
