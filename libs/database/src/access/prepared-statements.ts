import { createHash } from 'node:crypto';
import { sqlState } from '@vitrine/runtime';
import type { QueryConfig } from 'pg';

/** If there are more texts than this, some texts contain values. */
const MAX_STATEMENTS = 500;

/** SQLSTATE of feature_not_supported: "cached plan must not change result type", after a migration. */
const STALE_PLAN = '0A000';

/**
 * SQLSTATEs of invalid_sql_statement_name and duplicate_prepared_statement: a pooler mixes sessions, and doesn't know their
 * statements.
 */
const MIXED = new Set(['26000', '42P05']);

/** Whether sessions are mixed. From then on nothing is prepared, because each failure costs a second attempt. */
let mixed = false;

const names = new Map<string, string>();

/**
 * The name under which a statement is prepared: a hash of the text, so that two releases can share the sessions of a pooler.
 * Throws if there are too many different texts.
 */
function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_STATEMENTS) throw new Error(`Too many statements to prepare: ${text}`);
  const name = `vitrine_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** A statement for pg, which parses and plans it once per connection if it is `prepared`. Throws as `statementName` does. */
export const statementOf = (
  text: string,
  parameters: readonly unknown[],
  prepared: boolean,
): QueryConfig => ({
  text,
  values: [...parameters],
  ...(prepared && !mixed && { name: statementName(text) }),
});

/** Whether a statement failed because it was prepared. */
export function cannotBePrepared(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  mixed ||= MIXED.has(state);
  return MIXED.has(state) || state === STALE_PLAN;
}
