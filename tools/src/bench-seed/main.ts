import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../embedded-postgres/test-postgres';
import { seedDatabase } from './seed-database';

const USAGE = 'npm run bench:seed [-- --posts 1000000 --database URL]';
const FEWEST = 100;
const MOST = 8_000_000;

/**
 * npm run bench:seed. Fills a scratch database by bulk load: the one given, which must be empty, or else one in a
 * private PostgreSQL that lasts until it is interrupted.
 */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  if (options.database !== undefined) {
    await seedDatabase(options.database, options.posts, print);
    return;
  }
  const postgres = await startTestPostgres();
  try {
    await seedDatabase(postgres.url, options.posts, print);
    print(`Filled, until you interrupt this: ${postgres.url}`);
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort());
    const alive = setInterval(() => undefined, 1 << 30);
    await once(interrupted.signal, 'abort');
    clearInterval(alive);
  } finally {
    await postgres.stop();
  }
}

function readOptions(args: string[]): { posts: number; database: string | undefined } | null {
  try {
    const { values } = parseArgs({
      args,
      options: { posts: { type: 'string', default: '1000000' }, database: { type: 'string' } },
    });
    const posts = Number(values.posts);
    if (!Number.isInteger(posts) || posts < FEWEST || posts > MOST) return null;
    return { posts, database: values.database };
  } catch {
    return null;
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`bench:seed failed: ${error.message}\n`);
  process.exitCode = 1;
});
