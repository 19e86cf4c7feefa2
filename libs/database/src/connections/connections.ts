import { Client, type ClientConfig, type Pool } from 'pg';

/** Injection token of the name that a process's sessions have in `pg_stat_activity`. */
export const APPLICATION_NAME = Symbol('vitrine:application-name');

/** The span of a transaction or read; it carries no statement and no values. */
export const DATABASE_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** Runs `work` on a new connection, named `applicationName`, and closes it. `limits` are in milliseconds. */
export async function withClient<Result>(
  url: string,
  applicationName: string,
  work: (client: Client) => Promise<Result>,
  limits: Pick<ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: applicationName, ...limits });
  // A lost server also fails the running query; the event itself must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The connections of a pool by state; `waiting` counts callers that wait for one. */
export interface PoolConnections {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export const connectionsOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolConnections => ({
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
});
