import { once } from 'node:events';
import { print, readOptions, runBenchmark } from '../bench-harness/benchmark';
import { startTestPostgres } from '../embedded-postgres/test-postgres';
import { seedDatabase } from './seed-database';

/**
 * npm run bench:seed [-- --posts 1000000 --database URL]. Fills a scratch database by bulk load: the given one, which
 * must be empty, or else one in a private PostgreSQL that runs until this program is interrupted.
 */
async function main(): Promise<boolean> {
  const { posts, database } = readOptions({ posts: { default: 1_000_000, least: 100, most: 8_000_000 } }, [
    'database',
  ]);
  if (database === undefined) await serveSeeded(posts);
  else await seedDatabase(database, posts, print);
  return true;
}

async function serveSeeded(posts: number): Promise<void> {
  const postgres = await startTestPostgres();
  try {
    await seedDatabase(postgres.url, posts, print);
    print(`Filled, until you interrupt this: ${postgres.url}`);
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort());
    const keepAlive = setInterval(() => undefined, 1 << 30);
    await once(interrupted.signal, 'abort');
    clearInterval(keepAlive);
  } finally {
    await postgres.stop();
  }
}

runBenchmark('seed', main);
