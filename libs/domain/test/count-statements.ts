import { Client } from 'pg';

/**
 * The number of statements that this process sends to PostgreSQL during `work`, without those that set up a new connection,
 * and without signals, which follow a commit some milliseconds later: both depend on what ran before.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent = query.mock.calls.map(([statement]: unknown[]) => statement);
    return sent.filter((statement) => !/^set session characteristics|pg_notify/.test(String(statement)))
      .length;
  } finally {
    query.mockRestore();
  }
}
