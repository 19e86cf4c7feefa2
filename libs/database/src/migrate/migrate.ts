import { setTimeout as pause } from 'node:timers/promises';
import { Backoff } from '@vitrine/concurrency';
import type { Client } from 'pg';
import { sqlState } from '@vitrine/runtime/standalone';
import { withClient } from '../connections/connections';
import { isOldStep, refuseOldSteps } from './adopt-baseline';
import { LockWatch } from './migrate-lock-watch';
import type { Migration } from './migration';
import { BASELINE, readBaseline, readMigrations } from './schema-files';

export { BaselineError } from './adopt-baseline';

const SESSION_NAME = 'vitrine-migrate';
const OBSERVER_NAME = 'vitrine-migrate-watch';

/** "vitr" in ASCII: the advisory lock that makes concurrent runners wait for each other. */
const RUNNER_LOCK = 0x76697472;

/**
 * A statement that waits for a lock on a table blocks all later statements on that table. So it waits this long at most,
 * lets the others run, and tries again. A request waits no longer than this plus the time of the change itself.
 */
const LOCK_TIMEOUT_MS = 150;
const PATIENCE_MS = 600_000;
/** Pauses between attempts: short enough to meet the gap between two slow readers, long enough for the blocked statements. */
const PAUSES = { firstMs: 150, longestMs: 600 };
/** The pause between two checks whether another runner has ended. */
const TURN_MS = 500;

/** SQLSTATEs after which a step is tried again: lock_not_available, deadlock_detected. */
const RETRYABLE = new Set(['55P03', '40P01']);

export interface MigrateOptions {
  /**
   * The total time to wait for locks and for another runner, in milliseconds; ten minutes by default. The work of steps
   * doesn't count, except for attempts that did not get their locks.
   */
  readonly patienceMs?: number;
  /** Receives a line for each step, and for each session that blocks one. */
  readonly say?: (line: string) => void;
}

/** The schema of a database, compared with this release. */
export interface SchemaState {
  /** Whether steps before the baseline made the schema, so that `adoptBaseline` must run before anything else. */
  readonly needsAdoption: boolean;
  /** Steps of this release that the database lacks, in order. */
  readonly pending: readonly string[];
  /** Steps that the database has and this release doesn't know: a newer release has migrated it. */
  readonly unknown: readonly string[];
}

/** A session blocked the runner for longer than its patience; the message describes the session. */
export class MigrationBlockedError extends Error {
  override readonly name = 'MigrationBlockedError';
}

/**
 * Migrates the database at `url` to the newest schema, and returns the names of the applied steps: the baseline if the
 * database has no schema, then those of `steps` that it lacks. Many processes may run it at the same time, and under load:
 * no request waits longer than 150 ms for a lock that a step waits for.
 * Rejects with the name of the step that failed, with `MigrationBlockedError` when the patience is over, or with
 * `BaselineError` if steps before the baseline made the schema.
 */
export async function runMigrations(
  url: string,
  steps: readonly Migration[] = readMigrations(),
  { patienceMs = PATIENCE_MS, say = () => undefined }: MigrateOptions = {},
): Promise<readonly string[]> {
  // Both connections are open before anything waits: a busy server opens one later than a wait for locks ends.
  return withClient(url, OBSERVER_NAME, (observer) =>
    withClient(url, SESSION_NAME, async (client) => {
      const run = new Run(client, new LockWatch(observer, say), new Patience(patienceMs), say);
      await run.waitForOtherRunners();
      await client.query(
        'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
      );
      const before = await readApplied(client);
      refuseOldSteps(before);
      const first = before.includes(BASELINE) ? [] : [readBaseline()];
      for (const step of first) await run.apply(step);
      const applied = await readApplied(client);
      const pending = steps.filter(({ name }) => !applied.includes(name));
      for (const step of pending) await run.apply(step);
      return [...first, ...pending].map(({ name }) => name);
    }),
  );
}

/** Compares a database with the baseline and the steps of this release, and changes nothing. */
export async function readSchemaState(
  url: string,
  steps: readonly Migration[] = readMigrations(),
): Promise<SchemaState> {
  const names = [BASELINE, ...steps.map(({ name }) => name)];
  return withClient(url, SESSION_NAME, async (client) => {
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('schema_migrations') is not null as found`,
    );
    const applied = rows[0]?.found ? await readApplied(client) : [];
    return {
      needsAdoption: applied.some(isOldStep),
      pending: names.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !names.includes(name) && !isOldStep(name)),
    };
  });
}

async function readApplied(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

/** How long a runner waits in total. Only waiting uses it up, because a long migration may meet locks at its end too. */
class Patience {
  private leftMs: number;

  constructor(private readonly wholeMs: number) {
    this.leftMs = wholeMs;
  }

  /** Subtracts the time since `began`, a value of `performance.now()`. */
  subtractSince(began: number): void {
    this.leftMs -= performance.now() - began;
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }

  /** The rest as a timeout for PostgreSQL: whole milliseconds, at least 1, because 0 would mean no timeout. */
  get timeoutMs(): number {
    return Math.max(1, Math.ceil(this.leftMs));
  }

  get wholeSeconds(): number {
    return this.wholeMs / 1000;
  }
}

/** One run on one connection. */
class Run {
  constructor(
    private readonly client: Client,
    private readonly watch: LockWatch,
    private readonly patience: Patience,
    private readonly say: (line: string) => void,
  ) {}

  /**
   * Waits for other runners. It polls, because a waiting statement would hold a snapshot, for which a concurrent index
   * build of the other runner would wait.
   */
  async waitForOtherRunners(): Promise<void> {
    for (let reported = false; ; reported = true) {
      const began = performance.now();
      const { rows } = await this.client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
        RUNNER_LOCK,
      ]);
      if (rows[0]?.ours) return;
      const other = await this.watch.holderOf(this.client, RUNNER_LOCK);
      if (this.patience.isOver) {
        throw new MigrationBlockedError(
          `Another migration has been running for more than ${this.patience.wholeSeconds} s: ${other}`,
        );
      }
      if (!reported) this.say(`Waiting for another migration: ${other}`);
      await pause(TURN_MS);
      this.patience.subtractSince(began);
    }
  }

  async apply(step: Migration): Promise<void> {
    const began = Date.now();
    try {
      await this.perform(step);
    } catch (error) {
      if (error instanceof MigrationBlockedError) throw error;
      throw new Error(`Migration ${step.name} failed`, { cause: error });
    }
    this.say(`${step.name} took ${Date.now() - began} ms`);
  }

  private async perform(step: Migration): Promise<void> {
    const { name, up, mode = 'transaction', repair } = step;
    if (mode === 'transaction') {
      await this.untilLocked(name, () => this.inTransaction(up, name));
      return;
    }
    if (mode === 'alone') {
      await this.untilLocked(name, async () => {
        // It blocks no other statement while it waits, so it may wait for its lock as long as the patience lasts.
        await this.client.query(`set lock_timeout = ${this.patience.timeoutMs}`);
        if (repair) await this.client.query(repair);
        await this.client.query(up);
      });
    } else {
      for (let changed = 1; changed > 0;) {
        const began = Date.now();
        changed = await this.untilLocked(name, () => this.inTransaction(up));
        // The pause is as long as the work, because requests come first.
        await pause(Date.now() - began);
      }
    }
    await this.client.query('insert into schema_migrations (name) values ($1)', [name]);
  }

  /** Runs statements in a transaction, records the step if `name` is given, and returns the number of changed rows. */
  private async inTransaction(sql: string, name?: string): Promise<number> {
    await this.client.query('begin');
    try {
      await this.client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await this.client.query(sql);
      // With several statements, the row counts would not say whether rows are left.
      if (!name && Array.isArray(result))
        throw new Error('A step that runs in batches must be one statement');
      if (name) await this.client.query('insert into schema_migrations (name) values ($1)', [name]);
      await this.client.query('commit');
      return result.rowCount ?? 0;
    } catch (error) {
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Runs `work` until it gets its locks, with random pauses in which other statements run. */
  private async untilLocked<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const backoff = new Backoff(PAUSES);
    for (;;) {
      let began = performance.now();
      const watching = this.watch.start(this.client, name);
      try {
        return await work();
      } catch (error) {
        if (!RETRYABLE.has(sqlState(error) ?? '')) throw error;
        const blockers = await watching.blockers();
        this.patience.subtractSince(began);
        began = performance.now();
        if (this.patience.isOver) {
          throw new MigrationBlockedError(
            `Migration ${name} did not get its locks within ${this.patience.wholeSeconds} s; ${blockers}`,
          );
        }
      } finally {
        await watching.stop();
      }
      await pause(backoff.afterFailure() * (0.5 + Math.random() / 2));
      this.patience.subtractSince(began);
    }
  }
}
