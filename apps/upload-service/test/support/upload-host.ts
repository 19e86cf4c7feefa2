import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MessageTransport } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { createTestDatabase, randomTokenSecret, type ServiceProcess, startService } from '@vitrine/testing';
import { Pool } from 'pg';

export interface Account {
  readonly id: number;
  readonly token: string;
}

/** A running upload-service with its own database and folder. */
export interface UploadHost {
  readonly url: string;
  readonly service: ServiceProcess;
  readonly database: Pool;
  readonly databaseUrl: string;
  readonly objects: string;
  /** Creates an account with an API token of these scopes. */
  createAccount(scopes?: readonly string[]): Promise<Account>;
  /** Creates another API token of an account. */
  createToken(account: Account, scopes: readonly string[], expiresAt?: Date): Promise<string>;
  /** Creates an account, or a guest if asked to, with an upload ticket. */
  createTicket(ticket?: { readonly guest?: boolean; readonly expiresAt?: Date }): Promise<Account>;
  /** Names of the stored files, without the folders above them. */
  storedFiles(): Promise<string[]>;
  scratchFiles(): Promise<string[]>;
  countMedia(): Promise<number>;
  /** The message bus, over a connection that ends with the host. */
  connectBus(): Promise<MessageTransport>;
  close(): Promise<void>;
}

export async function startUploadHost(env: Readonly<Record<string, string>> = {}): Promise<UploadHost> {
  const testDatabase = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-upload-'));
  const objects = join(folder, 'objects');
  const service = await startService('upload-service', {
    env: {
      DATABASE_URL: testDatabase.url,
      STORAGE_URL: pathToFileURL(objects).href,
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      RATE_LIMIT_USER_PER_MINUTE: '100000',
      // No processor makes variants, so requests for them would wait until their time is over.
      FILE_HOLD_SECONDS: '0',
      PUBLIC_API_URL: 'http://api.test/api/v1',
      PUBLIC_CDN_URL: 'http://cdn.test',
      PUBLIC_SITE_URL: 'http://site.test',
      ...env,
    },
  });
  const database = new Pool({ connectionString: testDatabase.url, max: 3 });
  // The pool releases the connection when it ends, and the database may be dropped before the connection is closed.
  database.on('connect', (client) => void client.on('error', () => undefined));
  let bus: Promise<MessageTransport> | undefined;
  const connectBus = async (): Promise<MessageTransport> => {
    const transport = createTransport({ url: testDatabase.url, publishTimeoutMs: 5_000 }, 'test');
    await transport.connect();
    return transport;
  };
  const filesBelow = async (path: string): Promise<string[]> => {
    const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return {
    url: service.url,
    service,
    database,
    databaseUrl: testDatabase.url,
    objects,
    createAccount: (scopes = ['read', 'upload', 'write']) => createAccount(database, 'api', { scopes }),
    createToken: ({ id }, scopes, expiresAt) => createToken(database, id, 'api', { scopes, expiresAt }),
    createTicket: ({ guest, expiresAt = new Date(Date.now() + 3_600_000) } = {}) =>
      createAccount(database, 'ticket', { scopes: ['upload'], guest, expiresAt }),
    storedFiles: async () => [
      ...(await filesBelow(join(objects, 'f'))),
      ...(await filesBelow(join(objects, 'frames'))),
    ],
    scratchFiles: () => filesBelow(join(objects, '.scratch')),
    countMedia: async () => {
      const { rows } = await database.query<{ count: string }>('select count(*) from media');
      return Number(rows[0]!.count);
    },
    connectBus: () => (bus ??= connectBus()),
    close: async () => {
      await (await bus)?.close();
      await database.end();
      await service.stop('SIGKILL');
      await testDatabase.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `startUploadHost` for the tests of a suite, which may use the result in their hooks. It stops after the tests. */
export function useUploadHost(env?: Readonly<Record<string, string>>): UploadHost {
  const host = {} as UploadHost;
  beforeAll(async () => void Object.assign(host, await startUploadHost(env)));
  afterAll(() => host.close());
  return host;
}

interface NewToken {
  readonly scopes: readonly string[];
  readonly expiresAt?: Date | undefined;
}

interface NewAccount extends NewToken {
  readonly guest?: boolean | undefined;
}

async function createAccount(
  database: Pool,
  kind: 'api' | 'ticket',
  { guest = false, ...token }: NewAccount,
): Promise<Account> {
  const { rows } = await database.query<{ id: string }>(
    'insert into users (username, kind, review_after) values ($1, $2, $3) returning id',
    guest
      ? [`~${randomBytes(10).toString('hex')}`, 'guest', new Date()]
      : [`user_${randomBytes(6).toString('hex')}`, 'member', null],
  );
  const id = Number(rows[0]!.id);
  return { id, token: await createToken(database, id, kind, token) };
}

async function createToken(
  database: Pool,
  userId: number,
  kind: 'api' | 'ticket',
  { scopes, expiresAt }: NewToken,
): Promise<string> {
  const token = randomTokenSecret(kind);
  await database.query(
    `with issuer as (
       insert into tokens (user_id, kind, name, secret_sha256, scopes)
       select $1, 'session', 'test', sha256($3), '{}' where $2 = 'ticket' returning id
     )
     insert into tokens (user_id, kind, name, secret_sha256, scopes, expires_at, issued_by)
     values ($1, $2, 'test', $3, $4, $5, (select id from issuer))`,
    [userId, kind, createHash('sha256').update(token).digest(), scopes, expiresAt ?? null],
  );
  return token;
}
