import { Injectable, Optional } from '@nestjs/common';
import { inSpan, isLostConnection } from '@vitrine/runtime';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { DATABASE_SPAN } from '../connections/database-span';
import { Replicas } from '../replicas/replicas';
import { cannotBePrepared, statementName } from './prepared-statements';

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

/**
 * Reads for the most frequent requests, outside transactions. Each statement is parsed and planned once per connection
 * instead of once per call, and none of TypeORM's layers is involved. For `*.repository.ts` only.
 */
@Injectable()
export class PreparedReads {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly replicas?: Replicas,
  ) {}

  /**
   * Runs a read; placeholders are `$1`, `$2`, …. There must be few different texts: values that vary belong in the
   * parameters. Runs a second time if its connection is lost. Rejects with the same errors as other queries.
   */
  query<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[] = [],
    options: ReadOptions = {},
  ): Promise<Row[]> {
    return inSpan('read', DATABASE_SPAN, () => this.read<Row>(text, parameters, options));
  }

  private async read<Row extends QueryResultRow>(
    text: string,
    parameters: readonly unknown[],
    { replica = false, unprepared = false }: ReadOptions,
  ): Promise<Row[]> {
    const values = [...parameters];
    const statement = unprepared ? { text, values } : { name: statementName(text), text, values };
    const fromReplica = replica ? await this.replicas?.query<Row>(statement) : null;
    if (fromReplica) return fromReplica;
    try {
      const { rows } = await this.pool.query<Row>(statement);
      return rows;
    } catch (error) {
      const mayRunAgain = isLostConnection(error) || (!unprepared && cannotBePrepared(error));
      if (!mayRunAgain) throw error;
      const { rows } = await this.pool.query<Row>({ text, values });
      return rows;
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master;
  }
}
