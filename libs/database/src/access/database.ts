import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, Optional } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { errorMessage, inSpan, isLostConnection, sqlState } from '@vitrine/runtime';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { DATABASE_SPAN } from '../connections/connections';
import { allowSilence } from '../connections/silent-connections';
import { Replicas } from '../replicas/replicas';
import { Commits } from './commits';
import { cannotBePrepared, statementOf } from './prepared-statements';

/**
 * Hides the value of a parameter with its type, e.g. `$1::bigint[]`, from the planner. PostgreSQL plans a prepared
 * statement again for each call as long as the known values make the plan seem cheaper. For short arrays that is always
 * so, and planning then costs more than running. Use it if one plan is good for all values.
 */
export const hiddenFromPlanner = (parameter: string): string => `(select ${parameter})`;

/** Options of a read. */
export interface ReadOptions {
  /**
   * Whether a replica may answer, up to DATABASE_REPLICA_MAX_LAG_SECONDS late. Only for lists, and only for callers who
   * can't have written something that they would miss; never for single items, accounts, tokens or moderation.
   */
  readonly replica?: boolean;
  /** Whether PostgreSQL plans it for its parameters in each call, instead of once. */
  readonly unprepared?: boolean;
}

/** Options of a statement in a transaction. */
export interface QueryOptions {
  /**
   * Whether the statement is parsed and planned once per connection instead of once per call. For the most frequent
   * transactions only, and for few different texts: values that vary belong in the parameters. For some statements one
   * plan for all values is worse.
   */
  readonly prepared?: boolean;
}

const logger = new Logger('Database');

/** Runs a function without the trace and the last statement of a request. */
const outsideRequests = AsyncLocalStorage.snapshot();

/** An open transaction, which a service passes to every repository that takes part. */
export class Transaction {
  private readonly callbacks: (() => void)[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly prepares = true,
  ) {}

  /**
   * Calls `callback` once this transaction has committed, outside the context of the request; never if it doesn't commit. For
   * what may be lost: the process may end before.
   */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Runs one statement and resolves with its rows; placeholders are `$1`, `$2`, …. */
  async query<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[] = [],
    options?: QueryOptions,
  ): Promise<Row[]> {
    return (await this.run<Row>(text, parameters, options)).rows;
  }

  /** As `query`, but resolves with whether the statement changed a row; one that only reads: whether it found one. */
  async affects(text: string, parameters: readonly unknown[], options?: QueryOptions): Promise<boolean> {
    return ((await this.run(text, parameters, options)).rowCount ?? 0) > 0;
  }

  /** Lifts the time limit of the statements that follow. */
  async liftTimeLimit(): Promise<void> {
    await this.query('set local statement_timeout = 0');
    allowSilence(await this.client());
  }

  /** Returns TypeORM's repository of an entity in this transaction, to load and save single rows. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** For `Database`: calls what `afterCommit` was given. An error is logged, because the work has succeeded. */
  committed(): void {
    outsideRequests(() => {
      for (const callback of this.callbacks) {
        try {
          callback();
        } catch (error) {
          logger.error(`After a commit: ${errorMessage(error)}`);
        }
      }
    });
  }

  private async run<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[],
    { prepared = false }: QueryOptions = {},
  ): Promise<QueryResult<Row>> {
    const client = await this.client();
    return client.query<Row>(statementOf(text, parameters, prepared && this.prepares));
  }

  /** Throws as TypeORM does after the connection was lost. */
  private async client(): Promise<PoolClient> {
    const { queryRunner } = this.manager;
    if (!queryRunner || queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
    return queryRunner.connect() as Promise<PoolClient>;
  }
}

/** TypeORM's pool of connections to the primary. */
export const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as PostgresDriver).master as Pool;

/** SQLSTATEs after which a transaction should be tried again: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

const lastStatements = new AsyncLocalStorage<(tx: Transaction) => Promise<void>>();

/**
 * Runs `work`, and makes `statement` the last statement of each transaction that `Database` opens in it, so that both
 * commit together or not at all. `Idempotency` marks the key of a request in this way.
 */
export const endingTransactionsWith = <Result>(
  statement: (tx: Transaction) => Promise<void>,
  work: () => Result,
): Result => lastStatements.run(statement, work);

/**
 * Runs in `tx` the last statement that `endingTransactionsWith` gives to the transactions that are opened here.
 * `MediaUploads` does so for uploads that it registers in the transaction of another upload.
 */
export const runLastStatement = async (tx: Transaction): Promise<void> => lastStatements.getStore()?.(tx);

/**
 * All access to PostgreSQL. Repositories read and write with SQL: `read` for the most frequent reads, `query` for other
 * single statements, and `transaction` for everything that belongs together.
 */
@Injectable()
export class Database {
  private readonly commits: Commits;

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly replicas?: Replicas,
  ) {
    this.commits = new Commits(writersOf(poolOf(dataSource).options.max));
  }

  /** Transactions that wait for the answer to their COMMIT and whose callers don't wait any longer. */
  get overdueCommits(): number {
    return this.commits.overdue;
  }

  /**
   * Runs a read and resolves with its rows; placeholders are `$1`, `$2`, …. The statement is parsed and planned once per
   * connection: there must be few different texts, and values that vary belong in the parameters. Runs a second time if
   * its connection is lost.
   */
  read<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[] = [],
    options: ReadOptions = {},
  ): Promise<Row[]> {
    return inSpan('read', DATABASE_SPAN, () => this.readAnywhere<Row>(text, parameters, options));
  }

  /** Runs one statement that only reads and resolves with its rows. */
  query<Row extends QueryResultRow>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return inSpan('query', DATABASE_SPAN, async () => {
      const { rows } = await this.pool.query<Row>(text, [...parameters]);
      return rows;
    });
  }

  /** Runs one statement that writes, in a transaction of its own, and resolves with its rows. Rejects as `transaction` does. */
  write<Row extends QueryResultRow>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.commits.run((committing) => {
      committing();
      return this.query(text, parameters);
    });
  }

  /**
   * Runs `work` in a transaction (READ COMMITTED) and commits when it resolves. After a deadlock, if the connection is lost
   * between two statements, or if a prepared statement can't be used, `work` runs again: it must have no effect outside the
   * transaction. Rejects with `CommitUnansweredError` if the transaction may have been
   * committed, and with `OutageError` if too many transactions of the process run already.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.runRepeatedly(null, work);
  }

  /**
   * As `transaction`, but all statements see the same snapshot (REPEATABLE READ), taken by the first one after any `lock table`.
   * They have no time limit: they count whole tables, and no request waits for them.
   */
  snapshot<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.runRepeatedly('REPEATABLE READ', async (tx) => {
      await tx.liftTimeLimit();
      return work(tx);
    });
  }

  /** Returns TypeORM's repository of an entity outside transactions, to load single rows. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.dataSource.getRepository(entity);
  }

  private async readAnywhere<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[],
    { replica = false, unprepared = false }: ReadOptions,
  ): Promise<Row[]> {
    const statement = statementOf(text, parameters, !unprepared);
    const fromReplica = replica ? await this.replicas?.query<Row>(statement) : null;
    if (fromReplica) return fromReplica;
    try {
      const { rows } = await this.pool.query<Row>(statement);
      return rows;
    } catch (error) {
      const mayRunAgain = isLostConnection(error) || (!unprepared && cannotBePrepared(error));
      if (!mayRunAgain) throw error;
      const { rows } = await this.pool.query<Row>(statementOf(text, parameters, false));
      return rows;
    }
  }

  private get pool(): Pool {
    return poolOf(this.dataSource);
  }

  private async runRepeatedly<Result>(
    /** Null: that of the session, which costs no statement. */
    isolation: 'REPEATABLE READ' | null,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let prepares = true;
    for (let attempt = 1; ; attempt++) {
      try {
        return await inSpan('transaction', DATABASE_SPAN, () =>
          this.commits.run(async (committing) => {
            const run = async (manager: EntityManager): Promise<[Transaction, Result]> => {
              const tx = new Transaction(manager, prepares);
              const result = await work(tx);
              await runLastStatement(tx);
              committing();
              return [tx, result];
            };
            const { dataSource } = this;
            const [tx, result] = await (isolation
              ? dataSource.transaction(isolation, run)
              : dataSource.transaction(run));
            tx.committed();
            return result;
          }),
        );
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !mayRunAgain(error)) throw error;
        if (cannotBePrepared(error)) prepares = false;
      }
    }
  }
}

/** Transactions and writes at a time. A third of the pool is left to reads. */
const writersOf = (poolSize: number): number => Math.max(1, Math.floor((poolSize * 2) / 3));

/**
 * Whether a transaction can run again. After a lost connection TypeORM sends no more statements, so nothing was
 * committed.
 */
const mayRunAgain = (error: unknown): boolean =>
  RETRYABLE.has(sqlState(error) ?? '') ||
  cannotBePrepared(error) ||
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

/** Returns the name of the violated constraint if `error` is PostgreSQL's unique_violation, else undefined. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  const driverError =
    (error as { driverError?: { constraint?: string } }).driverError ?? (error as { constraint?: string });
  return driverError.constraint;
}

/** SQLSTATEs of the classes data_exception and integrity_constraint_violation (PostgreSQL, appendix A). */
const REFUSED_VALUES = /^(?:22|23)/;

/**
 * Whether PostgreSQL has refused the values of a statement. The transaction is then rolled back, even if the error is the
 * response to COMMIT (a deferred constraint), because PostgreSQL checks constraints before it records the commit. A lost
 * connection is not among these errors.
 */
export const isRefusalOfValues = (error: unknown): boolean => REFUSED_VALUES.test(sqlState(error) ?? '');
