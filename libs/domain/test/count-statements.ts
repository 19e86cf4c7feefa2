import { Client } from 'pg';

/**
 * The number of statements that this process sends to PostgreSQL during `work`, without those that set up a new connection:
 * how many connections are open when `work` begins depends on what ran before.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    const sent = query.mock.calls.map(([statement]: unknown[]) => statement);
    return sent.filter((statement) => !String(statement).startsWith('set session characteristics')).length;
  } finally {
    query.mockRestore();
  }
}
