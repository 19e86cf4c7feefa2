import { Secret, TOTP } from 'otpauth';
import { PASSWORD } from './gateway';
import { createPerson } from './people';
import { useGateway } from './use-gateway';

const codeOf = (secret: unknown, timestamp = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({ timestamp });

/** Nothing here could be verified; the schema is right. */
const PASSKEY = {
  passkey_id: 'AAAA',
  passkey_client_data: 'AAAA',
  passkey_authenticator_data: 'AAAA',
  passkey_signature: 'AAAA',
};

describe('second factors over HTTP', () => {
  const used = useGateway({ SECOND_FACTOR: 'staff' });
  const post = (path: string, body: object, token?: string) =>
    used.gateway.ask('POST', path, { body, ...(token !== undefined && { token }) });
  const proof = { current_password: PASSWORD };
  const addApp = async (token: string) => {
    const { body } = await post('/me/authenticator-app', proof, token);
    const { body: added } = await post(
      '/me/authenticator-app/confirmation',
      { code: codeOf(body['secret']) },
      token,
    );
    return { secret: body['secret'], codes: added['recovery_codes'] as string[] };
  };
  const logIn = (login: string, more: object = {}) =>
    post('/auth/login', { login, password: PASSWORD, ...more });

  // Promise [accounts]: With a second factor, a login answers 202 and has no session before the code.
  it('complete a login, which has no session before', async () => {
    const token = await used.gateway.register('ada');
    const { secret, codes } = await addApp(token);
    expect(codes).toHaveLength(10);
    const first = await logIn('ADA');
    expect(first.status).toBe(202);
    expect(first.body).toEqual({
      message: 'The second factor of this account is required.',
      pending_login: expect.any(String),
      accepted: ['app', 'recovery-code'],
      expires_at: expect.any(String),
    });
    const { pending_login } = first.body;
    expect((await used.gateway.ask('GET', '/me', { token: String(pending_login) })).status).toBe(401);
    expect((await post('/auth/second-factor', { pending_login })).body).toMatchObject({
      errors: { code: ['The code field is required.'] },
    });
    await used.database.query('update authenticator_apps set last_step = 0');
    const second = await post('/auth/second-factor', { pending_login, code: codeOf(secret) });
    expect([second.status, second.body['message']]).toEqual([200, 'Logged in.']);
    expect((await used.gateway.ask('GET', '/me', { token: String(second.body['session']) })).status).toBe(
      200,
    );
    const again = await post('/auth/second-factor', { pending_login, code: codes[0] });
    expect(again.body).toMatchObject({ errors: { pending_login: [expect.any(String)] } });
    expect((await used.gateway.ask('GET', '/me/logins', { token })).body).toMatchObject({
      data: [{ method: 'password', second_factor: 'app' }, { method: 'registration' }],
    });
  });

  it('replace the password where it has to be given again', async () => {
    const token = await used.gateway.register('grace');
    const { codes } = await addApp(token);
    const made = await post('/tokens', { name: 'x', code: codes[0] }, token);
    expect(made.status).toBe(201);
    expect((await post('/tokens', { name: 'x', code: codes[0] }, token)).body).toMatchObject({
      errors: { code: ['This code is wrong or was used already.'] },
    });
    expect(
      (await post('/me/password', { code: codes[1], password: 'a whole new password' }, token)).status,
    ).toBe(200);
    const removed = await used.gateway.ask('DELETE', '/me/authenticator-app', {
      token,
      body: { code: codes[2] },
    });
    expect(removed.status).toBe(200);
    expect((await used.gateway.ask('GET', '/me/security', { token })).body).toEqual({
      data: {
        authenticator_app: false,
        authenticator_apps_available: true,
        passkeys: [],
        recovery_codes_left: 0,
        required: false,
      },
    });
  });

  // Promise [accounts]: Logging in with a passkey doesn’t show whether a passkey or an account exists.
  it('tell nobody whether a passkey or an account exists', async () => {
    const answers = [
      await post('/auth/passkey', PASSKEY),
      await post('/auth/passkey', { ...PASSKEY, passkey_client_data: 'eyJjaGFsbGVuZ2UiOiJBQUFBIn0' }),
      await post('/auth/second-factor', { pending_login: 'unknown', ...PASSKEY }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(answers[0]!.body).toEqual(answers[1]!.body);
    const { body } = await post('/auth/passkey-options', {});
    expect(body['options']).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(body['options']).not.toHaveProperty('allowCredentials');
  });

  // Promise [accounts]: `SECOND_FACTOR=staff` demands a second factor of staff.
  it('are required of staff, whose sessions and tokens get a clear 403 on the routes of staff', async () => {
    const moderator = await createPerson(used.database, { role: 'moderator' });
    const token = await moderator.mintToken({ scopes: ['read', 'moderate'] });
    for (const each of [moderator.session, token]) {
      const { status, body } = await used.gateway.ask('GET', '/moderation/queue', { token: each });
      expect([status, body['message']]).toEqual([
        403,
        'This site requires a second factor of moderators and admins. Turn one on in the security settings of your account.',
      ]);
      expect((await used.gateway.ask('GET', '/me', { token: each })).body).toMatchObject({
        second_factor_missing: true,
      });
    }
    const staffsOwn = await used.gateway.ask('GET', '/me/security', { token: moderator.session });
    expect(staffsOwn.body).toMatchObject({ data: { required: true } });
    await used.database.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       values ($1, 'x', '', 0, '{}', 'Key')`,
      [moderator.id],
    );
    // Other processes notice within a second; this one asks with a token that it doesn't know yet.
    const fresh = await moderator.mintToken({ scopes: ['read', 'moderate'] });
    expect((await used.gateway.ask('GET', '/moderation/queue', { token: fresh })).status).toBe(200);
  });

  // Promise [accounts]: Common passwords, and those with the account’s names, are refused.
  it('refuse passwords that are common or contain the account’s names, wherever one is chosen', async () => {
    for (const password of ['password123', 'alan_turing1', 'turing@bletchley']) {
      const body = { username: 'alan_turing', email: 'turing@bletchley.example', password };
      expect((await post('/auth/register', body)).body).toMatchObject({
        errors: { password: [expect.stringMatching(/^This password is too easy to guess\./)] },
      });
    }
    const token = await used.gateway.register('alan_turing');
    const changed = await post('/me/password', { ...proof, password: 'alan_turing1912' }, token);
    expect(changed.body).toMatchObject({ errors: { password: [expect.any(String)] } });
  });

  it('know the devices that have logged in before', async () => {
    await used.gateway.register('hopper');
    const { body } = await logIn('hopper');
    const { body: again } = await logIn('hopper', { device: body['device'] });
    expect(again['device']).toBe(body['device']);
    const logins = await used.gateway.ask('GET', '/me/logins', { token: String(again['session']) });
    expect(logins.body).toMatchObject({ data: [{ known_device: true }, { known_device: false }, {}] });
  });
});
