import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VitrineClient } from '@vitrine/client';
import { Client } from 'pg';
import { freePort, type ServiceProcess, startService } from './service-process';
import { createTestDatabase, type TestDatabase } from './test-database';

const SERVICES = [
  'api-gateway',
  'upload-service',
  'media-processor',
  'moderation-service',
  'website',
] as const;
type ServiceName = (typeof SERVICES)[number];

/** These alone are given the database's address. */
const DATABASE_SERVICES: readonly ServiceName[] = ['api-gateway', 'upload-service', 'moderation-service'];
const SITE_SERVICE_KEY = 'the-key-of-the-website-in-tests-alone';
const PASSWORD = 'correct horse battery';
/** Out of the way; a suite that is about limits sets its own. */
const UNLIMITED = '100000';

export interface StackOptions {
  /** Settings of all processes, over those that they have anyway. */
  readonly env?: Readonly<Record<string, string>>;
  /** Processes that the suite does without, so that it starts faster. */
  readonly without?: readonly ServiceName[];
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

/** The whole product on a database, ports and a data folder of its own. Site, API and files are three origins. */
export interface Stack {
  /** Ends in `/api/v1`. */
  readonly apiUrl: string;
  /** Ends in `/api/v1/media`. */
  readonly uploadUrl: string;
  /** Origin of the file host. */
  readonly cdnUrl: string;
  /** Origin of the web site. */
  readonly siteUrl: string;
  readonly siteServiceKey: string;
  readonly database: TestDatabase;
  /** The processes that run, by name; for what they wrote, and to end one in the middle of something. */
  readonly services: ReadonlyMap<ServiceName, ServiceProcess>;
  /** The API as whoever holds the token sees it, or as anybody does. */
  client(token?: string): VitrineClient;
  /** Registers an account; a role is given it in the database. */
  createPerson(username: string, options?: NewPerson): Promise<Person>;
  /** For preparing what no API does. `values` fill `$1`, `$2` and so on. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Ends everything and removes it. Throws where a process doesn't end with status 0. */
  close(): Promise<void>;
}

/** Starts the processes at the same time; takes three to six seconds. The bus is the database unless `BUS_URL` is set. */
export async function startStack({ env = {}, without = [] }: StackOptions = {}): Promise<Stack> {
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
    // The website is a client of the API and gets no further.
    ...(name !== 'website' && { BUS_URL: database.url, VITRINE_DATA_DIR: folder }),
    ...(DATABASE_SERVICES.includes(name) && { DATABASE_URL: database.url }),
    ...env,
  });
  const names = SERVICES.filter((name) => !without.includes(name));
  const starts = await Promise.allSettled(names.map((name) => startService(name, { env: settings(name) })));
  const services = new Map<ServiceName, ServiceProcess>();
  starts.forEach((start, i) => {
    if (start.status === 'fulfilled') services.set(names[i]!, start.value);
  });
  const connection = new Client({ connectionString: database.url });

  const close = async (): Promise<void> => {
    await connection.end();
    const ends = await Promise.all(
      [...services].map(async ([name, service]) => ({ name, status: await service.stop(), service })),
    );
    await database.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    for (const { name, status, service } of ends) {
      if (status !== 0) throw new Error(`${name} ended with status ${status}:\n${service.output()}`);
    }
  };

  // One that fails to start must not leave the others running.
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  await connection.connect();

  const { apiUrl: baseUrl, uploadUrl } = urls;
  const client = (token?: string): VitrineClient => new VitrineClient({ baseUrl, uploadUrl, token });
  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.query<Row>(text, [...values])).rows;

  return {
    ...urls,
    siteServiceKey: env['SITE_SERVICE_KEY'] ?? SITE_SERVICE_KEY,
    database,
    services,
    client,
    sql,
    close,
    createPerson: async (username, { role = 'user' } = {}) => {
      const { session } = await client().auth.register({ username, password: PASSWORD });
      if (role !== 'user') await sql('update users set role = $1 where username = $2', [role, username]);
      return { username, password: PASSWORD, session, client: client(session) };
    },
  };
}
