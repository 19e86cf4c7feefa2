import { borrowStack, type Stack } from '@vitrine/testing';
import { Client } from 'pg';
import { clientOf, type Gateway, type GatewayClient, startGateway } from './gateway';

/** Values that the tests of a file share. They are set before the first test runs. */
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

/** The addresses that the shared gateway writes into its answers. */
export const SHARED_ADDRESSES = {
  PUBLIC_API_URL: 'https://api.example.org/api/v1',
  PUBLIC_CDN_URL: 'https://cdn.example.org',
  PUBLIC_SITE_URL: 'https://example.org',
};

/**
 * Like `useGateway`, with a gateway that many suites use one after the other, each with an empty database. This saves
 * starting a process. For suites that need neither settings nor the process itself.
 */
export function useSharedGateway(): { readonly gateway: GatewayClient; readonly database: Client } {
  let stack: Stack;
  let gateway: GatewayClient;
  let database: Client;
  beforeAll(async () => {
    stack = await borrowStack({
      env: SHARED_ADDRESSES,
      without: ['upload-service', 'media-processor', 'moderation-service', 'website'],
    });
    gateway = clientOf(new URL(stack.apiUrl).origin);
    database = new Client({ connectionString: stack.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await stack.close();
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
