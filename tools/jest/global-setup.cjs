const { startTestPostgres } = require('../src/embedded-postgres/test-postgres.ts');

/** One throw-away PostgreSQL for the whole run; every suite clones its own database in it. */
module.exports = async () => {
  if (process.env.VITRINE_TEST_POSTGRES_URL) return;
  const postgres = await startTestPostgres();
  globalThis.vitrineTestPostgres = postgres;
  process.env.VITRINE_TEST_POSTGRES_URL = postgres.url;
};
