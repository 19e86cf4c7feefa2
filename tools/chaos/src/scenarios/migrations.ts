import { setTimeout as pause } from 'node:timers/promises';
import { type Migration, runMigrations } from '@vitrine/database';
import { Client } from 'pg';
import { repeat } from '../clients/repeat';
import type { ChaosStack } from '../stack/chaos-stack';
import { type LoadRun, loadScenario } from './load';

/** The schema changes that a release may make, each on a table that every request needs. */
const STEPS: readonly Migration[] = [
  { name: '9001_add_column', up: 'alter table users add column chaos_note text' },
  {
    name: '9002_add_column_with_default',
    up: 'alter table media add column chaos_rank integer not null default 0',
  },
  {
    name: '9003_add_check_not_valid',
    up: 'alter table users add constraint users_chaos_check check (char_length(chaos_note) <= 100) not valid',
  },
  {
    name: '9004_fill_in_batches',
    mode: 'batches',
    up: `update users set chaos_note = 'seen'
         where id in (select id from users where chaos_note is null order by id limit 1000 for update skip locked)`,
  },
  { name: '9005_validate_check', up: 'alter table users validate constraint users_chaos_check' },
  {
    name: '9006_index_concurrently',
    mode: 'alone',
    repair: 'drop index concurrently if exists users_chaos_idx',
    up: 'create index concurrently users_chaos_idx on users (chaos_note, id)',
  },
  {
    name: '9007_unique_index_concurrently',
    mode: 'alone',
    repair: 'drop index concurrently if exists media_chaos_idx',
    up: 'create unique index concurrently media_chaos_idx on media (chaos_rank, id)',
  },
];

/** Interval at which waits for locks are sampled. */
const LOOK_MS = 20;
const MIGRATOR = 'vitrine-migrate';
const QUIET_WARM_UP_MS = 10_000;

/** Schema changes on a seeded database in use, while slow transactions read the same tables. */
export const migrationsScenario = loadScenario({
  name: 'migrations',
  promise:
    'While a release changes the schema of tables in use, and slow readers hold locks on them, no request ' +
    'fails and none waits for a lock longer than a second.',
  settings: { users: 200_000, readerSeconds: 8, patienceSeconds: 600, maxWaitMs: 1000, quietSeconds: 60 },
  buses: ['postgres'],
  disturb: async (run) => {
    const sessions = await Promise.all(
      ['admin', 'slow-reader', 'lock-waits'].map((name) => connect(run.stack, name)),
    );
    try {
      await changeSchema(run, sessions as [Client, Client, Client]);
    } finally {
      await Promise.all(sessions.map((session) => session.end()));
    }
  },
});

async function changeSchema(
  run: LoadRun,
  [admin, reader, watcher]: readonly [Client, Client, Client],
): Promise<void> {
  const { stack, ledger, traffic } = run;
  const users = run.setting('users');
  await admin.query(
    `insert into users (username) select 'seeded_' || n from generate_series(1, ${users}) as n`,
  );
  await admin.query('analyze users');
  run.say(`${users} accounts were created`);
  traffic.start();
  await pause(QUIET_WARM_UP_MS);
  const slowestInQuiet = Math.max(0, ...ledger.slowest.values());
  ledger.slowest.clear();

  const seen = { reads: 0, longestMs: 0 };
  const stop = repeat(
    () => readSlowly(reader, run, seen),
    () => lookForWaits(watcher, seen),
  );
  const began = Date.now();
  const patienceMs = run.setting('patienceSeconds') * 1000;
  const taken = await runMigrations(stack.databaseUrl, STEPS, { say: run.context.say, patienceMs });
  const seconds = (Date.now() - began) / 1000;
  await stop();
  await traffic.stop();

  if (seen.longestMs > run.setting('maxWaitMs'))
    run.breaches.push(`A request waited ${seen.longestMs} ms for a lock`);
  if (taken.length !== STEPS.length)
    run.breaches.push(`${taken.length} of ${STEPS.length} steps were applied`);
  if (seen.reads === 0) run.breaches.push('No reader blocked a step');
  const { rows } = await admin.query<{ unfilled: number }>(
    'select count(*)::int as unfilled from users where chaos_note is null and id <= (select max(id) from users)',
  );
  run.figures.push(
    ['accounts in the table', users],
    ['steps taken', taken.length],
    ['seconds for all of them', seconds.toFixed(1)],
    ['slow readers that blocked steps', seen.reads],
    ['longest wait for a lock, ms', seen.longestMs],
    ['slowest answer meanwhile, ms', Math.max(0, ...ledger.slowest.values())],
    ['slowest answer before, ms', slowestInQuiet],
    ['requests that failed', ledger.violations.length],
    ['rows that were added after the filling', rows[0]?.unfilled ?? 0],
  );
}

interface Seen {
  reads: number;
  longestMs: number;
}

async function connect({ databaseUrl }: ChaosStack, name: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Reads the tables that will change, in a transaction that stays open for seconds, like a report. */
async function readSlowly(client: Client, run: LoadRun, seen: Seen): Promise<void> {
  await client.query('begin');
  await client.query('select (select count(*) from users), (select count(*) from media)');
  seen.reads++;
  await pause(run.setting('readerSeconds') * 1000);
  await client.query('commit');
  await pause(run.random.integer(200, 1_000));
}

/** Looks for the longest wait for a lock of any session but the migration's, as PostgreSQL reports it. */
async function lookForWaits(client: Client, seen: Seen): Promise<void> {
  const { rows } = await client.query<{ ms: number | null }>(
    `select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::int as ms
     from pg_locks join pg_stat_activity using (pid)
     where not granted and application_name <> $1`,
    [MIGRATOR],
  );
  seen.longestMs = Math.max(seen.longestMs, rows[0]?.ms ?? 0);
  await pause(LOOK_MS);
}
