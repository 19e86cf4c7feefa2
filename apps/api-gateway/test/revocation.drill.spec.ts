import { eventually, type ServiceProcess, startService, withinSeconds } from '@vitrine/testing';
import { Client } from 'pg';
import { askUrl, type Gateway, PASSWORD, startGateway } from './gateway';

describe('ending a token', () => {
  let gateway: Gateway;
  let second: ServiceProcess;
  beforeAll(async () => {
    gateway = await startGateway();
    second = await startService('api-gateway', {
      env: { DATABASE_URL: gateway.database.url, RATE_LIMIT_USER_PER_MINUTE: '100000' },
    });
  });
  afterAll(async () => {
    await second.stop();
    await gateway.stop();
  });

  const statusHere = async (token: string) => (await gateway.ask('GET', '/me', { token })).status;
  const statusElsewhere = async (token: string) =>
    (await askUrl('GET', `${second.url}/api/v1/me`, { token })).status;

  /** Ends the token in this process while it is in constant use in the other one. */
  async function expectEnd(token: string, end: () => Promise<{ readonly status: number }>): Promise<void> {
    expect(await statusHere(token)).toBe(200);
    let used = 0;
    let endedAt = Infinity;
    const use = async (): Promise<void> => {
      for (; endedAt === Infinity; used++) await statusElsewhere(token);
      await withinSeconds(1, async () => expect(await statusElsewhere(token)).toBe(401), endedAt);
    };
    const users = Promise.all([use(), use(), use()]);
    while (used < 20) await statusHere(token);
    expect((await end()).status).toBe(200);
    endedAt = performance.now();
    expect(await statusHere(token)).toBe(401);
    await users;
    expect(await statusElsewhere(token)).toBe(401);
  }

  // Promise [access]: Revocation, logging out and a new password take effect in every process within a
  // second.
  it('takes effect immediately in the same process and within a second in all others: revoked, logged out, password changed', async () => {
    const session = await gateway.register('ada');
    const token = await gateway.mintToken(session);
    const { body } = await gateway.ask('GET', '/tokens', { token: session });
    const [{ id }] = body['data'] as [{ id: number }];
    await expectEnd(token, () => gateway.ask('DELETE', `/tokens/${id}`, { token: session }));

    const login = () => gateway.ask('POST', '/auth/login', { body: { login: 'ada', password: PASSWORD } });
    const other = String((await login()).body['session']);
    await expectEnd(other, () =>
      gateway.ask('POST', '/me/password', {
        token: session,
        body: { current_password: PASSWORD, password: 'another good password' },
      }),
    );
    expect(await statusHere(session)).toBe(200);
    await expectEnd(session, () => gateway.ask('POST', '/auth/logout', { token: session }));
  });

  // Promise [access]: A suspension takes effect in every process within a second.
  it('takes effect immediately in the same process and within a second in all others: suspended', async () => {
    const session = await gateway.register('spammer');
    const moderator = await gateway.register('mona');
    const database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    await database.query(`update users set role = 'moderator' where username = 'mona'`);
    await database.end();
    // The role is cached for half a second.
    await eventually(async () => {
      expect((await gateway.ask('GET', '/moderation/queue', { token: moderator })).status).toBe(200);
    });
    const rule = (body: object) =>
      gateway.ask('POST', '/moderation/users/spammer', { token: moderator, body });
    await expectEnd(session, () => rule({ state: 'suspended', reason: 'Spam.' }));
    expect((await rule({ state: 'active' })).status).toBe(200);
    expect(await statusElsewhere(session)).toBe(200);
  });

  it('has no delay for new tokens: they work in every process immediately', async () => {
    const session = await gateway.register('grace');
    expect(await statusElsewhere(session)).toBe(200);
    for (let n = 0; n < 5; n++) expect(await statusElsewhere(await gateway.mintToken(session))).toBe(200);
  });
});
