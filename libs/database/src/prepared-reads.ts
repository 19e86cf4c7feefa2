import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { sqlState } from './transaction-runner';

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

/**
 * Reads on the hottest paths, outside transactions. Each statement is parsed and planned once a connection instead of
 * once a call, and passes none of TypeORM's layers. For `*.repository.ts` alone.
 */
@Injectable()
export class PreparedReads {
  private readonly names = new Map<string, string>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs a read; placeholders are `$1`, `$2`, …. The text must be one of a few: what varies belongs into the
   * parameters. Fails as other queries do, so that an outage is told as one.
   */
  async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const values = [...parameters];
    try {
      const { rows } = await this.pool.query({ name: this.nameOf(text), text, values });
      return rows as Row[];
    } catch (error) {
      if (!UNPREPARED.has(sqlState(error) ?? '')) throw error;
      const { rows } = await this.pool.query({ text, values });
      return rows as Row[];
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
