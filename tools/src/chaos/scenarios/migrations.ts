import { setTimeout as pause } from 'node:timers/promises';
import { type Migration, runMigrations } from '@vitrine/database';
import { Client } from 'pg';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { connectWhenBack } from '../inspection/quiet';
import { Random } from '../../random/random';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';

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
export const migrationsScenario: Scenario = {
  name: 'migrations',
  promise:
    'While a release changes the schema of tables in use, and slow readers hold locks on them, no request ' +
    'fails and none waits for a lock longer than a second.',
  settings: { users: 200_000, readerSeconds: 8, patienceSeconds: 600, maxWaitMs: 1000, quietSeconds: 60 },
  buses: ['postgres'],
  run: (context) => withStack({ bus: context.bus }, context.say, (stack) => migrateUnderLoad(stack, context)),
};

async function migrateUnderLoad(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { say } = context;
  const users = setting(context, 'users');
  const maxWaitMs = setting(context, 'maxWaitMs');
  const admin = await connectWhenBack(stack.databaseUrl);
  try {
    await admin.query(
      `insert into users (username) select 'seeded_' || n from generate_series(1, ${users}) as n`,
    );
    await admin.query('analyze users');
    say(`${users} accounts were created`);
    const traffic = await Traffic.create(stack, context, { isExcused: () => false });
    traffic.start();
    await pause(QUIET_WARM_UP_MS);
    const slowestInQuiet = Math.max(0, ...traffic.ledger.slowest.values());
    traffic.ledger.slowest.clear();

    const readers = new SlowReaders(stack.databaseUrl, setting(context, 'readerSeconds') * 1000);
    const waits = new LockWaits(stack.databaseUrl);
    readers.start(new Random(context.seed));
    waits.start();
    const began = Date.now();
    const patienceMs = setting(context, 'patienceSeconds') * 1000;
    const taken = await runMigrations(stack.databaseUrl, STEPS, { say, patienceMs });
    const seconds = (Date.now() - began) / 1000;
    await readers.stop();
    await waits.stop();
    await traffic.stop();

    const slowest = Math.max(0, ...traffic.ledger.slowest.values());
    const breaches: string[] = [];
    if (waits.longestMs > maxWaitMs) breaches.push(`A request waited ${waits.longestMs} ms for a lock`);
    if (taken.length !== STEPS.length) breaches.push(`${taken.length} of ${STEPS.length} steps were applied`);
    if (readers.reads === 0) breaches.push('No reader blocked a step');
    const { rows } = await admin.query<{ unfilled: number }>(
      'select count(*)::int as unfilled from users where chaos_note is null and id <= (select max(id) from users)',
    );
    const verdict = await traffic.inspect(setting(context, 'quietSeconds'));
    return {
      figures: [
        ['accounts in the table', users],
        ['steps taken', taken.length],
        ['seconds for all of them', seconds.toFixed(1)],
        ['slow readers that blocked steps', readers.reads],
        ['longest wait for a lock, ms', waits.longestMs],
        ['slowest answer meanwhile, ms', slowest],
        ['slowest answer before, ms', slowestInQuiet],
        ['requests that failed', traffic.ledger.violations.length],
        ['rows that were added after the filling', rows[0]?.unfilled ?? 0],
        ...verdict.figures,
      ],
      breaches: [...breaches, ...verdict.breaches],
    };
  } finally {
    await admin.end();
  }
}

/** Reads the tables that will change, in transactions that stay open for seconds, like a report. */
class SlowReaders {
  reads = 0;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly url: string,
    private readonly holdMs: number,
  ) {}

  start(random: Random): void {
    this.running = this.read(random);
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async read(random: Random): Promise<void> {
    const client = new Client({ connectionString: this.url, application_name: 'slow-reader' });
    await client.connect();
    try {
      while (!this.stopped) {
        await client.query('begin');
        await client.query('select (select count(*) from users), (select count(*) from media)');
        this.reads++;
        for (let held = 0; held < this.holdMs && !this.stopped; held += 100) await pause(100);
        await client.query('commit');
        await pause(random.integer(200, 1_000));
      }
    } finally {
      await client.end();
    }
  }
}

/** Samples the longest wait for a lock of any session but the migration's, as PostgreSQL reports it. */
class LockWaits {
  longestMs = 0;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly url: string) {}

  start(): void {
    this.running = this.look();
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async look(): Promise<void> {
    const client = new Client({ connectionString: this.url, application_name: 'lock-waits' });
    await client.connect();
    try {
      while (!this.stopped) {
        const { rows } = await client.query<{ ms: number | null }>(
          `select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::int as ms
           from pg_locks join pg_stat_activity using (pid)
           where not granted and application_name <> $1`,
          [MIGRATOR],
        );
        this.longestMs = Math.max(this.longestMs, rows[0]?.ms ?? 0);
        await pause(LOOK_MS);
      }
    } finally {
      await client.end();
    }
  }
}
