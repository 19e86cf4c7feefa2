import { createHash } from 'node:crypto';
import { Injectable, Optional } from '@nestjs/common';
import { inSpan, sqlState } from '@vitrine/runtime';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { DATABASE_SPAN } from './database-span';
import { Replicas } from './replicas/replicas';

/** More texts than this can only mean that values were written into them. */
const MOST_STATEMENTS = 500;

/**
 * PostgreSQL can't use what was prepared: feature_not_supported ("cached plan must not change result type", after a
 * migration), invalid_sql_statement_name and duplicate_prepared_statement (behind a pooler that mixes sessions).
 */
const UNPREPARED = new Set(['0A000', '26000', '42P05']);

/**
 * A parameter with its type, e.g. `$1::bigint[]`, as a value that the planner doesn't look at. PostgreSQL plans a
 * prepared statement anew for each call as long as knowing the values makes the plan look cheaper, which for arrays of
 * few it always does, and planning then costs more than running. To be used where one plan is right for all values.
 */
export const unseen = (parameter: string): string => `(select ${parameter})`;

/** How a read may be answered. */
export interface ReadOptions {
  /**
   * By a replica too, so that the answer may be DATABASE_REPLICA_MAX_LAG_SECONDS old. For lists alone, and for those
   * alone who can't have written anything that they would miss; never for single items, accounts, tokens, moderation.
   */
  readonly replica?: boolean;
  /** Planned anew for its parameters each time, rather than once for all. */
  readonly unprepared?: boolean;
}

/**
 * Reads on the hottest paths, outside transactions. Each statement is parsed and planned once a connection instead of
 * once a call, and passes none of TypeORM's layers. For `*.repository.ts` alone.
 */
@Injectable()
export class PreparedReads {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly replicas?: Replicas,
  ) {}

  /**
   * Runs a read; placeholders are `$1`, `$2`, …. The text must be one of a few: what varies belongs into the
   * parameters. Fails as other queries do, so that an outage is told as one.
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
    const statement = unprepared ? { text, values } : { name: this.nameOf(text), text, values };
    const ofReplica = replica ? await this.replicas?.query<Row>(statement) : null;
    if (ofReplica) return ofReplica;
    try {
      const { rows } = await this.pool.query<Row>(statement);
      return rows;
    } catch (error) {
      if (unprepared || !UNPREPARED.has(sqlState(error) ?? '')) throw error;
      const { rows } = await this.pool.query<Row>({ text, values });
      return rows;
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master;
  }

  /** Names are of the text's making, so that versions of the service may share a pooler's sessions. */
  private nameOf(text: string): string {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    if (this.names.size >= MOST_STATEMENTS) throw new Error(`Too many statements to prepare: ${text}`);
    const name = `vitrine_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    this.names.set(text, name);
    return name;
  }
}
