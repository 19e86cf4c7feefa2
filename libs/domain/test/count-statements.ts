import { Client } from 'pg';

/**
 * The number of statements that this process sends to PostgreSQL during `work`, without those that set up a new connection or
 * signal earlier events: how many there are depends on what ran before.
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
