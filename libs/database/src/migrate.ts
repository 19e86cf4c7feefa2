import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { LockWatch } from './migrate-lock-watch';
import type { Migration } from './migration';
import { migrations } from './migrations';
import { sqlState } from '@vitrine/runtime';
import { withClient } from './with-client';

const SESSION_NAME = 'vitrine-migrate';

/** "vitr" in ASCII: the advisory lock that makes concurrent runners wait for each other. */
const RUNNER_LOCK = 0x76697472;

/**
 * A statement that waits for a lock on a table keeps all later ones on it waiting. So it waits this long at most, lets
 * them through, and comes again: what a request loses is this, and the moment that the change itself takes.
 */
const LOCK_TIMEOUT_MS = 150;
const PATIENCE_MS = 600_000;
/** Short enough to meet the gap between two slow readers, long enough to let through what has gathered. */
const REST_MS = { first: 150, longest: 600 };
/** Between two looks whether another runner has ended. */
const TURN_MS = 500;

/** lock_not_available, deadlock_detected. */
const DESERVE_ANOTHER_TRY = new Set(['55P03', '40P01']);

export interface MigrateOptions {
  /**
   * All waiting for locks and for another runner, in milliseconds; ten minutes by default. Work takes as long as it
   * takes, but for that of a try that did not get its locks: it came to nothing, and counts as waiting.
   */
  readonly patienceMs?: number;
  /** Told what happens and what is waited for, one line each. */
  readonly say?: (line: string) => void;
}

/** What a database has of the schema that this release knows. */
export interface SchemaState {
  /** Steps that this release has and the database lacks, in order. */
  readonly pending: readonly string[];
  /** Steps that the database has and this release doesn't know: a newer release has migrated it. */
  readonly unknown: readonly string[];
}

/** Something stands in the way for longer than the runner's patience; the message names it. */
export class MigrationBlockedError extends Error {
  override readonly name = 'MigrationBlockedError';
}

/**
 * Brings the database at `url` to the newest schema and returns the names of the steps that it took. Safe to run by
 * many processes at once and under load: no request waits for a lock that a step waits for longer than 150 ms.
 * Rejects with the step's name where it fails, and with `MigrationBlockedError` where patience ends.
 */
export async function runMigrations(
  url: string,
  steps: readonly Migration[] = migrations,
  { patienceMs = PATIENCE_MS, say = () => undefined }: MigrateOptions = {},
): Promise<readonly string[]> {
  return withClient(url, SESSION_NAME, async (client) => {
    const run = new Run(client, new LockWatch(url, say), new Patience(patienceMs), say);
    await run.takeTurn();
    const { pending } = await readState(client, steps);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    for (const step of steps.filter(({ name }) => pending.includes(name))) await run.take(step);
    return pending;
  });
}

/** Compares a database with the steps of this release, changing nothing. */
export async function readSchemaState(
  url: string,
  steps: readonly Migration[] = migrations,
): Promise<SchemaState> {
  return withClient(url, SESSION_NAME, (client) => readState(client, steps));
}

async function readState(client: Client, steps: readonly Migration[]): Promise<SchemaState> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  );
  const applied = tables[0]?.found
    ? (await client.query<{ name: string }>('select name from schema_migrations order by name')).rows.map(
        ({ name }) => name,
      )
    : [];
  return {
    pending: steps.map(({ name }) => name).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !steps.some((step) => step.name === name)),
  };
}

/** For how long a runner goes on waiting. Only what it waits uses it up: a long migration meets locks at its end too. */
class Patience {
  private leftMs: number;

  constructor(private readonly wholeMs: number) {
    this.leftMs = wholeMs;
  }

  /** Takes off what was waited since `began`, a time of `performance.now()`. */
  spendSince(began: number): void {
    this.leftMs -= performance.now() - began;
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }

  /** What is left, as PostgreSQL takes a timeout: whole milliseconds, of which 0 would mean for ever. */
  get timeoutMs(): number {
    return Math.max(1, Math.ceil(this.leftMs));
  }

  get wholeSeconds(): number {
    return this.wholeMs / 1000;
  }
}

/** One runner on one connection, with one stock of patience. */
class Run {
  constructor(
    private readonly client: Client,
    private readonly watch: LockWatch,
    private readonly patience: Patience,
    private readonly say: (line: string) => void,
  ) {}

  /**
   * Waits for other runners. It asks again and again: a statement that waited would hold a snapshot, which an index
   * that the other one builds concurrently would wait for.
   */
  async takeTurn(): Promise<void> {
    for (let told = false; ; told = true) {
      const began = performance.now();
      const { rows } = await this.client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
        RUNNER_LOCK,
      ]);
      if (rows[0]?.ours) return;
      const rival = await this.watch.holderOf(this.client, RUNNER_LOCK);
      if (this.patience.isOver) {
        throw new MigrationBlockedError(
          `Another migration has been running for more than ${this.patience.wholeSeconds} s: ${rival}`,
        );
      }
      if (!told) this.say(`Waiting for another migration: ${rival}`);
      await pause(TURN_MS);
      this.patience.spendSince(began);
    }
  }

  async take(step: Migration): Promise<void> {
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
      await this.patiently(name, () => this.inTransaction(up, name));
      return;
    }
    if (mode === 'alone') {
      await this.patiently(name, async () => {
        // It keeps nobody waiting, so it may wait itself.
        await this.client.query(`set lock_timeout = ${this.patience.timeoutMs}`);
        if (repair) await this.client.query(repair);
        await this.client.query(up);
      });
    } else {
      for (let changed = 1; changed > 0;) {
        const began = Date.now();
        changed = await this.patiently(name, () => this.inTransaction(up));
        // As long at rest as at work: requests come first.
        await pause(Date.now() - began);
      }
    }
    await this.client.query('insert into schema_migrations (name) values ($1)', [name]);
  }

  /** Runs statements in a transaction, records the step where it is named, and returns the rows that were changed. */
  private async inTransaction(sql: string, name?: string): Promise<number> {
    await this.client.query('begin');
    try {
      await this.client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await this.client.query(sql);
      // Of several statements nobody could say which one still has rows to change.
      if (!name && Array.isArray(result)) throw new Error('What is done in batches must be one statement');
      if (name) await this.client.query('insert into schema_migrations (name) values ($1)', [name]);
      await this.client.query('commit');
      return result.rowCount ?? 0;
    } catch (error) {
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Tries until the locks are to be had, with unequal rests; others go on meanwhile. */
  private async patiently<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    for (let rest = REST_MS.first; ; rest = Math.min(rest * 2, REST_MS.longest)) {
      let began = performance.now();
      const watching = this.watch.start(this.client, name);
      try {
        return await work();
      } catch (error) {
        if (!DESERVE_ANOTHER_TRY.has(sqlState(error) ?? '')) throw error;
        const blockers = await watching.blockers();
        this.patience.spendSince(began);
        began = performance.now();
        if (this.patience.isOver) {
          throw new MigrationBlockedError(
            `Migration ${name} did not get its locks within ${this.patience.wholeSeconds} s; ${blockers}`,
          );
        }
      } finally {
        await watching.stop();
      }
      await pause(rest * (0.5 + Math.random() / 2));
      this.patience.spendSince(began);
    }
  }
}
