import { eventually } from '@vitrine/testing';
import { Client } from 'pg';
import { type Gateway, PASSWORD, startGateway } from './gateway';

describe('accounts and tokens over HTTP', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ RESERVED_USERNAMES: 'staff_1, billing' });
  });
  afterAll(() => gateway.stop());

  // Promise [accounts]: People register, log in by username ignoring case, and log out.
  it('registers, logs in by username ignoring case, shows and ends the session', async () => {
    const registered = await gateway.ask('POST', '/auth/register', {
      body: { username: 'Ada_1', password: PASSWORD, email: 'Ada@Example.org' },
    });
    expect(registered).toMatchObject({
      status: 201,
      body: {
        message: expect.any(String),
        user: { username: 'Ada_1', email: 'Ada@Example.org', role: 'user', avatar: null, bio: null },
        session: expect.stringMatching(/^vts_[0-9A-Za-z]{40}$/),
      },
    });
    const expires = Date.parse(String(registered.body['expires_at']));
    expect(Math.abs(expires - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);

    for (const login of ['ada_1', 'ADA_1']) {
      const { status, body } = await gateway.ask('POST', '/auth/login', {
        body: { login, password: PASSWORD },
      });
      expect(status).toBe(200);
      const session = String(body['session']);
      expect((await gateway.ask('GET', '/me', { token: session })).body).toMatchObject({
        data: { username: 'Ada_1', post_count: 0, media_count: 0 },
      });
      expect((await gateway.ask('POST', '/auth/logout', { token: session })).status).toBe(200);
      expect((await gateway.ask('GET', '/me', { token: session })).status).toBe(401);
    }
  });

  // Promise [accounts]: A username exists once, ignoring case, also after simultaneous requests.
  it('accepts each username once, ignoring case, even for simultaneous requests', async () => {
    await gateway.register('grace', { email: 'grace@example.org' });
    expect(
      (await gateway.ask('POST', '/auth/register', { body: { username: 'GRACE', password: PASSWORD } })).body,
    ).toEqual({
      message: 'The username has already been taken.',
      errors: { username: ['The username has already been taken.'] },
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        gateway.ask('POST', '/auth/register', { body: { username: 'racer', password: PASSWORD } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422]);
  });

  // Promise [accounts]: An unknown account and a wrong password give the same error; then 429.
  it('gives the same error for an unknown account and a wrong password, then answers 429', async () => {
    await gateway.register('turing');
    const wrong = (login: string) =>
      gateway.ask('POST', '/auth/login', { body: { login, password: 'not the one' } });
    const [unknown, known] = [await wrong('nobody_here'), await wrong('turing')];
    expect(unknown.status).toBe(422);
    expect(unknown.body).toEqual(known.body);
    expect(Object.keys(known.body['errors'] as object)).toEqual(['login']);

    const flood = await Promise.all(Array.from({ length: 8 }, () => wrong('turing')));
    const slowed = flood.filter((answer) => answer.status === 429);
    expect(slowed).toHaveLength(4);
    expect(slowed[0]?.body).toEqual({ message: 'Too Many Attempts.' });
    expect(Number(slowed[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    const right = await gateway.ask('POST', '/auth/login', { body: { login: 'turing', password: PASSWORD } });
    expect(right.status).toBe(429);
  });

  // Promise [accounts]: Only a verified email address can be used for logging in.
  it('accepts the same unverified email address twice, and refuses it for logging in', async () => {
    await gateway.register('anonyma', { email: 'real.name@example.org' });
    const squatter = await gateway.register('squatter', { email: 'REAL.NAME@example.org' });
    expect((await gateway.ask('GET', '/me', { token: squatter })).body).toMatchObject({
      data: { email: 'REAL.NAME@example.org' },
    });
    const byEmail = { login: 'real.name@example.org', password: PASSWORD };
    const refused = await gateway.ask('POST', '/auth/login', { body: byEmail });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body['errors'] as object)).toEqual(['login']);
  });

  it('sends and promises no mails without a mail server', async () => {
    expect((await gateway.ask('GET', '/site')).body).toMatchObject({ data: { sends_mail: false } });
    const token = await gateway.register('quiet', { email: 'quiet@example.net' });
    for (const [path, body] of [
      ['/auth/password-reset', { login: 'quiet' }],
      ['/me/email/verification', {}],
    ] as const) {
      expect(await gateway.ask('POST', path, { token, body })).toMatchObject({
        status: 403,
        body: { message: 'This site sends no mails.' },
      });
    }
    await eventually(() => expect(gateway.service.output()).toContain('because SMTP_URL is not set'));
    expect(gateway.service.output()).not.toMatch(/code=|quiet@example/);
  });

  // Promise [accounts]: Some usernames are reserved.
  it.each(['admin', 'Moderator', 'VITRINE', 'abuse', 'Staff_1'])(
    'refuses to register the reserved username %s',
    async (username) => {
      const { status, body } = await gateway.ask('POST', '/auth/register', {
        body: { username, password: PASSWORD },
      });
      expect([status, body['errors']]).toEqual([422, { username: ['The username has already been taken.'] }]);
    },
  );

  // Promise [access]: Sessions make, list and revoke API tokens; a token can’t.
  it('makes, lists, limits and revokes API tokens', async () => {
    const session = await gateway.register('lovelace');
    const made = await gateway.ask('POST', '/tokens', {
      token: session,
      body: {
        name: 'camera',
        scopes: ['upload', 'read'],
        expires_at: '2999-01-01T00:00:00Z',
        current_password: PASSWORD,
      },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        token: expect.stringMatching(/^vtr_[0-9A-Za-z]{40}$/),
        api_token: {
          name: 'camera',
          scopes: ['read', 'upload'],
          last_used_at: null,
          expires_at: '2999-01-01T00:00:00.000Z',
        },
      },
    });
    const token = String(made.body['token']);
    expect((await gateway.ask('GET', '/me', { token })).status).toBe(200);
    const refused = await gateway.ask('PATCH', '/me', { token, body: { bio: 'hi' } });
    expect([refused.status, refused.body, refused.headers.get('WWW-Authenticate')]).toEqual([
      403,
      { message: 'This action is unauthorized. The token lacks the scope write.' },
      'Bearer error="insufficient_scope", scope="write"',
    ]);
    for (const [method, path] of [
      ['POST', '/tokens'],
      ['GET', '/tokens'],
      ['POST', '/me/password'],
    ] as const) {
      expect(
        await gateway.ask(method, path, { token, ...(method === 'POST' && { body: { name: 'x' } }) }),
      ).toMatchObject({
        status: 403,
        body: { message: 'This action is unauthorized.' },
      });
    }
    const uploadOnly = await gateway.mintToken(session, { scopes: ['upload'] });
    expect((await gateway.ask('GET', '/me', { token: uploadOnly })).status).toBe(403);

    const { data } = (await gateway.ask('GET', '/tokens', { token: session })).body as {
      data: { id: number }[];
    };
    expect(data).toHaveLength(2);
    expect(JSON.stringify(data)).not.toContain(token.slice(4));
    const path = `/tokens/${data[0]?.id}`;
    const stranger = await gateway.register('mallory');
    expect((await gateway.ask('DELETE', path, { token: stranger })).status).toBe(404);
    expect((await gateway.ask('DELETE', path, { token: session })).status).toBe(200);
    expect((await gateway.ask('DELETE', path, { token: session })).status).toBe(404);
    expect((await gateway.ask('GET', '/me', { token })).status).toBe(401);
  });

  // Promise [access]: A token can show and revoke itself.
  it('shows the token of the request, which can revoke itself with any scope', async () => {
    const session = await gateway.register('revoker');
    const me = async (token: string) => (await gateway.ask('GET', '/me', { token })).body['token'];
    expect(await me(session)).toMatchObject({ kind: 'session', expires_at: expect.any(String) });
    const reader = await gateway.mintToken(session, { scopes: ['read'] });
    const uploader = await gateway.mintToken(session, { scopes: ['upload'] });
    expect(await me(reader)).toMatchObject({
      kind: 'api',
      scopes: ['read'],
      expires_at: expect.stringMatching(/Z$/),
    });
    for (const token of [reader, uploader, session]) {
      expect((await gateway.ask('DELETE', '/tokens/current', { token })).status).toBe(200);
      expect((await gateway.ask('DELETE', '/tokens/current', { token })).status).toBe(401);
    }
  });

  it('refuses an expiry in the past and unknown scopes for a new token', async () => {
    const session = await gateway.register('hamilton');
    const make = (fields: object) =>
      gateway.ask('POST', '/tokens', {
        token: session,
        body: { name: 'x', current_password: PASSWORD, ...fields },
      });
    expect((await make({ expires_at: '2020-01-01T00:00:00Z' })).body).toMatchObject({
      errors: { expires_at: ['The expires_at field must be a date after now.'] },
    });
    expect((await make({ scopes: ['read', 'admin'] })).body).toEqual({
      message: 'The selected scopes.1 is invalid.',
      errors: { 'scopes.1': ['The selected scopes.1 is invalid.'] },
    });
    expect((await make({ scopes: [] })).status).toBe(422);
    expect((await make({ name: 'n'.repeat(101) })).status).toBe(422);
  });

  // Promise [access]: A new token needs the password.
  it('creates no token without the right password, and answers 429 after wrong guesses', async () => {
    const session = await gateway.register('borg');
    const make = (fields: object) =>
      gateway.ask('POST', '/tokens', { token: session, body: { name: 'x', ...fields } });
    expect((await make({})).body).toMatchObject({
      errors: { current_password: ['The current_password field is required.'] },
    });
    for (let tries = 0; tries < 5; tries++) {
      expect(await make({ current_password: 'not the one' })).toMatchObject({
        status: 422,
        body: { errors: { current_password: ['The password is incorrect.'] } },
      });
    }
    expect((await make({ current_password: PASSWORD })).status).toBe(429);
    expect((await gateway.ask('GET', '/tokens', { token: session })).body).toEqual({ data: [] });
  });

  // Promise [access]: A token ends after a year, unless another time is given.
  it('ends a token after a year unless the request says otherwise', async () => {
    const session = await gateway.register('johnson');
    const endOf = async (fields: object): Promise<string | null> => {
      const { body } = await gateway.ask<{ api_token: { expires_at: string | null } }>('POST', '/tokens', {
        token: session,
        body: { name: 'x', current_password: PASSWORD, ...fields },
      });
      return body.api_token.expires_at;
    };
    const inAYear = Date.now() + 365 * 86_400_000;
    expect(Math.abs(Date.parse((await endOf({})) ?? '') - inAYear)).toBeLessThan(60_000);
    expect(await endOf({ expires_at: null })).toBeNull();
    expect(await endOf({ expires_at: '2999-01-01T00:00:00Z' })).toBe('2999-01-01T00:00:00.000Z');
  });

  // Promise [access]: Only staff can give a token the scope `moderate`.
  it('gives the scope moderate to staff only, and only on request', async () => {
    const session = await gateway.register('judge');
    const mint = (fields: object) =>
      gateway.ask<{ token: string; api_token: { scopes: string[] } }>('POST', '/tokens', {
        token: session,
        body: { name: 'x', current_password: PASSWORD, ...fields },
      });
    const wanted = { scopes: ['read', 'moderate'] };
    expect((await mint(wanted)).body).toMatchObject({
      errors: { 'scopes.1': ['Only moderators and admins can use this scope.'] },
    });
    const database = new Client({ connectionString: gateway.database.url });
    await database.connect();
    await database.query("update users set role = 'moderator' where username = 'judge'");
    await database.end();
    await eventually(async () => expect((await mint(wanted)).status).toBe(201));

    const [plain, staff] = [await mint({}), await mint(wanted)];
    expect(plain.body.api_token.scopes).toEqual(['read', 'upload', 'write']);
    const queue = async (token: string): Promise<number> =>
      (await gateway.ask('GET', '/moderation/queue', { token })).status;
    expect([await queue(plain.body.token), await queue(staff.body.token), await queue(session)]).toEqual([
      403, 200, 200,
    ]);
  });

  // Promise [accounts]: Owners change bio, avatar and email address of their profile.
  it('changes the profile: omitted fields stay unchanged, null clears a field', async () => {
    const token = await gateway.register('noether', { email: 'emmy@example.org' });
    const patch = (body: object) => gateway.ask('PATCH', '/me', { token, body });
    expect((await patch({ bio: 'line one\n\tline two' })).body).toMatchObject({
      data: { bio: 'line one\n\tline two', email: 'emmy@example.org' },
    });
    expect((await patch({ email: null })).body).toMatchObject({
      errors: { current_password: ['The current_password field is required.'] },
    });
    expect((await patch({ email: 'x@example.org', current_password: 'wrong' })).body).toMatchObject({
      errors: { current_password: ['The password is incorrect.'] },
    });
    expect((await patch({ email: 'emmy@example.org' })).status).toBe(200);
    expect((await patch({ email: null, current_password: PASSWORD })).body).toMatchObject({
      data: { bio: 'line one\n\tline two', email: null },
    });
    expect((await patch({ bio: null })).body).toMatchObject({ data: { bio: null } });
    expect((await patch({ avatar: 'aaaaaaa' })).body).toMatchObject({
      errors: { avatar: ['The selected avatar is invalid.'] },
    });
    expect((await patch({ avatar: '' })).status).toBe(422);
    expect((await patch({})).status).toBe(200);
  });

  // Promise [accounts]: A new password ends the other sessions and, unless they are kept, API tokens.
  it('changes the password, ends the other sessions and, unless keep_tokens is true, the API tokens', async () => {
    const [first, token] = await gateway
      .register('curie')
      .then(async (session) => [session, await gateway.mintToken(session)] as const);
    const login = (password: string) =>
      gateway.ask('POST', '/auth/login', { body: { login: 'curie', password } });
    const second = String((await login(PASSWORD)).body['session']);
    const change = (current: string, fields: object = {}) =>
      gateway.ask('POST', '/me/password', {
        token: second,
        body: { current_password: current, password: 'another long one', ...fields },
      });
    expect((await change('wrong')).body).toMatchObject({
      errors: { current_password: ['The password is incorrect.'] },
    });
    expect((await change(PASSWORD, { keep_tokens: true })).status).toBe(200);
    expect((await gateway.ask('GET', '/me', { token: first })).status).toBe(401);
    expect((await gateway.ask('GET', '/me', { token: second })).status).toBe(200);
    expect((await gateway.ask('GET', '/me', { token })).status).toBe(200);
    expect((await login(PASSWORD)).status).toBe(422);
    expect((await login('another long one')).status).toBe(200);
    expect((await change('another long one')).status).toBe(200);
    expect((await gateway.ask('GET', '/me', { token })).status).toBe(401);
  });

  // Promise [accounts]: Every invalid field is named; passwords have 10 to 200 characters.
  it('names every invalid field, and counts lengths in code points', async () => {
    const register = (body: unknown) => gateway.ask('POST', '/auth/register', { body });
    expect((await register({})).body).toEqual({
      message: 'The username field is required. (and 1 more error)',
      errors: {
        username: ['The username field is required.'],
        password: ['The password field is required.'],
      },
    });
    expect((await register({ username: 'no spaces', password: 'short', email: 'nobody' })).body).toEqual({
      message: 'The username field must only contain letters, numbers and underscores. (and 2 more errors)',
      errors: {
        username: ['The username field must only contain letters, numbers and underscores.'],
        password: ['The password field must be at least 10 characters.'],
        email: ['The email field must be a valid email address.'],
      },
    });
    const astral = (length: number): string =>
      Array.from({ length }, (_, n) => String.fromCodePoint(0x1f300 + ((n * 37) % 512))).join('');
    expect((await register({ username: 'astral_1', password: astral(200) })).status).toBe(201);
    expect((await register({ username: 'astral_2', password: astral(201) })).status).toBe(422);
    expect((await register({ username: 'astral_3', password: 'null\u0000 in a password' })).status).toBe(422);
    expect((await register({ username: 'astral_4', password: 'half a \ud83d surrogate' })).status).toBe(422);
  });

  // Promise [security]: A request can’t set role, id or prototype.
  it('ignores role, id and __proto__ in request bodies', async () => {
    const raw =
      '{"username":"climber","password":"correct horse battery","role":"admin","id":1,"user_id":1,' +
      '"deleted_at":null,"passwordHash":"x","__proto__":{"role":"admin","email":"a@b.cd"},"constructor":{"prototype":{"role":"admin"}}}';
    const { status, body } = await gateway.ask('POST', '/auth/register', { raw });
    expect(status).toBe(201);
    expect(body['user']).toMatchObject({ role: 'user', email: null });
    const token = String(body['session']);
    const patched = await gateway.ask('PATCH', '/me', {
      token,
      raw: '{"role":"admin","username":"root","avatarMediaId":1,"passwordHash":"x","__proto__":{"bio":"x"}}',
    });
    expect(patched).toMatchObject({
      status: 200,
      body: { data: { role: 'user', username: 'climber', bio: null } },
    });
  });
});

describe('new accounts of one address', () => {
  // Promise [accounts]: New accounts are limited for each address and day.
  it('are limited per day; only accounts that were created count', async () => {
    const limited = await startGateway({
      ACCOUNTS_PER_ADDRESS_PER_DAY: '3',
      TRUSTED_PROXIES: '127.0.0.1/32',
    });
    try {
      const register = (username: string, from: string) =>
        limited.ask('POST', '/auth/register', {
          headers: { 'X-Forwarded-For': from },
          body: { username, password: PASSWORD },
        });
      const [first, sameNetwork, elsewhere] = ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'];
      expect((await register('a', first)).status).toBe(422);
      expect((await register('early_bird', first)).status).toBe(201);
      expect((await register('early_bird', first)).status).toBe(422);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => register(`rusher_${n}`, n % 2 === 0 ? first : sameNetwork)),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
      expect(refused).toHaveLength(4);
      const wait = Number(refused[0]?.headers.get('Retry-After'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(86_400);
      expect((await register('neighbour', elsewhere)).status).toBe(201);
    } finally {
      await limited.stop();
    }
  });
});
