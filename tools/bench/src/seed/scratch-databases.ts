import { totalmem } from 'node:os';
import { runMigrations } from '@vitrine/database';
import { Client } from 'pg';
import { startTestPostgres } from '@vitrine/dev';
import { seedDatabase } from './seed-database';

/** A PostgreSQL for benchmarks whose databases are filled on demand. */
export interface ScratchDatabases {
  /** Returns the connection string of a database with this many posts. */
  seeded(posts: number): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Uses the server at `url` as its superuser; the databases stay there for the next run. Without `url`, it starts a private
 * PostgreSQL that is deleted afterwards.
 */
export async function openScratchDatabases(
  url: string | undefined,
  print: (line: string) => void,
): Promise<ScratchDatabases> {
  const postgres = url === undefined ? await startTestPostgres(bufferSettings()) : undefined;
  const server = url ?? postgres!.url;
  return {
    seeded: async (posts) => {
      const name = `vitrine_bench_${posts}`;
      const database = withDatabase(server, name);
      if (await create(server, name)) {
        print(`Filling ${name} …`);
        await seedDatabase(database, posts, print);
      } else {
        await runMigrations(database);
      }
      await warm(database);
      return database;
    },
    stop: async () => postgres?.stop(),
  };
}

/** A quarter of the machine's memory, as PostgreSQL's manual recommends (resource consumption), at most 4 GB. */
const bufferSettings = (): Readonly<Record<string, string>> => ({
  shared_buffers: `${Math.min(4096, Math.floor(totalmem() / 4 / 1024 / 1024))}MB`,
});

/** Loads a database into memory, like one in use, so that the disk isn't measured. */
async function warm(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create extension if not exists pg_prewarm');
    await client.query(
      `select pg_prewarm(oid::regclass) from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') order by relkind desc`,
    );
  } finally {
    await client.end();
  }
}

/** Creates the database if it is missing. Returns whether it was. */
async function create(server: string, name: string): Promise<boolean> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}
