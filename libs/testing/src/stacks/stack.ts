import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VitrineClient } from '@vitrine/client';
import { Client } from 'pg';
import { freePort, type ServiceProcess, startService } from '../service-process';
import { createTestDatabase, type TestDatabase } from '../test-database';

const SERVICES = [
  'api-gateway',
  'upload-service',
  'media-processor',
  'moderation-service',
  'website',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Only these receive the database's address. */
const DATABASE_SERVICES: readonly ServiceName[] = ['api-gateway', 'upload-service', 'moderation-service'];
const SITE_SERVICE_KEY = 'the-key-of-the-website-only-in-tests';
const ACCOUNT_SECRETS_KEY = 'the-key-of-account-secrets-only-in-tests';
const PASSWORD = 'correct horse battery';
/** High enough for every suite; a suite that tests limits sets its own. */
const UNLIMITED = '100000';

export interface StackOptions {
  /** Settings of all processes; they override the defaults below. */
  readonly env?: Readonly<Record<string, string>>;
  /** Processes that the suite doesn't need, so that it starts faster. */
  readonly without?: readonly ServiceName[];
}

export interface OwnStackOptions extends StackOptions {
  /** Gives the address by which the services reach the database at this address through a pooler. */
  readonly throughPooler?: (databaseUrl: string) => string;
}

export interface NewPerson {
  readonly role?: 'user' | 'moderator' | 'admin';
}

/** An account that was registered through the API. */
export interface Person {
  readonly username: string;
  readonly password: string;
  /** Secret of a session. */
  readonly session: string;
  /** The API as this person sees it. */
  readonly client: VitrineClient;
}

/** Where the processes of a stack listen. Site, API and files are three origins. */
export interface StackAddresses {
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  /** Ends in `/api/v1/media`. */
  readonly uploadUrl: string;
  /** Origin of the file host. */
  readonly cdnUrl: string;
  /** Origin of the website. */
  readonly siteUrl: string;
  readonly siteServiceKey: string;
  readonly databaseUrl: string;
}

/** The whole product with a database and a data folder. */
export interface Stack extends StackAddresses {
  /** A client of the API with this token, or without one. */
  client(token?: string): VitrineClient;
  /** Registers an account; its role is set in the database. */
  createPerson(username: string, options?: NewPerson): Promise<Person>;
  /** Runs SQL, for preparations that the API doesn't offer. `values` fill `$1`, `$2` and so on. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A stack that nobody else uses. */
export interface OwnStack extends Stack {
  readonly database: TestDatabase;
  /** The running processes by name, to read their output or to stop one. */
  readonly services: ReadonlyMap<ServiceName, ServiceProcess>;
  /** Stops and removes everything. Throws if a process doesn't end with status 0. */
  close(): Promise<void>;
}

/**
 * Starts the processes at the same time; takes three to six seconds. A suite that needs no separate processes borrows
 * a stack instead. The bus is the database unless `BUS_URL` is set.
 */
export async function startStack({
  env = {},
  without = [],
  throughPooler,
}: OwnStackOptions = {}): Promise<OwnStack> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-stack-'));
  const [apiPort, uploadPort, sitePort] = [await freePort(), await freePort(), await freePort()];
  const urls = {
    apiUrl: `http://localhost:${apiPort}/api/v1`,
    uploadUrl: `http://localhost:${uploadPort}/api/v1/media`,
    cdnUrl: `http://localhost:${uploadPort}`,
    siteUrl: `http://localhost:${sitePort}`,
  };
  const settings = (name: ServiceName): Record<string, string> => ({
    API_PORT: String(apiPort),
    UPLOAD_PORT: String(uploadPort),
    SITE_PORT: String(sitePort),
    PUBLIC_API_URL: urls.apiUrl,
    PUBLIC_UPLOAD_URL: urls.uploadUrl,
    PUBLIC_CDN_URL: urls.cdnUrl,
    PUBLIC_SITE_URL: urls.siteUrl,
    SITE_SERVICE_KEY,
    RATE_LIMIT_PUBLIC_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_USER_PER_MINUTE: UNLIMITED,
    // The website is only a client of the API.
    ...(name !== 'website' && { BUS_URL: database.url, VITRINE_DATA_DIR: folder }),
    ...(DATABASE_SERVICES.includes(name) && {
      DATABASE_URL: throughPooler?.(database.url) ?? database.url,
      DATABASE_LISTEN_URL: database.url,
    }),
    ...(name === 'api-gateway' && { ACCOUNT_SECRETS_KEY }),
    ...env,
  });
  const names = SERVICES.filter((name) => !without.includes(name));
  const starts = await Promise.allSettled(names.map((name) => startService(name, { env: settings(name) })));
  const services = new Map<ServiceName, ServiceProcess>();
  starts.forEach((start, i) => {
    if (start.status === 'fulfilled') services.set(names[i]!, start.value);
  });
  const closeAll = async (): Promise<void> => {
    const ends = await Promise.all(
      [...services].map(async ([name, service]) => ({ name, status: await service.stop(), service })),
    );
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    await database.drop();
    for (const { name, status, service } of ends) {
      if (status !== 0) throw new Error(`${name} ended with status ${status}:\n${service.output()}`);
    }
  };

  // If one process fails to start, the others must not stay.
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await closeAll();
    throw failed.reason;
  }
  const stack = await connectToStack({
    ...urls,
    siteServiceKey: env['SITE_SERVICE_KEY'] ?? SITE_SERVICE_KEY,
    databaseUrl: database.url,
  });
  return {
    ...stack,
    database,
    services,
    close: async () => {
      await stack.close();
      await closeAll();
    },
  };
}

/** A stack that runs already. Its `close` ends only our connection to its database. */
export async function connectToStack(addresses: StackAddresses): Promise<Stack> {
  const { apiUrl: baseUrl, uploadUrl, databaseUrl } = addresses;
  const connection = new Client({ connectionString: databaseUrl });
  await connection.connect();
  const client = (token?: string): VitrineClient => new VitrineClient({ baseUrl, uploadUrl, token });
  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.query<Row>(text, [...values])).rows;
  return {
    ...addresses,
    client,
    sql,
    close: () => connection.end(),
    createPerson: async (username, { role = 'user' } = {}) => {
      const { session } = await client().auth.register({ username, password: PASSWORD });
      if (role !== 'user') await sql('update users set role = $1 where username = $2', [role, username]);
      return { username, password: PASSWORD, session, client: client(session) };
    },
  };
}
