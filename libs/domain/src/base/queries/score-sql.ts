import type { Transaction } from '@vitrine/database';

/** What is added to the score of a row. */
export interface ScoreChange {
  readonly id: number;
  readonly by: number;
}

/**
 * Changes the scores of locked rows of a table that can be voted on, and returns the new scores by id. The same statement
 * also runs `effect`, SQL that reads `changed`: the rows with their new scores.
 */
export async function changeScores(
  tx: Transaction,
  table: 'posts' | 'comments',
  changes: readonly ScoreChange[],
  effect = 'select',
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ id: number; score: number }>(
    `with changed as (
       update ${table} voted set score = voted.score + change.by
       from unnest($1::bigint[], $2::integer[]) as change (id, by)
       where voted.id = change.id returning voted.id, voted.score
     ), effect as (${effect})
     select id, score from changed`,
    [changes.map(({ id }) => id), changes.map(({ by }) => by)],
  );
  return new Map(rows.map(({ id, score }) => [id, score]));
}
