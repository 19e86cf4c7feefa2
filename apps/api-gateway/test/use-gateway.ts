import { borrowStack, type StackOptions } from '@vitrine/testing';
import { Client } from 'pg';
import { clientOf, type Gateway, type GatewayClient, startGateway } from './gateway';

/** Values that the tests of a file share. They are set before the first test runs. */
interface Used<Kind> {
  readonly gateway: Kind;
  /** A connection to the gateway's database. */
  readonly database: Client;
}

interface Opened<Kind> {
  readonly gateway: Kind;
  readonly databaseUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts a gateway before the tests of a `describe` block, connects to its database, and stops both after them. */
export const useGateway = (env: Readonly<Record<string, string>> = {}): Used<Gateway> =>
  use(async () => {
    const gateway = await startGateway(env);
    return { gateway, databaseUrl: gateway.database.url, close: () => gateway.stop() };
  });

/** The stack of the shared gateway, with the addresses that it writes into its answers. */
export const SHARED_GATEWAY: StackOptions = {
  env: {
    PUBLIC_API_URL: 'https://api.example.org/api/v1',
    PUBLIC_CDN_URL: 'https://cdn.example.org',
    PUBLIC_SITE_URL: 'https://example.org',
  },
  without: ['upload-service', 'media-processor', 'moderation-service', 'website'],
};

/**
 * Like `useGateway`, with a gateway that many suites use one after the other, each with an empty database. This saves
 * starting a process. For suites that need neither settings nor the process itself.
 */
export const useSharedGateway = (): Used<GatewayClient> =>
  use(async () => {
    const stack = await borrowStack(SHARED_GATEWAY);
    const gateway = clientOf(new URL(stack.apiUrl).origin);
    return { gateway, databaseUrl: stack.databaseUrl, close: () => stack.close() };
  });

function use<Kind>(open: () => Promise<Opened<Kind>>): Used<Kind> {
  let opened: Opened<Kind>;
  let database: Client;
  beforeAll(async () => {
    opened = await open();
    database = new Client({ connectionString: opened.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await opened.close();
  });
  return {
    get gateway() {
      return opened.gateway;
    },
    get database() {
      return database;
    },
  };
}
