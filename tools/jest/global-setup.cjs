const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');
const { forkTypeScript } = require('../../libs/testing/src/fork-typescript.ts');
const { Guard } = require('../src/embedded-postgres/guard.ts');
const { startTestPostgres } = require('../src/embedded-postgres/test-postgres.ts');
const { makeMemoryFolder } = require('./memory-folder.cjs');

const KEEPER = require.resolve('../../libs/testing/src/stacks/keeper.ts');

/**
 * Starts what the whole run shares: a folder in memory for temporary files, one temporary PostgreSQL, in which every suite
 * clones its own database, the keeper of the stacks that suites borrow, which starts none before the first suite asks, and
 * an empty folder for the compiled code of the services (`start-cache.cjs`).
 */
module.exports = async () => {
  if (process.env.VITRINE_TEST_WITHOUT_POSTGRES) return;
  // A folder that the caller has chosen stays.
  const guard = new Guard();
  globalThis.vitrineTestGuard = guard;
  process.env.TMPDIR ??= makeMemoryFolder(guard) ?? tmpdir();
  const startCache = mkdtempSync(join(tmpdir(), 'vitrine-start-cache-'));
  process.once('exit', () => rmSync(startCache, { recursive: true, force: true }));
  process.env.VITRINE_TEST_START_CACHE = startCache;
  if (!process.env.VITRINE_TEST_POSTGRES_URL) {
    // Databases live for seconds: nothing in them needs a vacuum, or passwords that are slow to check.
    const postgres = await startTestPostgres({ autovacuum: 'off', scram_iterations: '1' });
    await renewPassword(postgres.url);
    globalThis.vitrineTestPostgres = postgres;
    process.env.VITRINE_TEST_POSTGRES_URL = postgres.url;
  }
  const keeper = forkTypeScript(KEEPER, []);
  globalThis.vitrineTestStacks = keeper;
  [process.env.VITRINE_TEST_STACKS_URL] = await once(keeper, 'message');
  keeper.unref();
  keeper.channel.unref();
};

/** Sets the superuser's password again, so that checking it takes the `scram_iterations` of this server. */
async function renewPassword(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`alter role postgres password ${client.escapeLiteral(client.password)}`);
  await client.end();
}
