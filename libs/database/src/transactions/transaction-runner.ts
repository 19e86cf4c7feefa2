import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { PoolClient, QueryResultRow } from 'pg';
import { inSpan, sqlState } from '@vitrine/runtime';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type Repository,
} from 'typeorm';
import { allowSilence } from '../connections/silent-connections';
import { DATABASE_SPAN } from '../connections/database-span';
import { cannotBePrepared, statementName } from '../reads/prepared-statements';

/** An open transaction, which a service passes to every repository that takes part. */
export class Transaction {
  constructor(
    private readonly manager: EntityManager,
    private readonly prepares = true,
  ) {}

  /** Runs one statement; placeholders are `$1`, `$2`, …. */
  query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.manager.query(sql, [...parameters]) as Promise<Row[]>;
  }

  /**
   * Runs a statement of the most frequent transactions. It is parsed and planned once per connection instead of once
   * per call, and none of TypeORM's layers is involved. There must be few different texts: values that vary belong in
   * the parameters. `query` is the default, because for some statements one plan for all values is worse.
   */
  async prepared<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    const values = [...parameters];
    const statement = this.prepares ? { name: statementName(text), text, values } : { text, values };
    return (await (await this.client()).query<Row>(statement)).rows;
  }

  /** Lifts the time limit of the statements that follow. */
  async liftTimeLimit(): Promise<void> {
    await this.query('set local statement_timeout = 0');
    allowSilence(await this.client());
  }

  /** Returns TypeORM's repository of an entity in this transaction; for `*.repository.ts` only. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** Throws as TypeORM does after the connection was lost. */
  private async client(): Promise<PoolClient> {
    const { queryRunner } = this.manager;
    if (!queryRunner || queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
    return queryRunner.connect() as Promise<PoolClient>;
  }
}

/** SQLSTATEs after which a transaction should be tried again: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 5;

const lastStatements = new AsyncLocalStorage<(tx: Transaction) => Promise<void>>();

/**
 * Runs `work`, and makes `statement` the last statement of each transaction that a `TransactionRunner` opens in it, so
 * that both commit together or not at all.
 */
export const endingTransactionsWith = <Result>(
  statement: (tx: Transaction) => Promise<void>,
  work: () => Result,
): Result => lastStatements.run(statement, work);

/**
 * Runs in `tx` the last statement that `endingTransactionsWith` gives to the transactions that are opened here. For work
 * that is done here in the transaction of another request.
 */
export const runLastStatement = async (tx: Transaction): Promise<void> => lastStatements.getStore()?.(tx);

/** Opens transactions for services. */
@Injectable()
export class TransactionRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction (READ COMMITTED, see `readCommitted`) and commits when it resolves. After a
   * deadlock, if the connection is lost between two statements, or if a prepared statement can't be used, `work` runs
   * again: it must have no effect outside the transaction.
   */
  run<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.runRepeatedly(null, work);
  }

  /**
   * As `run`, but all statements see the same snapshot (REPEATABLE READ), taken by the first one after any `lock table`.
   * They have no time limit: they count whole tables, and no request waits for them.
   */
  runInSnapshot<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.runRepeatedly('REPEATABLE READ', async (tx) => {
      await tx.liftTimeLimit();
      return work(tx);
    });
  }

  private async runRepeatedly<Result>(
    /** Null: that of the session, which costs no statement. */
    isolation: 'REPEATABLE READ' | null,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let prepares = true;
    for (let attempt = 1; ; attempt++) {
      try {
        return await inSpan('transaction', DATABASE_SPAN, () => {
          const run = async (manager: EntityManager): Promise<Result> => {
            const tx = new Transaction(manager, prepares);
            const result = await work(tx);
            await runLastStatement(tx);
            return result;
          };
          return isolation ? this.dataSource.transaction(isolation, run) : this.dataSource.transaction(run);
        });
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !mayRunAgain(error)) throw error;
        if (cannotBePrepared(error)) prepares = false;
      }
    }
  }
}

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
