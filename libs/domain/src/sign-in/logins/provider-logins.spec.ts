import { type Lies } from '../../../test/lying-provider';
import { AdmissionConfig } from '../../accounts/admission/admission.config';
import { InvitesService } from '../../accounts/admission/invites.service';
import {
  InvalidFieldsError,
  NotAdmittedError,
  NotFoundError,
  UnavailableError,
} from '../../base/errors/domain-error';
import { LoginsService } from './logins.service';

import { FAILED, ORIGIN, PASSWORD, useProviders } from '../../../test/provider-stage';

describe('ProviderLogins', () => {
  const world = useProviders();
  const { one, two, query, finish, logIn, signUp, member } = world;

  // Promise [accounts]: People can log in with an OpenID Connect provider.
  it('creates an account for a new person, and logs in to it the next time', async () => {
    const ada = await signUp(one, 'ada');
    expect(ada.username).toBe('ada');
    const login = await logIn(one, 'ada');
    expect(login).toMatchObject({
      outcome: 'session',
      session: { account: { username: 'ada', hasPassword: false } },
    });
    expect(await world.linked.list(ada.userId)).toMatchObject([
      { provider: { name: 'one' }, lastUsedAt: expect.any(Date) },
    ]);
    await expect(world.domain.get(LoginsService).login('ada', PASSWORD, ORIGIN)).rejects.toThrow(
      InvalidFieldsError,
    );
  });

  it('sends state, nonce and PKCE with S256, which differ each time, and stores none of them', async () => {
    const [first, second] = [await world.logins.begin('one', false), await world.logins.begin('one', true)];
    const [a, b] = [new URL(first.url).searchParams, new URL(second.url).searchParams];
    expect(Object.fromEntries(a)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'https://site.example/log-in/one/callback',
      scope: 'openid profile email',
    });
    expect(Object.fromEntries(b)).toMatchObject({ prompt: 'login', max_age: '300' });
    const stored = JSON.stringify(await query('select a::text from identity_attempts a'));
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(a.get(name)).toHaveLength(43);
      expect(a.get(name)).not.toBe(b.get(name));
      expect(stored).not.toContain(a.get(name));
    }
    expect(stored).not.toContain(first.transaction);
  });

  // Promise [security]: An ID token with any fault is refused.
  it.each<[string, Lies]>([
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['further audiences and another authorized party', { claims: { aud: ['vitrine', 'x'], azp: 'x' } }],
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['an end in the past', { claims: { exp: 1_700_000_000 } }],
    ['no end', { claims: { exp: undefined } }],
    ['no subject', { claims: { sub: undefined } }],
    ['an empty subject', { claims: { sub: '' } }],
    ['a subject that is too long', { claims: { sub: 'x'.repeat(256) } }],
    ['the algorithm none', { signature: 'none' }],
    ['a signature by another key', { signature: 'foreign-key' }],
    ['a signature by the secret of the client', { signature: 'client-secret' }],
    ['a code that the provider refuses', { refuses: true }],
  ])('refuses an ID token with %s', async (_, lies) => {
    const begun = await world.logins.begin('one', false);
    const parameters = one.approve(begun.url, 'ada');
    one.lies = lies;
    await expect(finish(one, begun, parameters)).rejects.toMatchObject(FAILED);
    expect(await query('select from identity_newcomers')).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string | null>>]>([
    ['a forged state', { state: 'forged' }],
    ['no state', { state: null }],
    ['the issuer of another provider', { iss: 'https://other.example' }],
    ['no issuer although the provider sends one', { iss: null }],
    ['a forged code', { code: 'forged' }],
    ['no code', { code: null }],
    ['an error', { error: 'access_denied', code: null }],
  ])('refuses a callback with %s', async (_, changes) => {
    const begun = await world.logins.begin('one', false);
    await expect(finish(one, begun, one.approve(begun.url, 'ada', changes))).rejects.toMatchObject(FAILED);
  });

  it('refuses two states, the state of another browser and a login of another provider', async () => {
    const [mine, yours] = [await world.logins.begin('one', false), await world.logins.begin('one', false)];
    const parameters = one.approve(yours.url, 'mallory');
    one.asked.length = two.asked.length = 0;
    await expect(finish(one, mine, parameters)).rejects.toMatchObject(FAILED);
    await expect(finish(one, mine, `${one.approve(mine.url, 'ada')}&state=x`)).rejects.toMatchObject(FAILED);
    await expect(finish(two, mine, one.approve(mine.url, 'ada'))).rejects.toMatchObject(FAILED);
    expect([...one.asked, ...two.asked]).not.toContain('/token');
    // None of these has used up the login of this browser.
    expect(await finish(one, mine, one.approve(mine.url, 'ada'))).toMatchObject({ outcome: 'newcomer' });
  });

  it('sends no code of one provider to another one', async () => {
    // Mix-up: the browser begins at `two`, which sends it on to `one` to get a code of `one`.
    const begun = await world.logins.begin('two', false);
    two.asked.length = 0;
    const parameters = one.approve(begun.url, 'ada');
    await expect(finish(two, begun, parameters)).rejects.toMatchObject(FAILED);
    expect(two.asked).not.toContain('/token');
  });

  it('uses a login once, also in simultaneous requests, and not after ten minutes', async () => {
    const begun = await world.logins.begin('one', false);
    const codes = Array.from({ length: 4 }, () => one.approve(begun.url, 'ada'));
    const outcomes = await Promise.allSettled(codes.map((parameters) => finish(one, begun, parameters)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(finish(one, begun, one.approve(begun.url, 'ada'))).rejects.toMatchObject(FAILED);

    const late = await world.logins.begin('one', false);
    await query(`update identity_attempts set expires_at = now()`);
    await expect(finish(one, late, one.approve(late.url, 'ada'))).rejects.toMatchObject(FAILED);
    await world.logins.begin('one', false);
    expect(await query('select from identity_attempts')).toHaveLength(1);
  });

  it('refuses a code that was made without PKCE or for another login', async () => {
    const begun = await world.logins.begin('one', false);
    const stripped = new URL(begun.url);
    stripped.searchParams.delete('code_challenge');
    await expect(finish(one, begun, one.approve(stripped.href, 'ada'))).rejects.toMatchObject(FAILED);

    const [mine, yours] = [await world.logins.begin('one', false), await world.logins.begin('one', false)];
    const code = new URLSearchParams(one.approve(yours.url, 'mallory')).get('code')!;
    await expect(finish(one, mine, one.approve(mine.url, 'ada', { code }))).rejects.toMatchObject(FAILED);
  });

  it('asks for a new proof where one is needed, and refuses an old one', async () => {
    const begun = await world.logins.begin('one', true);
    one.lies = { claims: { auth_time: Math.floor(Date.now() / 1000) - 3600 } };
    await expect(finish(one, begun, one.approve(begun.url, 'ada'))).rejects.toMatchObject(FAILED);
  });

  it('is unavailable while the provider is down', async () => {
    await expect(world.logins.begin('down', false)).rejects.toThrow(UnavailableError);
    await expect(world.logins.begin('unknown', false)).rejects.toThrow(NotFoundError);
    const begun = await world.logins.begin('one', false);
    const parameters = one.approve(begun.url, 'ada');
    one.lies = { answer: (_, response) => response.writeHead(502).end() };
    await expect(finish(one, begun, parameters)).rejects.toThrow(UnavailableError);
  });

  it('does not wait longer than its time limit for a provider that hangs, and holds up no other', async () => {
    const begun = await world.logins.begin('one', false);
    const parameters = one.approve(begun.url, 'ada');
    one.lies = { answer: () => undefined };
    const hanging = finish(one, begun, parameters);
    expect(await logIn(two, 'grace')).toMatchObject({ outcome: 'newcomer' });
    await expect(hanging).rejects.toThrow(UnavailableError);
  });

  it('applies the rules of registration to new people', async () => {
    const config = world.domain.get(AdmissionConfig);
    const begun = await logIn(one, 'ada');
    if (begun.outcome !== 'newcomer') throw new Error(begun.outcome);
    const register = (fields: object) =>
      world.logins.register(
        'one',
        begun.registration,
        { username: 'ada', invite: null, application: null, ...fields },
        'a',
        null,
      );
    config.registration = 'closed';
    await expect(logIn(one, 'grace')).rejects.toThrow(NotAdmittedError);
    await expect(register({})).rejects.toThrow(NotAdmittedError);
    config.registration = 'invite';
    await expect(register({})).rejects.toMatchObject({
      errors: { invite: ['The invite field is required.'] },
    });
    const inviter = await (async () => {
      config.registration = 'open';
      const caller = { ...(await member()), role: 'admin' as const };
      config.registration = 'invite';
      await world.domain.dataSource.query(`update users set role = 'admin' where id = $1`, [caller.userId]);
      return caller;
    })();
    const { code } = await world.domain.get(InvitesService).create(inviter, { uses: 1, note: null });
    await expect(register({ invite: code, username: 'admin' })).rejects.toMatchObject({
      errors: { username: ['The username has already been taken.'] },
    });
    expect(await register({ invite: code })).toMatchObject({ account: { username: 'ada' } });
    await expect(register({ invite: code })).rejects.toMatchObject(FAILED);

    config.registration = 'approval';
    const grace = await logIn(one, 'grace');
    if (grace.outcome !== 'newcomer') throw new Error(grace.outcome);
    const apply = (application: string | null) =>
      world.logins.register(
        'one',
        grace.registration,
        { username: 'grace', invite: null, application },
        'g',
        null,
      );
    await expect(apply(null)).rejects.toThrow(NotAdmittedError);
    expect(await apply('I take pictures of moss.')).toBeNull();
    await expect(logIn(one, 'grace')).rejects.toMatchObject({
      errors: { login: [expect.stringContaining('waiting for a decision')] },
    });
  });

  it('creates one account for a person who signs up twice at the same time', async () => {
    const [a, b] = [await logIn(one, 'ada'), await logIn(one, 'ada')];
    if (a.outcome !== 'newcomer' || b.outcome !== 'newcomer') throw new Error('not new');
    const register = (secret: string, username: string) =>
      world.logins.register('one', secret, { username, invite: null, application: null }, username, null);
    const outcomes = await Promise.allSettled([
      register(a.registration, 'ada'),
      register(b.registration, 'ada_two'),
      register(a.registration, 'ada_three'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await query('select from users')).toHaveLength(1);
    expect(await query('select from identities')).toHaveLength(1);
  });
});
