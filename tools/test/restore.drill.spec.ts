import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { VitrineClient } from '@vitrine/client';
import { withClient } from '@vitrine/database';
import { FolderStorage } from '@vitrine/storage';
import {
  createTestDatabase,
  eventually,
  type ServiceProcess,
  startService,
  type TestDatabase,
} from '@vitrine/testing';
import { Client } from 'pg';
import sharp from 'sharp';

const execute = promisify(execFile);

/** Restores as docs/guides/backup.md says: the database returns to an earlier moment, and the storage doesn't. */
describe('the restore drill', () => {
  let database: TestDatabase;
  let folder: string;
  let storage: FolderStorage;
  let running: ServiceProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'vitrine-drill-'));
    storage = new FolderStorage(join(folder, 'objects'));
  });
  afterAll(async () => {
    await running?.stop('SIGKILL');
    await database?.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const start = async (name: string, env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> => {
    const places = {
      DATABASE_URL: database.url,
      VITRINE_DATA_DIR: folder,
      STORAGE_URL: pathToFileURL(join(folder, 'objects')).href,
    };
    running = await startService(name, { env: { ...places, ...env } });
    return running;
  };
  /** Settings with which sweeps run each second and remove what is two seconds old. */
  const startUploads = (): Promise<ServiceProcess> =>
    start('upload-service', {
      UPLOAD_IDLE_SECONDS: '1',
      ORPHAN_AGE_SECONDS: '2',
      CLEANUP_INTERVAL_SECONDS: '1',
    });
  const stop = async (): Promise<void> => {
    expect(await running?.stop()).toBe(0);
    running = undefined;
  };

  const name = (): string => new URL(database.url).pathname.slice(1);
  /** Runs a statement on the server, outside the database. */
  const onServer = async (statement: string): Promise<void> => {
    const url = new URL(database.url);
    url.pathname = '/postgres';
    const client = new Client({ connectionString: url.toString() });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  const inDatabase = (statement: string, values: readonly unknown[]): Promise<unknown> =>
    withClient(database.url, 'restore-drill', (client) => client.query(statement, [...values]));

  const picture = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  const upload = async (host: ServiceProcess, token: string, file: Buffer): Promise<string> => {
    const client = new VitrineClient({
      baseUrl: `${host.url}/api/v1`,
      uploadUrl: `${host.url}/api/v1/media`,
      token,
    });
    const { slug } = await client.media.upload(new Blob([new Uint8Array(file)]), { name: 'a.png' });
    return slug;
  };
  const ask = async (host: ServiceProcess, slug: string): Promise<number> => {
    const response = await fetch(`${host.url}/f/${slug}.png`);
    await response.arrayBuffer();
    return response.status;
  };
  const isStored = async (slug: string): Promise<boolean> => (await storage.head(`f/${slug}.png`)) !== null;
  /** A scratch file that every sweep removes: when it is gone, the sweeps have run. */
  const sweepsHaveRun = async (): Promise<void> => {
    const scratch = await storage.scratchDirectory();
    await mkdir(scratch, { recursive: true });
    await writeFile(join(scratch, 'old'), 'x');
    await utimes(join(scratch, 'old'), new Date(0), new Date(0));
    await eventually(async () => expect(await readdir(scratch)).not.toContain('old'));
  };

  const admin = async (...words: readonly string[]): Promise<void> => {
    const program = join(__dirname, '../admin/dist/main.js');
    await execute(process.execPath, [program, ...words], {
      env: { ...process.env, DATABASE_URL: database.url },
    });
  };

  it('keeps every file while deletions are held, also those that the restored database was going to delete', async () => {
    const api = await start('api-gateway');
    const { session: token } = await new VitrineClient({ baseUrl: `${api.url}/api/v1` }).auth.register({
      username: 'ada',
      password: 'correct horse battery',
    });
    await stop();

    let host = await startUploads();
    const known = await upload(host, token, await picture('#0a0'));
    await stop();
    await onServer(`create database ${name()}_backup template ${name()}`);

    host = await startUploads();
    const later = await upload(host, token, await picture('#a00'));
    expect([await ask(host, known), await ask(host, later)]).toEqual([200, 200]);
    await stop();

    await onServer(`drop database ${name()}`);
    await onServer(`create database ${name()} template ${name()}_backup`);
    await onServer(`drop database ${name()}_backup`);
    const path = (await storage.checkOut(`f/${later}.png`)).path;
    await utimes(path, new Date(0), new Date(0));
    // The database was copied while this upload was in progress.
    await inDatabase('insert into pending_files values ($1, now(), false)', [later]);
    await admin('hold-deletions');

    host = await startUploads();
    await sweepsHaveRun();
    expect([await ask(host, known), await ask(host, later)]).toEqual([200, 404]);
    expect(await isStored(later)).toBe(true);
    const fresh = await upload(host, token, await picture('#00a'));
    expect(await ask(host, fresh)).toBe(200);

    await admin('hold-deletions', '--end');
    await eventually(async () => expect(await isStored(later)).toBe(false));
    expect([await isStored(known), await isStored(fresh)]).toEqual([true, true]);
    await stop();
  });
});
