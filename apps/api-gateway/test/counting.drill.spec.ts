import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { documentedOperations, type ServiceProcess, startService } from '@vitrine/testing';
import { type Gateway, startGateway } from './gateway';

const LIMIT = 100_000;

interface Sent {
  readonly method?: string;
  /** The whole target, including `/api/v1`. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const JSON_BODY = { 'Content-Type': 'application/json' };
const BAD_TOKEN = { Authorization: 'Bearer nonsense' };
const DEEP = `{"login":${'['.repeat(100)}${']'.repeat(100)}}`;

/** Requests that end before a route or in another unusual way, with the status of their answer. */
const UNUSUAL: readonly (readonly [what: string, status: number, sent: Sent])[] = [
  ['an unknown path', 404, { target: '/api/v1/nothing' }],
  ['a path outside of the API', 404, { target: '/nothing' }],
  ['the root', 404, { target: '/' }],
  ['a known path with another method', 405, { method: 'PUT', target: '/api/v1/media' }],
  ['HEAD of an unknown path', 404, { method: 'HEAD', target: '/api/v1/nothing' }],
  [
    'an unknown path with a body',
    404,
    { method: 'POST', target: '/api/v1/nothing', headers: JSON_BODY, body: '{' },
  ],
  ['a path with another case', 404, { target: '/API/v1/media' }],
  ['a path with an empty segment', 404, { target: '/api//v1/media' }],
  ['a path with two slashes at its end', 404, { target: '/api/v1/media//' }],
  ['a path with a needless escape', 404, { target: '/api/v1/%6dedia' }],
  ['a path with bytes that are not UTF-8', 404, { target: '/api/v1/media/%ff' }],
  ['a bad token on an unknown path', 401, { target: '/api/v1/nothing', headers: BAD_TOKEN }],
  ['a target in absolute form', 404, { target: 'http://test/api/v1/nothing' }],
];

/** The same, with routes that only the API has. */
const UNUSUAL_OF_API: typeof UNUSUAL = [
  ['a bad token', 401, { target: '/api/v1/me', headers: BAD_TOKEN }],
  ['a malformed body', 400, login('{')],
  ['a body that is nested too deeply', 400, login(DEEP)],
  ['a body that is too large', 413, login(JSON.stringify({ login: 'x'.repeat(300_000) }))],
  [
    'a body in an unknown encoding',
    415,
    { ...login('{}'), headers: { ...JSON_BODY, 'Content-Encoding': 'x' } },
  ],
  ['a body with wrong fields', 422, login('{}')],
  [
    'a malformed idempotency key',
    422,
    { ...login('{}'), headers: { ...JSON_BODY, 'Idempotency-Key': 'a b' } },
  ],
  [
    'a body for a route that needs a token',
    401,
    { method: 'PATCH', target: '/api/v1/me', headers: JSON_BODY, body: '{' },
  ],
];

const PREFLIGHT_TARGETS = ['/api/v1/me', '/api/v1/nothing', '/', '*', '/API/v1/me', '/api//v1'];

function login(body: string): Sent {
  return { method: 'POST', target: '/api/v1/auth/login', headers: JSON_BODY, body };
}

/** Seconds in which requests are counted together. */
const WINDOW = 60;

/** Sends a request unchanged, and returns the rate-limit headers of the answer. */
async function send(host: string, { method = 'GET', target, headers = {}, body = '' }: Sent) {
  const { hostname, port } = new URL(host);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ Host: 'test', Connection: 'close', ...headers });
  socket.write(
    `${method} ${target} HTTP/1.1\r\n` +
      lines.map(([name, value]) => `${name}: ${value}\r\n`).join('') +
      (body === '' ? '\r\n' : `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  const [head = ''] = (await text(socket)).split('\r\n\r\n');
  const limitHeader = (name: string): number | null => {
    const found = new RegExp(`^X-RateLimit-${name}: (\\d+)\r?$`, 'm').exec(head);
    return found ? Number(found[1]) : null;
  };
  return {
    status: Number(head.split(' ')[1]),
    limit: limitHeader('Limit'),
    remaining: limitHeader('Remaining'),
    reset: limitHeader('Reset'),
  };
}

describe('counting of requests', () => {
  let gateway: Gateway;
  let upload: ServiceProcess;
  let folder: string;

  beforeAll(async () => {
    const limits = {
      RATE_LIMIT_PUBLIC_PER_MINUTE: String(LIMIT),
      RATE_LIMIT_USER_PER_MINUTE: String(LIMIT),
    };
    gateway = await startGateway(limits);
    folder = await mkdtemp(join(tmpdir(), 'vitrine-counting-'));
    const STORAGE_URL = pathToFileURL(join(folder, 'objects')).href;
    upload = await startService('upload-service', {
      env: { ...limits, STORAGE_URL, DATABASE_URL: gateway.database.url },
    });
  });
  afterAll(async () => {
    await upload.stop();
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Sends the requests one by one, each between two requests of known effect, and expects that the count falls by one
   * at each step.
   */
  const expectEachCountedOnce = async (
    host: string,
    sent: readonly (readonly [what: string, status: number | undefined, sent: Sent])[],
    probe: Sent = { target: '/probe' },
  ): Promise<void> => {
    for (const [what, status, request] of sent) {
      const inTurn = async () =>
        [await send(host, probe), await send(host, request), await send(host, probe)] as const;
      let [before, answer, after] = await inTurn();
      // The count has begun anew in between.
      if (after.reset! - before.reset! > WINDOW / 2) [before, answer, after] = await inTurn();
      expect([what, answer.status]).toEqual([what, status ?? answer.status]);
      expect([what, before.limit, answer.limit]).toEqual([what, before.limit, before.limit]);
      expect([what, answer.remaining, after.remaining]).toEqual([
        what,
        before.remaining! - 1,
        before.remaining! - 2,
      ]);
      expect([what, answer.reset]).toEqual([what, expect.any(Number)]);
    }
  };

  const operations = (host: 'api' | 'upload') =>
    documentedOperations()
      .filter((one) => one.host === host)
      .map(({ method, path }) => ({
        method: method.toUpperCase(),
        target: `/api/v1${path.replace(/\{\w+\}/g, '1')}`,
      }));
  const asCases = (sent: readonly Sent[], headers: Sent['headers'] = {}) =>
    sent.map((one) => [`${one.method} ${one.target}`, undefined, { ...one, headers }] as const);

  it('counts a request to each operation once for the address', async () => {
    const api = operations('api');
    expect(api.length).toBeGreaterThan(50);
    await expectEachCountedOnce(gateway.service.url, asCases(api));
    await expectEachCountedOnce(upload.url, asCases(operations('upload')));
  });

  it('counts a request to each operation once for the account whose token it has', async () => {
    const token = await gateway.mintToken(await gateway.register('counted'));
    const headers = { Authorization: `Bearer ${token}` };
    const probe = { target: '/probe', headers };
    // DELETE /me, which would end the account, needs a session; the token must not revoke itself either.
    const api = operations('api').filter(({ target }) => target !== '/api/v1/tokens/current');
    await expectEachCountedOnce(gateway.service.url, asCases(api, headers), probe);
    await expectEachCountedOnce(upload.url, asCases(operations('upload'), headers), probe);
  });

  it('counts requests once that end before a route', async () => {
    await expectEachCountedOnce(gateway.service.url, [...UNUSUAL, ...UNUSUAL_OF_API]);
    await expectEachCountedOnce(upload.url, UNUSUAL);
  });

  it('counts each OPTIONS request once as a preflight, also for files', async () => {
    const probe = { method: 'OPTIONS', target: '/probe' };
    for (const host of [gateway.service.url, upload.url]) {
      const cases = PREFLIGHT_TARGETS.map(
        (target) => [target, undefined, { method: 'OPTIONS', target }] as const,
      );
      await expectEachCountedOnce(host, cases, probe);
    }
    const before = await send(upload.url, probe);
    const file = await send(upload.url, { method: 'OPTIONS', target: '/f/aaaaaaa.png' });
    expect(file).toMatchObject({ status: 204, remaining: before.remaining! - 1 });
    expect((await send(upload.url, probe)).remaining).toBe(before.remaining! - 2);
  });

  it('counts no request for a file', async () => {
    const probe = { target: '/probe' };
    const before = await send(upload.url, probe);
    for (const [status, sent] of [
      [404, { target: '/f/aaaaaaa.png' }],
      [404, { target: '/f/aaaaaaa.png', headers: BAD_TOKEN }],
      [404, { method: 'HEAD', target: '/f/a/b' }],
      [405, { method: 'POST', target: '/f/aaaaaaa.png' }],
    ] as const) {
      expect(await send(upload.url, sent)).toEqual({ status, limit: null, remaining: null, reset: null });
    }
    expect((await send(upload.url, probe)).remaining).toBe(before.remaining! - 1);
  });
});
