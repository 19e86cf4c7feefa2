import {
  createTestDatabase,
  OpenApiCheck,
  type ServiceProcess,
  startService,
  type TestDatabase,
} from '@vitrine/testing';

/** The default type of a JSON body. */
type Fields = Readonly<Record<string, unknown>>;

export interface Answer<Body = Fields> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body; empty if the answer has none. */
  readonly body: Body;
}

export interface Ask {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

/** A client of a gateway. */
export interface GatewayClient {
  /** Origin of the gateway. */
  readonly url: string;
  /** Requests a path below `/api/v1`. Throws if the answer differs from docs/openapi.json. */
  ask<Body = Fields>(method: string, path: string, ask?: Ask): Promise<Answer<Body>>;
  /** Registers an account and returns the secret of its session. */
  register(username: string, fields?: object): Promise<string>;
  /** Creates an API token with a session and returns the secret of the token. */
  mintToken(session: string, fields?: object): Promise<string>;
}

/** A gateway on its own database, and a client of it. */
export interface Gateway extends GatewayClient {
  readonly database: TestDatabase;
  readonly service: ServiceProcess;
  stop(): Promise<void>;
}

export const PASSWORD = 'correct horse battery';

/** Starts a gateway. Its limits are too high to be reached unless `env` sets them. */
export async function startGateway(env: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const database = await createTestDatabase();
  const service = await startService('api-gateway', {
    env: {
      DATABASE_URL: database.url,
      RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
      RATE_LIMIT_USER_PER_MINUTE: '100000',
      ACCOUNT_SECRETS_KEY: 'the-key-of-account-secrets-only-in-tests',
      ...env,
    },
  }).catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
  return {
    ...clientOf(service.url),
    database,
    service,
    stop: async () => {
      await service.stop();
      await database.drop();
    },
  };
}

/** A client of the gateway at the origin `url`. */
export function clientOf(url: string): GatewayClient {
  const ask = <Body = Fields>(method: string, path: string, options?: Ask): Promise<Answer<Body>> =>
    askUrl<Body>(method, `${url}/api/v1${path}`, options);
  return {
    url,
    ask,
    register: async (username, fields) => {
      const { body } = await ask('POST', '/auth/register', {
        body: { username, password: PASSWORD, ...fields },
      });
      return String(body['session']);
    },
    mintToken: async (session, fields) => {
      const { body } = await ask('POST', '/tokens', {
        token: session,
        body: { name: 'test', current_password: PASSWORD, ...fields },
      });
      return String(body['token']);
    },
  };
}

const openApi = OpenApiCheck.shared();
const API_PATH = '/api/v1';

/** Requests a whole URL. Throws if an answer of the API differs from docs/openapi.json. */
export async function askUrl<Body = Fields>(
  method: string,
  url: string,
  { token, headers, body, raw }: Ask = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...((body !== undefined || raw !== undefined) && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(raw !== undefined
      ? { body: typeof raw === 'string' ? raw : Uint8Array.from(raw) }
      : body !== undefined
        ? { body: JSON.stringify(body) }
        : {}),
  });
  const { status, headers: received } = response;
  const text = await response.text();
  const parsed: unknown = text === '' ? undefined : JSON.parse(text);
  const { pathname } = new URL(url);
  if (pathname.startsWith(API_PATH)) {
    const path = pathname.slice(API_PATH.length);
    // The document describes what lies below the base address, which names the parts of the site.
    if (!['', '/'].includes(path))
      openApi.assert({ host: 'api', method, path, status, headers: received, body: parsed });
  }
  return { status, headers: received, body: (parsed ?? {}) as Body };
}
