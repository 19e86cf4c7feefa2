import {
  documentedOperations,
  eventually,
  readOpenApi,
  type ServiceProcess,
  startService,
} from '@vitrine/testing';
import { Client } from 'pg';
import { type Answer, type Ask, askUrl, type Gateway, PASSWORD, startGateway } from './gateway';

const REPLAYED = 'Idempotent-Replayed';

describe('Idempotency-Key', () => {
  let gateway: Gateway;
  /** Another process on the same database. */
  let other: ServiceProcess;
  let database: Client;
  /** A separate connection, whose transaction blocks the creation of tokens. */
  let lock: Client;
  let session: string;
  let keys = 0;

  const startOther = () =>
    startService('api-gateway', {
      env: {
        DATABASE_URL: gateway.database.url,
        RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
        RATE_LIMIT_USER_PER_MINUTE: '100000',
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
  beforeAll(async () => {
    gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.1' });
    other = await startOther();
    database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    lock = new Client({ connectionString: gateway.database.url });
    await lock.connect();
  });
  afterAll(async () => {
    await Promise.all([database.end(), lock.end()]);
    await other.stop('SIGKILL');
    await gateway.stop();
  });
  beforeEach(async () => {
    session = await gateway.register(`user_${++keys}`);
  });

  const freshKey = () => `key-${++keys}`;
  const keyed = (key: string) => ({ 'Idempotency-Key': key });
  const makeToken = (key: string, name: string, ask: Ask = {}) =>
    gateway.ask('POST', '/tokens', {
      token: session,
      body: { name, current_password: PASSWORD },
      ...ask,
      headers: { ...keyed(key), ...ask.headers },
    });
  const askOther = (method: string, path: string, ask: Ask): Promise<Answer> =>
    askUrl(method, `${other.url}/api/v1${path}`, ask);
  const tokenNames = async (): Promise<string[]> => {
    const { body } = await gateway.ask('GET', '/tokens', { token: session });
    return (body['data'] as { name: string }[]).map(({ name }) => name).sort();
  };
  /** Runs `during` while no token can be created: requests that create one hang. */
  const withTokensLocked = async <T>(during: () => Promise<T>): Promise<T> => {
    await lock.query('begin; lock table tokens in share row exclusive mode');
    try {
      return await during();
    } finally {
      await lock.query('rollback');
    }
  };
  const hanging = async (count: number): Promise<void> => {
    const { rows } = await database.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_locks where not granted and relation = 'tokens'::regclass
         and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(rows[0]?.waiting).toBe(count);
  };
  /** Lets all leases expire, as if the processes of the attempts had not renewed them. */
  const letLeasesLapse = () =>
    database.query('update idempotency_keys set lease_until = now() where answer is null');

  /** Takes the key over from attempts that still run. If one renews its lease between the two steps, the answer is 409. */
  const takeOver = async (ask: Ask): Promise<Answer> => {
    for (;;) {
      await letLeasesLapse();
      const answer = await askOther('POST', '/tokens', ask);
      if (answer.status !== 409) return answer;
    }
  };

  // Promise [requests]: A repeated request with the same key gets the stored answer, in every process, with
  // `Idempotent-Replayed: true`.
  it('returns the stored answer in every process, and executes the request once', async () => {
    const key = freshKey();
    const first = await makeToken(key, 'camera');
    expect([first.status, first.headers.get(REPLAYED)]).toEqual([201, null]);
    const again = await makeToken(key, 'camera');
    const elsewhere = await askOther('POST', '/tokens', {
      token: session,
      headers: keyed(key),
      raw: `  { "current_password":"${PASSWORD}", "name" : "camera" }\n`,
    });
    for (const replayed of [again, elsewhere]) {
      expect(replayed).toMatchObject({ status: 201, body: first.body });
      expect(replayed.headers.get(REPLAYED)).toBe('true');
      expect(replayed.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
      expect(replayed.headers.get('Cache-Control')).toBe('no-store');
      expect(replayed.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
      expect(replayed.headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
    }
    expect(await tokenNames()).toEqual(['camera']);
  });

  it('belongs to the account, independent of the token', async () => {
    const key = freshKey();
    const first = await makeToken(key, 'camera');
    const { body } = await gateway.ask('POST', '/auth/login', {
      body: { login: `user_${keys - 1}`, password: PASSWORD },
    });
    const again = await makeToken(key, 'camera', { token: String(body['session']) });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get(REPLAYED)).toBe('true');

    const stranger = await gateway.register(`user_${++keys}`);
    const theirs = await makeToken(key, 'camera', { token: stranger });
    expect([theirs.status, theirs.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(theirs.body['token']).not.toBe(first.body['token']);
  });

  // Promise [requests]: Without a token, an idempotency key belongs to the IP address.
  it('belongs to the address if there is no token', async () => {
    const key = freshKey();
    const register = (address: string, username: string) =>
      gateway.ask('POST', '/auth/register', {
        headers: { ...keyed(key), 'X-Forwarded-For': address },
        body: { username, password: PASSWORD },
      });
    const first = await register('2001:db8::1', 'ada');
    const again = await register('2001:db8::2', 'ada');
    expect(again.body).toEqual(first.body);
    expect(again.headers.get(REPLAYED)).toBe('true');
    expect((await gateway.ask('GET', '/me', { token: String(again.body['session']) })).status).toBe(200);
    expect(await register('2001:db8:0:1::1', 'ada')).toMatchObject({
      status: 422,
      body: { errors: { username: ['The username has already been taken.'] } },
    });
  });

  // Promise [requests]: A different request with the same key gives 422.
  it('refuses a different request with the same key', async () => {
    const key = freshKey();
    await makeToken(key, 'camera');
    const message = 'The idempotency_key has been used for another request.';
    const refused = { status: 422, body: { message, errors: { idempotency_key: [message] } } };
    expect(await makeToken(key, 'phone')).toMatchObject(refused);
    expect(await makeToken(key, 'camera', { body: { name: 'camera', scopes: ['read'] } })).toMatchObject(
      refused,
    );
    const elsewhere = {
      token: session,
      headers: keyed(key),
      body: { name: 'camera', current_password: PASSWORD },
    };
    expect(await gateway.ask('POST', '/tokens?a=b', elsewhere)).toMatchObject(refused);
    expect(await gateway.ask('POST', '/me/password', elsewhere)).toMatchObject(refused);
    expect((await makeToken(key, 'camera')).status).toBe(201);
    expect(await tokenNames()).toEqual(['camera']);
  });

  // Promise [requests]: Refusals are stored for repeated requests, except 401 and 429.
  it('stores refusals, except 401 and 429', async () => {
    const key = freshKey();
    const wrong = await makeToken(key, '');
    const again = await makeToken(key, '');
    expect(again).toMatchObject({ status: 422, body: wrong.body });
    expect(again.headers.get(REPLAYED)).toBe('true');

    const late = freshKey();
    const anonymous = await gateway.ask('POST', '/tokens', {
      headers: keyed(late),
      body: { name: 'camera' },
    });
    expect(anonymous.status).toBe(401);
    expect((await makeToken(late, 'camera')).headers.get(REPLAYED)).toBeNull();

    const slowed = freshKey();
    const login = (headers = {}) =>
      gateway.ask('POST', '/auth/login', {
        headers,
        body: { login: 'nobody_at_all', password: 'wrong password' },
      });
    for (let n = 0; n < 5; n++) await login();
    for (let n = 0; n < 2; n++) {
      const refused = await login(keyed(slowed));
      expect([refused.status, refused.headers.get(REPLAYED)]).toEqual([429, null]);
    }
  });

  // Promise [requests]: An idempotency key has 1 to 255 visible ASCII characters.
  it('must have 1 to 255 visible ASCII characters', async () => {
    for (const bad of ['', 'two words', 'ä', 'x'.repeat(256)]) {
      expect(await makeToken(bad, 'camera')).toMatchObject({
        status: 422,
        body: {
          errors: {
            idempotency_key: ['The idempotency_key field must be 1 to 255 visible ASCII characters.'],
          },
        },
      });
    }
    expect(await tokenNames()).toEqual([]);
    expect((await makeToken('!~'.repeat(127) + 'x', 'camera')).status).toBe(201);
    const read = await gateway.ask('GET', '/me', { token: session, headers: keyed('two words') });
    expect(read.status).toBe(200);
  });

  // Promise [requests]: Every POST accepts an `Idempotency-Key`.
  it('is honoured on every POST', async () => {
    await database.query(`update users set role = 'admin' where username = 'user_${keys}'`);
    const posts = documentedOperations(readOpenApi()).filter(
      ({ host, method }) => host === 'api' && method === 'POST',
    );
    expect(posts.length).toBeGreaterThan(3);
    for (const { path } of posts) {
      const { status, body } = await gateway.ask('POST', path.replaceAll(/\{\w+\}/g, '1'), {
        token: session,
        headers: keyed('two words'),
        body: {},
      });
      expect([path, status, Object.keys(body['errors'] ?? {})]).toEqual([path, 422, ['idempotency_key']]);
    }
  });

  it('accepts nested and empty bodies', async () => {
    for (const raw of [`{"name":${'['.repeat(30)}${']'.repeat(30)}}`, '']) {
      const key = freshKey();
      const ask = { token: session, headers: keyed(key), raw };
      const first = await gateway.ask('POST', '/tokens', ask);
      expect(first.status).toBe(422);
      expect((await gateway.ask('POST', '/tokens', ask)).headers.get(REPLAYED)).toBe('true');
    }
  });

  // Promise [requests]: A repeated request gives 409 while the first one is in progress.
  it('executes one of many simultaneous requests, over all processes', async () => {
    const key = freshKey();
    const ask = { token: session, headers: keyed(key), body: { name: 'camera', current_password: PASSWORD } };
    const { answers, inProgress } = await withTokensLocked(async () => {
      const answers = Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 2 === 0 ? gateway.ask('POST', '/tokens', ask) : askOther('POST', '/tokens', ask),
        ),
      );
      await eventually(() => hanging(1));
      const inProgress = await askOther('POST', '/tokens', ask);
      return { answers, inProgress };
    });
    expect(inProgress).toMatchObject({
      status: 409,
      body: { message: 'A request with this idempotency key is still in progress.' },
    });
    expect(inProgress.headers.get('Retry-After')).toBe('1');
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).not.toHaveLength(0);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(await tokenNames()).toEqual(['camera']);
    expect((await gateway.ask('POST', '/tokens', ask)).headers.get(REPLAYED)).toBe('true');
  });

  it('is free again if its process died before anything was committed', async () => {
    const key = freshKey();
    const ask = { token: session, headers: keyed(key), body: { name: 'camera', current_password: PASSWORD } };
    await withTokensLocked(async () => {
      const cutOff = expect(askOther('POST', '/tokens', ask)).rejects.toThrow();
      await eventually(() => hanging(1));
      await other.stop('SIGKILL');
      await cutOff;
    });
    expect((await makeToken(key, 'camera')).status).toBe(409);
    await letLeasesLapse();
    const retried = await makeToken(key, 'camera');
    expect([retried.status, retried.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(await tokenNames()).toEqual(['camera']);
    other = await startOther();
  });

  it('prevents a slow attempt from committing after another one has taken over', async () => {
    const key = freshKey();
    const ask = { token: session, headers: keyed(key), body: { name: 'camera', current_password: PASSWORD } };
    const answers = await withTokensLocked(async () => {
      const slow = gateway.ask('POST', '/tokens', ask);
      await eventually(() => hanging(1));
      const second = takeOver(ask);
      await eventually(() => hanging(2));
      return [slow, second];
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 201]);
    expect(await tokenNames()).toEqual(['camera']);
    expect((await makeToken(key, 'camera')).headers.get(REPLAYED)).toBe('true');
  });

  it('renews the lease of a long request', async () => {
    const key = freshKey();
    const lease = async (): Promise<Date> => {
      const { rows } = await database.query<{ until: Date }>(
        'select max(lease_until) as until from idempotency_keys where answer is null',
      );
      return rows[0]!.until;
    };
    let slow: Promise<Answer> | undefined;
    await withTokensLocked(async () => {
      slow = makeToken(key, 'camera');
      await eventually(() => hanging(1));
      const first = await lease();
      await eventually(async () => expect((await lease()).getTime()).toBeGreaterThan(first.getTime()));
    });
    expect((await slow)?.status).toBe(201);
  });

  it('answers 409 if the request was executed but its answer was lost', async () => {
    const key = freshKey();
    await makeToken(key, 'camera');
    // As if the process died between the commit and storing the answer.
    await database.query('update idempotency_keys set answer = null where carried_out');
    expect((await makeToken(key, 'camera')).body['message']).toContain('in progress');
    await letLeasesLapse();
    expect(await makeToken(key, 'camera')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('its answer was lost') },
    });
    expect(await tokenNames()).toEqual(['camera']);
  });

  // Promise [requests]: An idempotency key expires after 24 hours.
  it('expires after 24 hours', async () => {
    const key = freshKey();
    await makeToken(key, 'camera');
    const { rows } = await database.query<{ hours: number }>(
      'select extract(epoch from max(expires_at) - now()) / 3600 as hours from idempotency_keys',
    );
    expect(Number(rows[0]?.hours)).toBeCloseTo(24, 1);
    await database.query('update idempotency_keys set expires_at = now()');
    expect((await makeToken(key, 'phone')).headers.get(REPLAYED)).toBeNull();
    expect(await tokenNames()).toEqual(['camera', 'phone']);
  });

  it('stores nothing in the database that decrypts an answer or reveals a secret', async () => {
    const key = freshKey();
    const { body } = await makeToken(key, 'camera');
    const username = `user_${++keys}`;
    const ask = { headers: keyed(freshKey()), body: { username, password: PASSWORD } };
    const session = String((await gateway.ask('POST', '/auth/register', ask)).body['session']);
    const { rows } = await database.query<{ bytes: Buffer }>(
      'select id || fingerprint || answer as bytes from idempotency_keys where answer is not null',
    );
    const stored = Buffer.concat(rows.map(({ bytes }) => bytes));
    for (const secret of [String(body['token']), session, PASSWORD, username, key, 'camera']) {
      for (const encoding of ['utf8', 'base64', 'hex'] as const) {
        expect(stored.includes(Buffer.from(secret).toString(encoding))).toBe(false);
      }
    }
    expect(JSON.stringify(gateway.service.output())).not.toContain(key);
  });

  // Promise [requests]: Scripts may send `Idempotency-Key` and read `Idempotent-Replayed`.
  it('is allowed and exposed to browsers by CORS', async () => {
    const { headers } = await gateway.ask('OPTIONS', '/tokens', {
      headers: {
        Origin: 'https://a.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'idempotency-key',
      },
    });
    expect(headers.get('Access-Control-Allow-Headers')).toContain('idempotency-key');
    const answer = await gateway.ask('GET', '/me', { headers: { Origin: 'https://a.example' } });
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain(REPLAYED);
  });
});
