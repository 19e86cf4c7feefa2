import { type Answer, type Gateway, PASSWORD, startGateway } from './gateway';

const LIMIT = 100_000;

describe('limits of routes', () => {
  let gateway: Gateway;
  let visitors = 0;
  beforeAll(async () => {
    gateway = await startGateway({
      TRUSTED_PROXIES: '127.0.0.1,::1',
      RATE_LIMIT_PUBLIC_PER_MINUTE: String(LIMIT),
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'no-reply@example.org',
      PUBLIC_SITE_URL: 'https://example.org',
    });
    await gateway.register('always_right');
  });
  afterAll(() => gateway.stop());

  const newcomer = () => ({ 'X-Forwarded-For': `198.51.100.${++visitors}` });
  const post = (path: string, headers: Record<string, string>, body: object): Promise<Answer> =>
    gateway.ask('POST', path, { headers, body });
  const fail = (headers: Record<string, string>, n: number): Promise<Answer> =>
    post('/auth/login', headers, { login: `nobody_${n}`, password: 'not the one' });
  const succeed = (headers: Record<string, string>): Promise<Answer> =>
    post('/auth/login', headers, { login: 'always_right', password: PASSWORD });
  const countOf = (answers: readonly Answer[], status: number): number =>
    answers.filter((answer) => answer.status === status).length;

  it('accept a known browser while strangers at the same address fail, up to a hundred failures', async () => {
    const first = await succeed(newcomer());
    const known = { login: 'always_right', password: PASSWORD, device: first.body['device'] };
    const headers = newcomer();
    const failures = await Promise.all(Array.from({ length: 60 }, (_, n) => fail(headers, n)));
    expect([countOf(failures, 422), countOf(failures, 429)]).toEqual([20, 40]);
    expect((await succeed(headers)).status).toBe(429);
    expect((await post('/auth/login', headers, known)).status).toBe(200);
    await Promise.all(Array.from({ length: 45 }, (_, n) => fail(headers, n)));
    const refused = await post('/auth/login', headers, known);
    expect(refused).toMatchObject({ status: 429, body: { message: 'Too Many Attempts.' } });
    const retryAfter = Number(refused.headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(60);
    expect(retryAfter).toBeLessThanOrEqual(300);
  });

  it('accept exactly a hundred simultaneous failed logins of one client', async () => {
    const headers = newcomer();
    const incomplete = (): Promise<Answer> => post('/auth/login', headers, { login: 'always_right' });
    const answers = await Promise.all(Array.from({ length: 105 }, incomplete));
    expect([countOf(answers, 422), countOf(answers, 429)]).toEqual([100, 5]);
    expect((await succeed(newcomer())).status).toBe(200);
  });

  it('do not count successful logins', async () => {
    const headers = newcomer();
    for (let n = 0; n < 19; n++) expect((await fail(headers, n)).status).toBe(422);
    for (let n = 0; n < 3; n++) expect((await succeed(headers)).status).toBe(200);
    expect((await fail(headers, 19)).status).toBe(422);
    expect((await fail(headers, 20)).status).toBe(429);
  });

  it('accept ten requests of one client for a new password in an hour', async () => {
    const headers = newcomer();
    const ask = (): Promise<Answer> => post('/auth/password-reset', headers, { login: 'always_right' });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    expect([countOf(answers, 202), countOf(answers, 429)]).toEqual([10, 2]);
    const retryAfter = Number((await ask()).headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(300);
    expect(retryAfter).toBeLessThanOrEqual(3600);
  });

  it('leave the limit of all requests and its headers as they are, also those of other routes', async () => {
    const headers = newcomer();
    const remaining = ({ headers: sent }: Answer) =>
      [sent.get('X-RateLimit-Limit'), sent.get('X-RateLimit-Remaining')].map(Number);
    for (let n = 0; n < 22; n++) expect(remaining(await fail(headers, n))).toEqual([LIMIT, LIMIT - 1 - n]);
    const reset = await post('/auth/password-reset', headers, { login: 'always_right' });
    expect([reset.status, ...remaining(reset)]).toEqual([202, LIMIT, LIMIT - 23]);
  });
});
