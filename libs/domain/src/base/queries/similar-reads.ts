import type { Database } from '@vitrine/database';
import { sqlState } from '@vitrine/runtime';

/**
 * From this similarity on (0 to 1), a word counts as another spelling: `tobais` and `tobias` have 0.43, but `tobi` and every
 * text with `to` have 0.4.
 */
const LEAST_SIMILARITY = 0.42;

/** The time of a statement that compares words, in milliseconds: common words resemble very many others. */
const TIME_LIMIT_MS = 200;

/** SQLSTATE query_canceled. */
const QUERY_CANCELED = '57014';

/**
 * Runs a statement that finds texts with words like those of another text (`text %> other`, of pg_trgm), and resolves with the
 * ids that it found; with none if it takes too long.
 */
export async function readSimilar(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<number[]> {
  try {
    return await database.transaction(async (tx) => {
      await tx.query(
        `select set_config('pg_trgm.word_similarity_threshold', '${LEAST_SIMILARITY}', true),
                set_config('statement_timeout', '${TIME_LIMIT_MS}', true)`,
      );
      return (await tx.query<{ id: number }>(sql, parameters)).map(({ id }) => id);
    });
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELED) return [];
    throw error;
  }
}
