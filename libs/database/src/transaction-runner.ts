import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
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
import { allowSilence } from './silent-connections';
import { DATABASE_SPAN } from './database-span';

/** An open transaction, handed from the service that opened it to every repository that takes part. */
export class Transaction {
  constructor(private readonly manager: EntityManager) {}

  /** Runs one statement; placeholders are `$1`, `$2`, …. */
  query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.manager.query(sql, [...parameters]) as Promise<Row[]>;
  }

  /** From now on its statements may take as long as they need. */
  async takeAnyTime(): Promise<void> {
    await this.query('set local statement_timeout = 0');
    const client: PoolClient | undefined = await this.manager.queryRunner?.connect();
    if (client) allowSilence(client);
  }

  /** TypeORM's repository of an entity within this transaction; for `*.repository.ts` alone. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }
}

/** PostgreSQL asks for another try: serialization_failure, deadlock_detected. */
const RETRYABLE = new Set(['40001', '40P01']);
const TRIES = 5;

const lastStatements = new AsyncLocalStorage<(tx: Transaction) => Promise<void>>();

/**
 * Has every transaction that a `TransactionRunner` opens within `work` end in `statement`, so that they commit
 * together or not at all.
 */
export const endingTransactionsWith = <Result>(
  statement: (tx: Transaction) => Promise<void>,
  work: () => Result,
): Result => lastStatements.run(statement, work);

/** Opens transactions for services. */
@Injectable()
export class TransactionRunner {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in one transaction (READ COMMITTED) and commits when it resolves. A deadlock's victim runs again, and
   * so does what loses its connection between two statements: `work` must have no effect outside the transaction.
   */
  run<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.tryRepeatedly('READ COMMITTED', work);
  }

  /**
   * As `run`, but all statements see one moment (REPEATABLE READ): that of the first after any `lock table`. They may
   * take as long as they need: what counts whole tables is no request that anybody waits for.
   */
  runInSnapshot<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.tryRepeatedly('REPEATABLE READ', async (tx) => {
      await tx.takeAnyTime();
      return work(tx);
    });
  }

  private async tryRepeatedly<Result>(
    isolation: 'READ COMMITTED' | 'REPEATABLE READ',
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inSpan('transaction', DATABASE_SPAN, () =>
          this.dataSource.transaction(isolation, async (manager) => {
            const tx = new Transaction(manager);
            const result = await work(tx);
            await lastStatements.getStore()?.(tx);
            return result;
          }),
        );
      } catch (error) {
        if (attempt >= TRIES || !deservesAnotherTry(error)) throw error;
      }
    }
  }
}

/** TypeORM refuses, unsent, what comes after the loss of a connection: nothing can have been committed. */
const deservesAnotherTry = (error: unknown): boolean =>
  RETRYABLE.has(sqlState(error) ?? '') ||
  error instanceof QueryRunnerAlreadyReleasedError ||
  error instanceof QueryRunnerProviderAlreadyReleasedError;

/** The constraint that a duplicate would break, where `error` is PostgreSQL's unique_violation. */
export function violatedUniqueConstraint(error: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  const driverError =
    (error as { driverError?: { constraint?: string } }).driverError ?? (error as { constraint?: string });
  return driverError.constraint;
}
