import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runMigrations } from '@vitrine/database';
import { startReplicatedPostgres, STREAMING_ENVIRONMENT } from '@vitrine/dev';
import { randomTokenSecret, type ServiceProcess, startPostgresProxy, startService } from '@vitrine/testing';
import { Client } from 'pg';

export const POSTS = 2_000;
/** The largest number of clients; each has an account. */
export const MAX_CLIENTS = 40;
export const slugOf = (post: number): string => `b${String(post).padStart(6, '0')}`;
/** The account that has all posts and gets all followers. */
export const OWNER = 'owner';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const LIMITS = {
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  UPLOADS_PER_DAY: '1000000',
};

/** A built api-gateway and upload-service on a PostgreSQL that waits for the disk and has a standby. */
export interface WritingSite {
  readonly api: ServiceProcess;
  readonly upload: ServiceProcess;
  /** The token of each client. */
  readonly tokens: readonly string[];
  /** Whether transactions add their events. If not, a trigger skips the rows; the statements are the same. */
  addEvents(add: boolean): Promise<void>;
  /** Whether commits wait for the standby. */
  waitForStandby(wait: boolean): Promise<void>;
  /** Resolves when all events are published. Asks without a pause, to measure how long that takes. */
  published(): Promise<void>;
  sql<Row extends object>(text: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Starts it with a standby whose confirmations take `delayMs` longer. */
export async function startWritingSite(delayMs: number): Promise<WritingSite> {
  const ends: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.reverse()) await end();
  };
  try {
    const postgres = await startReplicatedPostgres(DURABLE, async (url) => {
      // What the standby sends, such as its confirmations, takes longer.
      const link = await startPostgresProxy(url, (send) => (bytes) => setTimeout(() => send(bytes), delayMs));
      ends.push(() => link.close());
      return link.url;
    });
    ends.push(() => postgres.stop());
    const admin = await connect(postgres.url('postgres'));
    await admin.query('create database vitrine');
    await admin.end();
    const url = postgres.url('vitrine');
    await runMigrations(url);
    const client = await connect(url);
    ends.push(() => client.end());
    const sql = async <Row extends object>(text: string): Promise<Row[]> =>
      (await client.query<Row>(text)).rows;
    const tokens = await seed(client);
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const env = { ...LIMITS, DATABASE_URL: url, STORAGE_URL: pathToFileURL(folder).href };
    const api = await startService('api-gateway', { env });
    ends.push(() => api.stop());
    const upload = await startService('upload-service', { env: { ...STREAMING_ENVIRONMENT, ...env } });
    ends.push(() => upload.stop('SIGKILL'));
    return {
      ...{ api, upload, tokens, sql, stop },
      addEvents: async (add) =>
        void (await sql(`alter table outbox ${add ? 'disable' : 'enable'} trigger skip_events`)),
      waitForStandby: async (wait) => {
        await sql(`alter system set synchronous_standby_names = '${wait ? '*' : ''}'`);
        await sql('select pg_reload_conf()');
        const state = wait ? 'sync' : 'async';
        while ((await sql(`select from pg_stat_replication where sync_state = '${state}'`)).length === 0) {
          await pause(50);
        }
      },
      published: async () => {
        while ((await sql('select from outbox limit 1')).length > 0);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Makes the accounts, their tokens and the posts. Returns the tokens. */
async function seed(client: Client): Promise<string[]> {
  const tokens = Array.from({ length: MAX_CLIENTS }, () => randomTokenSecret('api'));
  await client.query(
    `with owner as (insert into users (username) values ('${OWNER}') returning id)
     insert into posts (slug, user_id, title, moderation_status)
     select 'b' || lpad(n::text, 6, '0'), id, 'Post ' || n, 'approved' from owner, generate_series(0, ${POSTS - 1}) as n`,
  );
  await client.query(
    `with made as (
       insert into users (username) select 'client' || n from generate_series(1, $1) as n returning id
     ), numbered as (select id, row_number() over (order by id) as n from made)
     insert into tokens (user_id, kind, name, secret_sha256, scopes)
     select id, 'api', 'bench', secret, '{read,upload,write}'
     from numbered join unnest($2::bytea[]) with ordinality as secrets (secret, n) using (n)`,
    [MAX_CLIENTS, tokens.map((token) => createHash('sha256').update(token).digest())],
  );
  await client.query(`
    create function skip_event() returns trigger language plpgsql as 'begin return null; end';
    create trigger skip_events before insert on outbox for each row execute function skip_event();
    alter table outbox disable trigger skip_events;
    analyze`);
  return tokens;
}
