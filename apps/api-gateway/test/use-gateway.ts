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

/** Prepares more values that the tests share, such as accounts. */
type Prepare<More> = (database: Client) => Promise<More>;

/**
 * Starts a gateway before the tests of a `describe` block, connects to its database, prepares more values, and stops both
 * after the tests.
 */
export const useGateway = <More extends object = object>(
  env: Readonly<Record<string, string>> = {},
  prepare?: Prepare<More>,
): Used<Gateway> & More =>
  use(async () => {
    const gateway = await startGateway(env);
    return { gateway, databaseUrl: gateway.database.url, close: () => gateway.stop() };
  }, prepare);

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
export const useSharedGateway = <More extends object = object>(
  prepare?: Prepare<More>,
): Used<GatewayClient> & More =>
  use(async () => {
    const stack = await borrowStack(SHARED_GATEWAY);
    const gateway = clientOf(new URL(stack.apiUrl).origin);
    return { gateway, databaseUrl: stack.databaseUrl, close: () => stack.close() };
  }, prepare);

function use<Kind, More>(open: () => Promise<Opened<Kind>>, prepare?: Prepare<More>): Used<Kind> & More {
  const used = {} as Used<Kind> & More;
  let opened: Opened<Kind>;
  beforeAll(async () => {
    opened = await open();
    const database = new Client({ connectionString: opened.databaseUrl });
    await database.connect();
    Object.assign(used, { gateway: opened.gateway, database }, await prepare?.(database));
  });
  afterAll(async () => {
    await used.database.end();
    await opened.close();
  });
  return used;
}
