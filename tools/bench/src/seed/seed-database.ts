import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runMigrations } from '@vitrine/database';
import { Client } from 'pg';
import { seedSteps } from './seed-sql';

/** Tables whose indexes are built after loading, which is several times faster. */
const LOADED = [
  'posts',
  'media',
  'post_media',
  'post_tags',
  'media_tags',
  'post_votes',
  'post_ranks',
  'media_ranks',
];

/**
 * Migrates an empty database, fills it with `posts` posts and twice as many media without triggers, and counts its feeds.
 * Takes about two minutes and 4 GB of disk for a million posts. Throws when the database has posts already.
 */
export async function seedDatabase(url: string, posts: number, print: (line: string) => void): Promise<void> {
  await runMigrations(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await work();
    print(`  ${what.padEnd(28)} ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`);
  };
  try {
    const { rows } = await client.query('select 1 from posts limit 1');
    if (rows.length > 0) throw new Error('The database already has posts: use an empty one.');
    // Disables triggers, including foreign keys, in this session.
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB';
                        set work_mem = '256MB'; set synchronous_commit = off`);
    const indexes = await takeIndexes(client);
    for (const { what, sql } of seedSteps(posts)) await timed(what, () => client.query(sql));
    await timed('indexes', async () => {
      for (const { definition } of indexes) await client.query(definition);
      for (const { comment } of indexes) if (comment !== null) await client.query(comment);
    });
    await timed('counts of feeds', () => recount(url));
    await timed('vacuum and statistics', async () => {
      await client.query('vacuum (analyze)');
      await client.query('checkpoint');
    });
  } finally {
    await client.end();
  }
}

/** Drops the indexes of the loaded tables that no constraint needs. Returns the statements that create them again. */
async function takeIndexes(
  client: Client,
): Promise<readonly { definition: string; comment: string | null }[]> {
  const { rows } = await client.query<{ name: string; definition: string; comment: string | null }>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition,
            format('comment on index %I is %L', c.relname, obj_description(c.oid)) as comment
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid::regclass::text = any($1)
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
    [LOADED],
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  return rows;
}

/** Counts the feeds in a separate process, whose settings name the database. */
async function recount(url: string): Promise<void> {
  // The process gets this database and none of the caller's settings.
  // eslint-disable-next-line no-restricted-properties
  const env = { PATH: process.env['PATH'], DATABASE_URL: url };
  const child = fork(join(__dirname, 'recount.js'), { env });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error('Counting the feeds failed.');
}
