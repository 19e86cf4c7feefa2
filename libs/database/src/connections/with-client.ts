import { Client, type ClientConfig } from 'pg';

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
