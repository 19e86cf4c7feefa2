// A fake admin tool: prints its arguments and whether the database answers, if it has one.
const { createRequire } = require('node:module');
const { Client } = createRequire(process.env.FAKE_REQUIRE_FROM)('pg');

async function main() {
  const args = process.argv.slice(2);
  if (!process.env.DATABASE_URL) {
    console.log(JSON.stringify({ args }));
    return;
  }
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query('select current_user as name');
  await client.end();
  console.log(JSON.stringify({ user: rows[0].name, args, dataFolder: process.env.VITRINE_DATA_DIR }));
  process.exitCode = Number(process.env.FAKE_STATUS);
}
void main();
