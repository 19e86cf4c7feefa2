import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { type Lies, LyingProvider } from '../../../test/lying-provider';
import { OutgoingNetwork } from '../../outgoing/requests/outgoing-network';
import { handshakeOf, ProviderConnection } from './provider-connection';
import { ProviderUnreachableError } from './provider-errors';
import { ProviderHttp } from './provider-http';
import { readProviders } from './provider-settings';

const SECONDS = { timeoutSeconds: 1, providers: [], passwordLogin: true };

describe('ProviderConnection', () => {
  const provider = new LyingProvider('one');
  beforeAll(() => provider.start());
  beforeEach(() => {
    provider.lies = {};
    provider.asked.length = 0;
  });
  afterAll(() => provider.stop());

  const connect = (allowPrivate = true): ProviderConnection =>
    new ProviderConnection(
      readProviders(JSON.stringify([provider.settings()]))[0]!,
      new ProviderHttp({ ...SECONDS, allowPrivate }, new OutgoingNetwork()),
      { allowPrivate, patienceMs: 1000 },
    );
  const address = (connection: ProviderConnection): Promise<URL> =>
    connection.authorizationUrl(handshakeOf('secret'), 'https://site.example/callback', false);

  it('asks the provider nothing before it is used, and then for its metadata once', async () => {
    const connection = connect();
    expect(provider.asked).toEqual([]);
    await Promise.all(Array.from({ length: 5 }, () => address(connection)));
    expect(provider.asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('does not ask a provider again at once after it has failed', async () => {
    provider.lies = { answer: (_, response) => response.writeHead(500).end() };
    const connection = connect();
    for (let n = 0; n < 3; n++) await expect(address(connection)).rejects.toThrow(ProviderUnreachableError);
    expect(provider.asked).toHaveLength(1);
  });

  it.each<[string, Lies]>([
    ['another issuer', { metadata: { issuer: 'https://other.example' } }],
    ['only plain PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }],
    ['an address for scripts', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['a logout address for scripts', { metadata: { end_session_endpoint: 'data:text/html,x' } }],
    ['metadata that are no JSON', { answer: (_, response) => response.end('hello') }],
    ['metadata without an end', { answer: (_, response) => pour(response) }],
    ['a redirect', { answer: (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end() }],
  ])('refuses a provider with %s', async (_, lies) => {
    provider.lies = lies;
    await expect(address(connect())).rejects.toThrow(ProviderUnreachableError);
    expect(provider.asked).toHaveLength(1);
  });

  it('does not use the private address of a provider unless it may', async () => {
    await expect(address(connect(false))).rejects.toThrow(ProviderUnreachableError);
    expect(provider.asked).toEqual([]);
  });

  it('lets a bounded number of requests wait for a provider that hangs', async () => {
    provider.lies = { answer: () => undefined };
    const connection = connect();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => address(connection)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(provider.asked).toHaveLength(1);
  });
});

const pour = (response: Parameters<RequestListener>[1]): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

/** The loopback network stands for the internet here: 127.0.0.1 is private, and its other addresses are public. */
class LoopbackNetwork extends OutgoingNetwork {
  override isPublic(address: string): boolean {
    return address !== '127.0.0.1';
  }
}

describe('ProviderHttp', () => {
  const servers: Server[] = [];
  const asked: string[] = [];
  const serve = async (host: string, answer: RequestListener): Promise<string> => {
    const server = createServer((request, response) => {
      asked.push(`${host}${request.url}`);
      answer(request, response);
    }).listen(0, host);
    await once(server, 'listening');
    servers.push(server);
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  afterEach(() => {
    asked.length = 0;
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  const http = (allowPrivate: boolean): ProviderHttp =>
    new ProviderHttp({ ...SECONDS, allowPrivate }, new LoopbackNetwork());

  it('follows no redirect, so that none leads to a private address', async () => {
    const inner = await serve('127.0.0.1', (_, response) => response.end('inner'));
    const outer = await serve('127.0.0.2', (_, response) =>
      response.writeHead(307, { Location: `${inner}/secrets` }).end(),
    );
    const { status } = await http(true).fetch(`${outer}/token`, { method: 'POST', body: 'code=x' });
    expect(status).toBe(307);
    expect(asked).toEqual(['127.0.0.2/token']);
  });

  // Promise [security]: Identity providers are reached at public addresses only.
  it.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://localhost/',
  ])('does not connect to %s, which the metadata may name', async (url) => {
    const real = new ProviderHttp({ ...SECONDS, allowPrivate: false }, new OutgoingNetwork());
    await expect(real.fetch(url, {})).rejects.toThrow(/not public|no address/);
  });

  it('uses only https unless private addresses are allowed, and never another scheme', async () => {
    const url = await serve('127.0.0.2', (_, response) => response.end('{}'));
    await expect(http(false).fetch(url, {})).rejects.toThrow('https://');
    expect(asked).toEqual([]);
    expect((await http(true).fetch(url, {})).status).toBe(200);
    await expect(http(true).fetch('file:///etc/passwd', {})).rejects.toThrow('https://');
  });

  it('waits for a bounded time and reads a bounded answer', async () => {
    const hanging = await serve('127.0.0.2', () => undefined);
    const endless = await serve('127.0.0.3', (_, response) => pour(response));
    await Promise.all([
      expect(http(true).fetch(hanging, {})).rejects.toThrow('no answer within 1 seconds'),
      expect(http(true).fetch(endless, {})).rejects.toThrow('more than 262144 bytes'),
    ]);
  });
});
