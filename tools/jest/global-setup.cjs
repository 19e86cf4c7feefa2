const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { forkTypeScript } = require('../../libs/testing/src/fork-typescript.ts');
const { startTestPostgres } = require('../src/embedded-postgres/test-postgres.ts');

const KEEPER = require.resolve('../../libs/testing/src/stacks/keeper.ts');

/**
 * Starts what the whole run shares: one temporary PostgreSQL, in which every suite clones its own database, the keeper
 * of the stacks that suites borrow, which starts none before the first suite asks, and an empty folder for the compiled
 * code of the services (`start-cache.cjs`).
 */
module.exports = async () => {
  if (process.env.VITRINE_TEST_WITHOUT_POSTGRES) return;
  const startCache = mkdtempSync(join(tmpdir(), 'vitrine-start-cache-'));
  process.once('exit', () => rmSync(startCache, { recursive: true, force: true }));
  process.env.VITRINE_TEST_START_CACHE = startCache;
  if (!process.env.VITRINE_TEST_POSTGRES_URL) {
    const postgres = await startTestPostgres();
    globalThis.vitrineTestPostgres = postgres;
    process.env.VITRINE_TEST_POSTGRES_URL = postgres.url;
  }
  const keeper = forkTypeScript(KEEPER, []);
  globalThis.vitrineTestStacks = keeper;
  [process.env.VITRINE_TEST_STACKS_URL] = await once(keeper, 'message');
  keeper.unref();
  keeper.channel.unref();
};
