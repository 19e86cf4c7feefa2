import { type Gateway, PASSWORD, startGateway } from './gateway';

describe('accounts and tokens over HTTP', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it('registers, logs in by name and by email ignoring case, shows and ends the session', async () => {
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

    for (const login of ['ada_1', 'ADA@example.ORG']) {
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

  it('takes each username and email once, ignoring case, also where two ask at once', async () => {
    await gateway.register('grace', { email: 'grace@example.org' });
    expect(
      (await gateway.ask('POST', '/auth/register', { body: { username: 'GRACE', password: PASSWORD } })).body,
    ).toEqual({
      message: 'The username has already been taken.',
      errors: { username: ['The username has already been taken.'] },
    });
    const sameEmail = { username: 'hopper', password: PASSWORD, email: 'GRACE@example.org' };
    expect((await gateway.ask('POST', '/auth/register', { body: sameEmail })).body).toMatchObject({
      errors: { email: ['The email has already been taken.'] },
    });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        gateway.ask('POST', '/auth/register', { body: { username: 'racer', password: PASSWORD } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422]);
  });

  it('says the same of an unknown account and of a wrong password, then slows down', async () => {
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

  it('doesn’t tell whose an email address is by slowing its login down with the name’s', async () => {
    await gateway.register('anonyma', { email: 'real.name@example.org' });
    const statusOf = async (login: string): Promise<number> =>
      (await gateway.ask('POST', '/auth/login', { body: { login, password: 'not the one' } })).status;
    for (let n = 0; n < 5; n++) expect(await statusOf('anonyma')).toBe(422);
    expect(await statusOf('anonyma')).toBe(429);
    expect(await statusOf('ANONYMA')).toBe(429);
    expect(await statusOf('real.name@example.org')).toBe(422);
    expect(await statusOf('somebody.else@example.org')).toBe(422);
  });

  it('makes, lists, limits and revokes API tokens', async () => {
    const session = await gateway.register('lovelace');
    const made = await gateway.ask('POST', '/tokens', {
      token: session,
      body: { name: 'camera', scopes: ['upload', 'read'], expires_at: '2999-01-01T00:00:00Z' },
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
    expect((await gateway.ask('PATCH', '/me', { token, body: { bio: 'hi' } })).status).toBe(403);
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

  it('refuses tokens that would be born expired, and unknown scopes', async () => {
    const session = await gateway.register('hamilton');
    const make = (fields: object) =>
      gateway.ask('POST', '/tokens', { token: session, body: { name: 'x', ...fields } });
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

  it('changes the profile: absent keeps, null clears', async () => {
    const token = await gateway.register('noether', { email: 'emmy@example.org' });
    const patch = (body: object) => gateway.ask('PATCH', '/me', { token, body });
    expect((await patch({ bio: 'line one\n\tline two' })).body).toMatchObject({
      data: { bio: 'line one\n\tline two', email: 'emmy@example.org' },
    });
    expect((await patch({ email: null })).body).toMatchObject({
      data: { bio: 'line one\n\tline two', email: null },
    });
    expect((await patch({ bio: null })).body).toMatchObject({ data: { bio: null } });
    expect((await patch({ avatar: 'aaaaaaa' })).body).toMatchObject({
      errors: { avatar: ['The selected avatar is invalid.'] },
    });
    expect((await patch({ avatar: '' })).status).toBe(422);
    expect((await patch({})).status).toBe(200);
  });

  it('changes the password and ends the other sessions, not the API tokens', async () => {
    const [first, token] = await gateway
      .register('curie')
      .then(async (session) => [session, await gateway.mintToken(session)] as const);
    const login = (password: string) =>
      gateway.ask('POST', '/auth/login', { body: { login: 'curie', password } });
    const second = String((await login(PASSWORD)).body['session']);
    const change = (current: string) =>
      gateway.ask('POST', '/me/password', {
        token: second,
        body: { current_password: current, password: 'another long one' },
      });
    expect((await change('wrong')).body).toMatchObject({
      errors: { current_password: ['The password is incorrect.'] },
    });
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await gateway.ask('GET', '/me', { token: first })).status).toBe(401);
    expect((await gateway.ask('GET', '/me', { token: second })).status).toBe(200);
    expect((await gateway.ask('GET', '/me', { token })).status).toBe(200);
    expect((await login(PASSWORD)).status).toBe(422);
    expect((await login('another long one')).status).toBe(200);
  });

  it('names every field that is wrong, and counts code points', async () => {
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
    expect((await register({ username: 'astral_1', password: '🙂'.repeat(200) })).status).toBe(201);
    expect((await register({ username: 'astral_2', password: '🙂'.repeat(201) })).status).toBe(422);
    expect((await register({ username: 'astral_3', password: 'null\u0000 in a password' })).status).toBe(422);
    expect((await register({ username: 'astral_4', password: 'half a \ud83d surrogate' })).status).toBe(422);
  });

  it('gives nobody a role, an id or a prototype that they wrote themselves', async () => {
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
