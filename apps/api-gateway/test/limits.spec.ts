import { type Answer, type Gateway, startGateway } from './gateway';

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

  it('counts every kind of answer for its address, then refuses and changes nothing', async () => {
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

  it('does not count preflights', async () => {
    const headers = from('203.0.113.3');
    for (let n = 0; n < 10; n++) await gateway.ask('OPTIONS', '/me', { headers });
    expect(limitsOf(await gateway.ask('GET', '/me', { headers }))).toEqual([5, 4]);
  });

  it('counts an IPv6 network of 64 bits as one, and an IPv4 address in IPv6 as itself', async () => {
    const remaining = async (address: string) =>
      limitsOf(await gateway.ask('GET', '/me', { headers: from(address) }))[1];
    expect(await remaining('2001:db8:1:2::1')).toBe(4);
    expect(await remaining('2001:db8:1:2:ffff::9')).toBe(3);
    expect(await remaining('2001:db8:1:3::1')).toBe(4);
    expect(await remaining('203.0.113.4')).toBe(4);
    expect(await remaining('::ffff:203.0.113.4')).toBe(3);
  });

  it('believes a proxy about its client, and the client about nothing', async () => {
    const remaining = async (chain: string) =>
      limitsOf(await gateway.ask('GET', '/me', { headers: from(chain) }))[1];
    expect(await remaining('198.51.100.1, 203.0.113.5')).toBe(4);
    expect(await remaining('198.51.100.2, 203.0.113.5, 10.0.0.7')).toBe(3);
    expect(await remaining('nonsense, 203.0.113.5')).toBe(2);
  });

  it('counts an account over all its tokens and addresses', async () => {
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

  it('admits exactly the limit of a burst', async () => {
    const headers = from('203.0.113.8');
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => gateway.ask('GET', '/nothing', { headers })),
    );
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('counts visitors of the web site each on their own, ten-fold, where the site proves itself', async () => {
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
  it('do not believe X-Forwarded-For', async () => {
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
