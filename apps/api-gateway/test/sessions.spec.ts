import { Client } from 'pg';
import { type Gateway, PASSWORD, startGateway } from './gateway';
import { createPerson } from './people';

const SITE_KEY = 'k'.repeat(40);
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

interface Session {
  readonly id: number;
  readonly device: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly current: boolean;
}

describe('sessions', () => {
  let gateway: Gateway;
  let database: Client;

  beforeAll(async () => {
    gateway = await startGateway({ SITE_SERVICE_KEY: SITE_KEY });
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
  });
  afterAll(async () => {
    await database.end();
    await gateway.stop();
  });

  const login = async (username: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const answer = await gateway.ask('POST', '/auth/login', {
      headers,
      body: { login: username, password: PASSWORD },
    });
    return String(answer.body['session']);
  };
  const list = async (token: string): Promise<readonly Session[]> =>
    (await gateway.ask<{ data: Session[] }>('GET', '/sessions', { token })).body.data;
  const statusOf = async (method: string, path: string, token: string): Promise<number> =>
    (await gateway.ask(method, path, { token })).status;
  const end = async (path: string, token: string, current_password = PASSWORD): Promise<number> =>
    (await gateway.ask('DELETE', `/sessions${path}`, { token, body: { current_password } })).status;

  // Promise [access]: Sessions are listed, the last used first.
  it('are listed with the place where they were opened, the last used first', async () => {
    await gateway.register('lists_sessions');
    const older = await login('lists_sessions', { 'User-Agent': FIREFOX });
    const newer = await login('lists_sessions', { 'User-Agent': SAFARI });
    await gateway.mintToken(newer);
    await gateway.ask('POST', '/upload-tickets', { token: newer });
    expect(await list(older)).toEqual(
      [
        { device: 'Safari on iOS', current: false },
        { device: 'Firefox on Linux', current: true },
        { device: null, current: false },
      ].map((session) => ({
        ...session,
        id: expect.any(Number),
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
      })),
    );
    await database.query(
      `update tokens set last_used_at = last_used_at - interval '4 minutes' where device = 'Safari on iOS'`,
    );
    expect((await list(newer)).map(({ device }) => device)).toEqual([
      'Firefox on Linux',
      null,
      'Safari on iOS',
    ]);
    await database.query(
      `update tokens set expires_at = now() - interval '1 second' where device = 'Firefox on Linux'`,
    );
    expect((await list(newer)).map(({ device }) => device)).toEqual([null, 'Safari on iOS']);
  });

  // Promise [access]: Of a user agent only its name is stored.
  it('store only the name of the user agent, and accept a visitor’s user agent from the site only', async () => {
    await gateway.register('visits', {});
    const agent = { 'User-Agent': 'node', 'X-Vitrine-Visitor-Agent': FIREFOX };
    const asSite = { 'X-Vitrine-Site-Key': SITE_KEY };
    const devices = [];
    for (const headers of [
      { ...agent, ...asSite },
      agent,
      { 'User-Agent': SAFARI, ...asSite },
      { ...agent, 'X-Vitrine-Site-Key': 'j'.repeat(40) },
    ]) {
      const session = await login('visits', headers);
      devices.push((await list(session)).find(({ current }) => current)?.device);
    }
    expect(devices).toEqual(['Firefox on Linux', null, null, null]);
    const { body } = await gateway.ask('POST', '/auth/register', {
      headers: { ...agent, ...asSite },
      body: { username: 'registers_on_site', password: PASSWORD },
    });
    expect(await list(String(body['session']))).toMatchObject([{ device: 'Firefox on Linux' }]);
    const { rows } = await database.query<{ row: string }>('select tokens::text as row from tokens');
    expect(JSON.stringify(rows)).not.toMatch(/Mozilla|Gecko|Firefox\/140/);
  });

  // Promise [access]: Sessions can be ended one by one or together.
  it('can be ended one by one, including the current one, but not those of other accounts', async () => {
    const first = await gateway.register('ends_sessions');
    const second = await login('ends_sessions');
    const stranger = await createPerson(database);
    const other = (await list(second)).find(({ current }) => !current)!;
    expect(await end(`/${other.id}`, stranger.session)).toBe(404);
    expect(await statusOf('DELETE', `/sessions/${other.id}`, second)).toBe(422);
    expect(await end(`/${other.id}`, second, 'wrong')).toBe(422);
    expect(await statusOf('GET', '/me', first)).toBe(200);
    expect(await end(`/${other.id}`, second)).toBe(200);
    expect(await statusOf('GET', '/me', first)).toBe(401);
    expect(await end(`/${other.id}`, second)).toBe(404);
    const [own] = await list(second);
    expect(own?.current).toBe(true);
    expect(await statusOf('DELETE', `/sessions/${own?.id}`, second)).toBe(200);
    expect(await statusOf('GET', '/me', second)).toBe(401);
  });

  it('can all be ended except the current one, with their tickets but without API tokens', async () => {
    const first = await gateway.register('stays_alone');
    const others = [await login('stays_alone'), await login('stays_alone')];
    const token = await gateway.mintToken(first);
    const { body } = await gateway.ask('POST', '/upload-tickets', { token: others[0]! });
    expect(await statusOf('DELETE', '/sessions', first)).toBe(422);
    expect(await statusOf('GET', '/tags', others[0]!)).toBe(200);
    expect(await end('', first)).toBe(200);
    for (const ended of [...others, String(body['ticket'])]) {
      expect(await statusOf('GET', '/tags', ended)).toBe(401);
    }
    expect(await statusOf('GET', '/me', token)).toBe(200);
    expect(await list(first)).toHaveLength(1);
  });

  it('can’t be ended as API tokens, nor API tokens as sessions', async () => {
    const session = await gateway.register('mixes_up');
    await gateway.mintToken(session);
    const [own] = await list(session);
    const { rows } = await database.query<{ id: string }>(
      `select max(t.id) as id from tokens t join users u on u.id = user_id where username = 'mixes_up' and t.kind = 'api'`,
    );
    expect(await statusOf('DELETE', `/tokens/${own?.id}`, session)).toBe(404);
    expect(await end(`/${rows[0]?.id}`, session)).toBe(404);
  });
});
