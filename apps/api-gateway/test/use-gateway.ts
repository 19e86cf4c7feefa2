import { Client } from 'pg';
import { type Gateway, startGateway } from './gateway';

/** What the tests of a file share. The values are there once the tests run. */
export interface UsedGateway {
  readonly gateway: Gateway;
  /** A connection to the gateway's database. */
  readonly database: Client;
}

/** Starts a gateway before the tests of a `describe` block, connects to its database, and stops both after them. */
export function useGateway(env: Readonly<Record<string, string>> = {}): UsedGateway {
  let gateway: Gateway;
  let database: Client;
  beforeAll(async () => {
    gateway = await startGateway(env);
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });
  return {
    get gateway() {
      return gateway;
    },
    get database() {
      return database;
    },
  };
}
