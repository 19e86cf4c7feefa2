const { once } = require('node:events');
const { readdirSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');
const { forkTypeScript } = require('../../libs/testing/src/fork-typescript.ts');
const { findFfmpeg } = require('../../libs/testing/src/programs/find-ffmpeg.ts');
const { Guard } = require('../dev/src/embedded-postgres/guard.ts');
const { startTestPostgres } = require('../dev/src/embedded-postgres/test-postgres.ts');
const { makeMemoryFolder } = require('./memory-folder.cjs');

const KEEPER = require.resolve('../../libs/testing/src/stacks/keeper.ts');

/**
 * Builds if a chosen test file needs built code, and starts what the whole run shares: a folder in memory for temporary
 * files, one temporary PostgreSQL, in which every suite clones its own database, and the keeper of the stacks that suites
 * borrow, which starts none before the first suite asks.
 */
module.exports = async ({ rootDir, testPathPatterns }) => {
  if (process.env.VITRINE_TEST_WITHOUT_POSTGRES) return;
  if (await needsBuild(rootDir, testPathPatterns.toExecutor({ rootDir }))) {
    const { build, buildClientModule } = await import('../bin/workspace.mjs');
    await build({ chatter: 2 });
    await buildClientModule({ chatter: 2 });
    findFfmpeg();
  }
  // With Node 22.1 or later, services and workers load compiled code; Node compares it with the sources.
  process.env.NODE_COMPILE_CACHE ??= join(rootDir, 'node_modules/.cache/vitrine-tests');
  // A folder that the caller has chosen stays.
  const guard = new Guard();
  globalThis.vitrineTestGuard = guard;
  process.env.TMPDIR ??= makeMemoryFolder(guard) ?? tmpdir();
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

/** Whether a chosen test file starts built processes or reads built files. */
async function needsBuild(rootDir, chosen) {
  const { BLACK_BOX } = await import('../bin/unit-tests.mjs');
  return ['apps', 'libs', 'tools']
    .flatMap((folder) =>
      readdirSync(join(rootDir, folder), { recursive: true }).map((file) => join(folder, file)),
    )
    .some(
      (file) => BLACK_BOX.test(file) && /\.spec\.tsx?$/.test(file) && chosen.isMatch(join(rootDir, file)),
    );
}

/** Sets the superuser's password again, so that checking it takes the `scram_iterations` of this server. */
async function renewPassword(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`alter role postgres password ${client.escapeLiteral(client.password)}`);
  await client.end();
}
