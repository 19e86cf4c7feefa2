import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from '@vitrine/database';
import { createTestDatabase, eventually, type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';

const SERVICES = ['api-gateway', 'upload-service', 'moderation-service'];

describe('a process that starts before its database', () => {
  const processes: ServiceProcess[] = [];
  let endings: (() => Promise<unknown>)[];
  beforeEach(() => {
    endings = [];
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((service) => service.stop()));
    for (const end of endings) await end();
  });

  const start = async (databaseUrl: string): Promise<void> => {
    for (const name of SERVICES) {
      const env = { DATABASE_URL: databaseUrl, VITRINE_DATA_DIR: join(tmpdir(), 'vitrine-early-unused') };
      processes.push(await startService(name, { env, untilAlive: true }));
    }
  };
  const statuses = (path: string): Promise<number[]> =>
    Promise.all(processes.map(async ({ managementUrl }) => (await fetch(managementUrl + path)).status));

  it('waits for the server, alive and unready', async () => {
    const database = await createTestDatabase();
    endings.push(() => database.drop());
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-early-'));
    endings.push(() => rm(folder, { recursive: true }));
    // The folder in which clients look for the server's socket, which doesn't exist yet.
    const url = new URL(database.url);
    const socketFolder = url.searchParams.get('host');
    if (!socketFolder) throw new Error('The tests’ PostgreSQL is not reached by a socket');
    url.searchParams.set('host', join(folder, 'socket'));
    await start(url.href);
    await eventually(() => {
      for (const service of processes)
        expect(service.output()).toContain('Unable to connect to the database');
    });
    expect(await statuses('/health/live')).toEqual([200, 200, 200]);
    expect(await statuses('/health/ready')).toEqual([503, 503, 503]);
    await symlink(socketFolder, join(folder, 'socket'));
    await eventually(async () => expect(await statuses('/health/ready')).toEqual([200, 200, 200]));
  });

  it('waits for the schema, alive and unready', async () => {
    const database = await createTestDatabase();
    endings.push(() => database.drop());
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query('drop schema public cascade; create schema public; drop schema if exists bus cascade');
    await admin.end();
    await start(database.url);
    await eventually(async () => expect(await statuses('/health/live')).toEqual([200, 200, 200]));
    expect(await statuses('/health/ready')).toEqual([503, 503, 503]);
    await runMigrations(database.url);
    await eventually(async () => expect(await statuses('/health/ready')).toEqual([200, 200, 200]));
  });

  it('is unready and says why if transactions are not READ COMMITTED by default', async () => {
    const database = await createTestDatabase();
    endings.push(() => database.drop());
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    const name = admin.escapeIdentifier(admin.database ?? '');
    await admin.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    await admin.end();
    await start(database.url);
    await eventually(async () => expect(await statuses('/health/live')).toEqual([200, 200, 200]));
    await eventually(async () => {
      expect(await statuses('/health/ready')).toEqual([503, 503, 503]);
      for (const service of processes) expect(service.output()).toContain('default_transaction_isolation');
    });
  });
});
