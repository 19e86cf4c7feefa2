import { Client } from 'pg';
import { type Answer, type Ask, type Gateway, startGateway } from './gateway';

const limitsOf = ({ headers }: Answer): (number | null)[] =>
  ['Limit', 'Remaining'].map((name) => {
    const value = headers.get(`X-RateLimit-${name}`);
    return value === null ? null : Number(value);
  });

describe('rate limits', () => {
  let gateway: Gateway;
  const SITE_KEY = 'k'.repeat(40);
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  beforeAll(async () => {
    gateway = await startGateway({
      TRUSTED_PROXIES: '127.0.0.1,::1,10.0.0.0/8',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '5',
      RATE_LIMIT_USER_PER_MINUTE: '8',
      SITE_SERVICE_KEY: SITE_KEY,
    });
  });
  afterAll(() => gateway.stop());

  // Promise [requests]: A request beyond a limit gives 429 with `Retry-After`, and changes nothing.
  it('counts every kind of answer for its address, then refuses requests without effect', async () => {
    const headers = from('203.0.113.1');
    const answers = [
      await gateway.ask('GET', '/nothing', { headers }),
      await gateway.ask('PUT', '/me', { headers }),
      await gateway.ask('GET', '/me', { headers }),
      await gateway.ask('POST', '/auth/login', { headers, raw: '{' }),
      await gateway.ask('GET', '/me', { headers: { ...headers, Authorization: 'Bearer nonsense' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 401, 400, 401]);
    expect(answers.map(limitsOf)).toEqual([
      [5, 4],
      [5, 3],
      [5, 2],
      [5, 1],
      [5, 0],
    ]);

    const body = { username: 'too_late', password: 'a long password' };
    const refused = await gateway.ask('POST', '/auth/register', { headers, body });
    expect(refused).toMatchObject({ status: 429, body: { message: 'Too Many Attempts.' } });
    expect(limitsOf(refused)).toEqual([5, 0]);
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(Number(refused.headers.get('X-RateLimit-Reset'))).toBeGreaterThanOrEqual(
      Math.floor(Date.now() / 1000),
    );
    const again = await gateway.ask('POST', '/auth/register', { headers: from('203.0.113.2'), body });
    expect(again.status).toBe(201);
  });

  // Promise [requests]: Preflights have a separate limit.
  it('counts preflights separately, and refuses those beyond their own limit', async () => {
    const headers = from('203.0.113.3');
    for (let n = 1; n <= 100; n++) {
      const preflight = await gateway.ask('OPTIONS', '/me', { headers });
      expect([preflight.status, ...limitsOf(preflight)]).toEqual([204, 100, 100 - n]);
    }
    const refused = await gateway.ask('OPTIONS', '/me', { headers });
    expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    expect(limitsOf(await gateway.ask('GET', '/me', { headers }))).toEqual([5, 4]);
  });

  // Promise [requests]: A guest’s token or ticket without the website’s key has the ordinary limits.
  it('gives a guest’s token and a ticket the ordinary limits if the request has no site key', async () => {
    const site = { 'X-Vitrine-Site-Key': SITE_KEY, 'X-Vitrine-Visitor': '192.0.2.77' };
    const { body } = await gateway.ask('POST', '/upload-tickets', { headers: site });
    const guest = String(body['guest_token']);
    const direct = { token: guest, headers: from('203.0.113.77') };
    expect(limitsOf(await gateway.ask('GET', '/posts', direct))).toEqual([5, 4]);
    expect(
      limitsOf(await gateway.ask('GET', '/posts', { ...direct, token: String(body['ticket']) })),
    ).toEqual([5, 3]);
    expect(limitsOf(await gateway.ask('GET', '/posts', { token: guest, headers: site }))).toEqual([50, 48]);
  });

  // Promise [requests]: An IPv6 `/64` counts as one address.
  it('counts an IPv6 network of 64 bits as one, and an IPv4 address in IPv6 as itself', async () => {
    const remaining = async (address: string) =>
      limitsOf(await gateway.ask('GET', '/me', { headers: from(address) }))[1];
    expect(await remaining('2001:db8:1:2::1')).toBe(4);
    expect(await remaining('2001:db8:1:2:ffff::9')).toBe(3);
    expect(await remaining('2001:db8:1:3::1')).toBe(4);
    expect(await remaining('203.0.113.4')).toBe(4);
    expect(await remaining('::ffff:203.0.113.4')).toBe(3);
  });

  // Promise [requests]: `X-Forwarded-For` is used only from trusted proxies.
  it('accepts X-Forwarded-For from trusted proxies only', async () => {
    const remaining = async (chain: string) =>
      limitsOf(await gateway.ask('GET', '/me', { headers: from(chain) }))[1];
    expect(await remaining('198.51.100.1, 203.0.113.5')).toBe(4);
    expect(await remaining('198.51.100.2, 203.0.113.5, 10.0.0.7')).toBe(3);
    expect(await remaining('nonsense, 203.0.113.5')).toBe(2);
  });

  // Promise [requests]: An account is counted over all its tokens and addresses.
  it('counts an account across all its tokens and addresses', async () => {
    const session = await gateway.register('many_tokens');
    const token = await gateway.mintToken(session);
    expect(limitsOf(await gateway.ask('GET', '/me', { token, headers: from('203.0.113.6') }))).toEqual([
      8, 6,
    ]);
    expect(
      limitsOf(await gateway.ask('GET', '/me', { token: session, headers: from('203.0.113.7') })),
    ).toEqual([8, 5]);
    expect(limitsOf(await gateway.ask('GET', '/me', { headers: from('203.0.113.6') }))).toEqual([5, 4]);
  });

  it('accepts exactly the limit of a burst', async () => {
    const headers = from('203.0.113.8');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => gateway.ask('GET', '/nothing', { headers })),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  // Promise [requests]: Each visitor of the website is counted separately, with ten times the limit.
  it('counts each visitor of the website separately with ten times the limit, if the site key is valid', async () => {
    const visit = (key: string, visitor: string) =>
      gateway.ask('GET', '/nothing', {
        headers: { ...from('203.0.113.9'), 'X-Vitrine-Site-Key': key, 'X-Vitrine-Visitor': visitor },
      });
    expect(limitsOf(await visit(SITE_KEY, '192.0.2.1'))).toEqual([50, 49]);
    expect(limitsOf(await visit(SITE_KEY, '192.0.2.1'))).toEqual([50, 48]);
    expect(limitsOf(await visit(SITE_KEY, '192.0.2.2'))).toEqual([50, 49]);
    expect(limitsOf(await visit('j'.repeat(40), '192.0.2.1'))).toEqual([5, 4]);
  });
});

describe('rate limits without trusted proxies', () => {
  it('ignore X-Forwarded-For', async () => {
    const gateway = await startGateway({ RATE_LIMIT_PUBLIC_PER_MINUTE: '5' });
    try {
      const ask = (address: string) =>
        gateway.ask('GET', '/nothing', { headers: { 'X-Forwarded-For': address } });
      expect(limitsOf(await ask('203.0.113.1'))).toEqual([5, 4]);
      expect(limitsOf(await ask('203.0.113.2'))).toEqual([5, 3]);
    } finally {
      await gateway.stop();
    }
  });
});

describe('the headers of rate limits', () => {
  // Promise [requests]: Every answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`
  // and `X-Request-Id`.
  it('are on every kind of answer', async () => {
    const gateway = await startGateway();
    const database = new Client({ connectionString: gateway.database.url });
    try {
      await database.connect();
      const token = await gateway.register('everywhere');
      const json = (raw: string): Ask => ({ raw });
      const asked: readonly (readonly [number, string, string, Ask])[] = [
        [200, 'GET', '/me', { token }],
        [200, 'HEAD', '/me', { token }],
        [204, 'OPTIONS', '/me', {}],
        [400, 'POST', '/auth/login', json('{')],
        [401, 'GET', '/me', {}],
        [401, 'GET', '/me', { token: 'nonsense' }],
        [404, 'GET', '/nothing', {}],
        [404, 'GET', '/media/%ff', {}],
        [405, 'PUT', '/me', {}],
        [413, 'POST', '/auth/login', json(JSON.stringify('x'.repeat(300_000)))],
        [422, 'POST', '/auth/login', json('{}')],
      ];
      const answers: [number, Answer][] = [];
      for (const [status, method, path, ask] of asked) {
        answers.push([status, await gateway.ask(method, path, ask)]);
      }
      await database.query('alter table media rename to away');
      answers.push([500, await gateway.ask('GET', '/media/aaaaaaa')]);
      for (const [status, answer] of answers) {
        expect(answer.status).toBe(status);
        expect(limitsOf(answer)).toEqual([status === 204 ? 2_000_000 : 100_000, expect.any(Number)]);
        expect(Number(answer.headers.get('X-RateLimit-Reset'))).toBeGreaterThan(Date.now() / 1000 - 1);
        expect(answer.headers.get('X-Request-Id')).not.toBeNull();
      }
    } finally {
      await database.end();
      await gateway.stop();
    }
  });
});
