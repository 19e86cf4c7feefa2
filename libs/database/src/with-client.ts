import { Client } from 'pg';

/** Does some work on a connection of its own, known by `applicationName`, and ends it. */
export async function withClient<Result>(
  url: string,
  applicationName: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: applicationName });
  // A server that goes away fails the query under way too; the event alone must not end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
