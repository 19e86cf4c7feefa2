import { randomBytes } from 'node:crypto';
import { TransactionRunner } from '@vitrine/database';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { LyingProvider, type Lies } from '../../test/lying-provider';
import type { Caller } from '../access/caller';
import { AdmissionConfig } from '../admission/admission.config';
import { InvitesService } from '../admission/invites.service';
import {
  InvalidFieldsError,
  NotAdmittedError,
  NotFoundError,
  UnavailableError,
} from '../errors/domain-error';
import { AccountErasure } from '../erasure/account-erasure';
import { AccountErasureModule } from '../erasure/account-erasure.module';
import { IdentitiesService } from '../identities/identities.service';
import { IdentityProvidersConfig } from '../providers/identity-providers.config';
import { RegistrationModule } from '../registration/registration.module';
import { RegistrationService } from '../registration/registration.service';
import { TokensService } from '../tokens/tokens.service';
import { LoginsService } from '../users/logins.service';
import { UsersService } from '../users/users.service';
import { LinkedProviders } from './linked-providers.service';
import { type BegunLogin, ProviderLogins, type ProviderOutcome } from './provider-logins.service';
import { ProviderLoginsModule } from './provider-logins.module';

const PASSWORD = 'correct horse battery';
const ORIGIN = { client: '192.0.2.1', device: 'Firefox on Linux' };
const FAILED = { errors: { login: [expect.stringContaining('failed. Please start again.')] } };

describe('ProviderLogins', () => {
  const one = new LyingProvider('one');
  const two = new LyingProvider('two');
  const staff = new LyingProvider('staff');
  let domain: DomainContext;
  let logins: ProviderLogins;
  let linked: LinkedProviders;

  beforeAll(async () => {
    await Promise.all([one, two, staff].map((provider) => provider.start()));
    domain = await startDomain([ProviderLoginsModule, RegistrationModule, AccountErasureModule], {
      OIDC_PROVIDERS: JSON.stringify([
        one.settings(),
        two.settings(),
        staff.settings({
          role_claim: 'realm.groups',
          roles: { admins: 'admin', mods: 'moderator' },
          email_domains: ['example.org'],
        }),
        { name: 'down', title: 'Down', issuer: 'http://127.0.0.1:1', client_id: 'vitrine' },
      ]),
      OIDC_ALLOW_PRIVATE: 'true',
      OIDC_TIMEOUT_SECONDS: '1',
      PUBLIC_SITE_URL: 'https://site.example',
    });
    logins = domain.get(ProviderLogins);
    linked = domain.get(LinkedProviders);
  });
  beforeEach(async () => {
    await query('truncate users, identity_attempts, identity_newcomers, identity_logouts, outbox cascade');
    Object.assign(domain.get(AdmissionConfig), { registration: 'open' });
    Object.assign(domain.get(IdentityProvidersConfig), { passwordLogin: true });
    for (const provider of [one, two, staff]) provider.lies = {};
  });
  afterAll(async () => {
    await domain.stop();
    await Promise.all([one, two, staff].map((provider) => provider.stop()));
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const callerOf = async (secret: string): Promise<Caller> =>
    (await domain.get(TokensService).authenticate(secret))!;
  const finish = (
    at: LyingProvider,
    { transaction }: BegunLogin,
    parameters: string,
    caller: Caller | null = null,
  ) => logins.finish(at.name, transaction, parameters, caller, ORIGIN);
  /** A whole login of a person at a provider. */
  const logIn = async (at: LyingProvider, subject: string, fresh = false): Promise<ProviderOutcome> => {
    const begun = await logins.begin(at.name, fresh);
    return finish(at, begun, at.approve(begun.url, subject));
  };
  const signUp = async (at: LyingProvider, subject: string, fresh = false): Promise<Caller> => {
    const outcome = await logIn(at, subject, fresh);
    if (outcome.result !== 'newcomer') throw new Error(outcome.result);
    const account = { username: outcome.suggestedUsername!, invite: null, application: null };
    const opened = await logins.register(at.name, outcome.registration, account, subject, null);
    return callerOf(opened!.secret);
  };
  const member = async (username = `m_${randomBytes(6).toString('hex')}`): Promise<Caller> => {
    const { secret } = await domain.get(UsersService).register({ username, password: PASSWORD }, username);
    return callerOf(secret);
  };
  const link = async (caller: Caller, at: LyingProvider, subject: string): Promise<ProviderOutcome> => {
    const begun = await logins.beginLink(caller, at.name, { currentPassword: PASSWORD });
    return finish(at, begun, at.approve(begun.url, subject), caller);
  };

  it('creates an account for a new person, and logs in to it the next time', async () => {
    const ada = await signUp(one, 'ada');
    expect(ada.username).toBe('ada');
    const outcome = await logIn(one, 'ada');
    expect(outcome).toMatchObject({
      result: 'session',
      opened: { account: { username: 'ada', hasPassword: false } },
    });
    expect(await linked.list(ada.userId)).toMatchObject([
      { provider: { name: 'one' }, lastUsedAt: expect.any(Date) },
    ]);
    await expect(domain.get(LoginsService).login('ada', PASSWORD, ORIGIN)).rejects.toThrow(
      InvalidFieldsError,
    );
  });

  it('sends state, nonce and PKCE with S256, which differ each time, and stores none of them', async () => {
    const [first, second] = [await logins.begin('one', false), await logins.begin('one', true)];
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
    const begun = await logins.begin('one', false);
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
    const begun = await logins.begin('one', false);
    await expect(finish(one, begun, one.approve(begun.url, 'ada', changes))).rejects.toMatchObject(FAILED);
  });

  it('refuses two states, the state of another browser and a login of another provider', async () => {
    const [mine, yours] = [await logins.begin('one', false), await logins.begin('one', false)];
    const parameters = one.approve(yours.url, 'mallory');
    one.asked.length = two.asked.length = 0;
    await expect(finish(one, mine, parameters)).rejects.toMatchObject(FAILED);
    await expect(finish(one, mine, `${one.approve(mine.url, 'ada')}&state=x`)).rejects.toMatchObject(FAILED);
    await expect(finish(two, mine, one.approve(mine.url, 'ada'))).rejects.toMatchObject(FAILED);
    expect([...one.asked, ...two.asked]).not.toContain('/token');
    // None of these has used up the login of this browser.
    expect(await finish(one, mine, one.approve(mine.url, 'ada'))).toMatchObject({ result: 'newcomer' });
  });

  it('sends no code of one provider to another one', async () => {
    // Mix-up: the browser begins at `two`, which sends it on to `one` to get a code of `one`.
    const begun = await logins.begin('two', false);
    two.asked.length = 0;
    const parameters = one.approve(begun.url, 'ada');
    await expect(finish(two, begun, parameters)).rejects.toMatchObject(FAILED);
    expect(two.asked).not.toContain('/token');
  });

  it('uses a login once, also in simultaneous requests, and not after ten minutes', async () => {
    const begun = await logins.begin('one', false);
    const codes = Array.from({ length: 4 }, () => one.approve(begun.url, 'ada'));
    const outcomes = await Promise.allSettled(codes.map((parameters) => finish(one, begun, parameters)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(finish(one, begun, one.approve(begun.url, 'ada'))).rejects.toMatchObject(FAILED);

    const late = await logins.begin('one', false);
    await query(`update identity_attempts set expires_at = now()`);
    await expect(finish(one, late, one.approve(late.url, 'ada'))).rejects.toMatchObject(FAILED);
    await logins.begin('one', false);
    expect(await query('select from identity_attempts')).toHaveLength(1);
  });

  it('refuses a code that was made without PKCE or for another login', async () => {
    const begun = await logins.begin('one', false);
    const stripped = new URL(begun.url);
    stripped.searchParams.delete('code_challenge');
    await expect(finish(one, begun, one.approve(stripped.href, 'ada'))).rejects.toMatchObject(FAILED);

    const [mine, yours] = [await logins.begin('one', false), await logins.begin('one', false)];
    const code = new URLSearchParams(one.approve(yours.url, 'mallory')).get('code')!;
    await expect(finish(one, mine, one.approve(mine.url, 'ada', { code }))).rejects.toMatchObject(FAILED);
  });

  it('asks for a new proof where one is needed, and refuses an old one', async () => {
    const begun = await logins.begin('one', true);
    one.lies = { claims: { auth_time: Math.floor(Date.now() / 1000) - 3600 } };
    await expect(finish(one, begun, one.approve(begun.url, 'ada'))).rejects.toMatchObject(FAILED);
  });

  it('is unavailable while the provider is down', async () => {
    await expect(logins.begin('down', false)).rejects.toThrow(UnavailableError);
    await expect(logins.begin('unknown', false)).rejects.toThrow(NotFoundError);
    const begun = await logins.begin('one', false);
    const parameters = one.approve(begun.url, 'ada');
    one.lies = { answer: (_, response) => response.writeHead(502).end() };
    await expect(finish(one, begun, parameters)).rejects.toThrow(UnavailableError);
  });

  it('does not wait longer than its time limit for a provider that hangs, and holds up no other', async () => {
    const begun = await logins.begin('one', false);
    const parameters = one.approve(begun.url, 'ada');
    one.lies = { answer: () => undefined };
    const hanging = finish(one, begun, parameters);
    expect(await logIn(two, 'grace')).toMatchObject({ result: 'newcomer' });
    await expect(hanging).rejects.toThrow(UnavailableError);
  });

  it('applies the rules of registration to new people', async () => {
    const config = domain.get(AdmissionConfig);
    const begun = await logIn(one, 'ada');
    if (begun.result !== 'newcomer') throw new Error(begun.result);
    const register = (fields: object) =>
      logins.register(
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
      return caller;
    })();
    const { code } = await domain.get(InvitesService).create(inviter, { uses: 1, note: null });
    await expect(register({ invite: code, username: 'admin' })).rejects.toMatchObject({
      errors: { username: ['The username has already been taken.'] },
    });
    expect(await register({ invite: code })).toMatchObject({ account: { username: 'ada' } });
    await expect(register({ invite: code })).rejects.toMatchObject(FAILED);

    config.registration = 'approval';
    const grace = await logIn(one, 'grace');
    if (grace.result !== 'newcomer') throw new Error(grace.result);
    const apply = (application: string | null) =>
      logins.register('one', grace.registration, { username: 'grace', invite: null, application }, 'g', null);
    await expect(apply(null)).rejects.toThrow(NotAdmittedError);
    expect(await apply('I take pictures of moss.')).toBeNull();
    await expect(logIn(one, 'grace')).rejects.toMatchObject({
      errors: { login: [expect.stringContaining('waiting for a decision')] },
    });
  });

  it('creates one account for a person who signs up twice at the same time', async () => {
    const [a, b] = [await logIn(one, 'ada'), await logIn(one, 'ada')];
    if (a.result !== 'newcomer' || b.result !== 'newcomer') throw new Error('not new');
    const register = (secret: string, username: string) =>
      logins.register('one', secret, { username, invite: null, application: null }, username, null);
    const outcomes = await Promise.allSettled([
      register(a.registration, 'ada'),
      register(b.registration, 'ada_two'),
      register(a.registration, 'ada_three'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await query('select from users')).toHaveLength(1);
    expect(await query('select from identities')).toHaveLength(1);
  });

  it('never finds an account by its e-mail address or username', async () => {
    await member('ada');
    await query(`update users set email = 'ada@example.org'`);
    one.lies = { claims: { email: 'ada@example.org', email_verified: true } };
    expect(await logIn(one, 'ada')).toMatchObject({ result: 'newcomer' });
  });

  it('links a provider to the account whose session began it, and to no other', async () => {
    const [ada, grace] = [await member(), await member()];
    await expect(logins.beginLink(ada, 'one', {})).rejects.toMatchObject({
      errors: { current_password: ['The current_password field is required.'] },
    });
    const begun = await logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
    for (const other of [grace, null]) {
      const again = await logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
      await expect(finish(one, again, one.approve(again.url, 'ada'), other)).rejects.toMatchObject(FAILED);
    }
    expect(await finish(one, begun, one.approve(begun.url, 'ada'), ada)).toEqual({ result: 'linked' });
    expect(await logIn(one, 'ada')).toMatchObject({ opened: { account: { username: ada.username } } });
    await expect(link(grace, one, 'ada')).rejects.toMatchObject({
      errors: { login: ['This one account already belongs to an account here.'] },
    });
    await expect(link(ada, one, 'ada again')).rejects.toMatchObject({
      errors: { login: ['Your account is already linked with one.'] },
    });
    const [notice] = await query<{ detail: unknown }>(
      `select detail from notifications where kind = 'account'`,
    );
    expect(notice?.detail).toEqual({ message: 'You can now log in with one.' });
  });

  it('links an identity to one of two accounts that ask at the same time', async () => {
    const people = [await member(), await member()];
    const outcomes = await Promise.allSettled(people.map((person) => link(person, one, 'ada')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await query('select from identities')).toHaveLength(1);
  });

  it('links nothing for a session that has ended', async () => {
    const ada = await member();
    const begun = await logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
    await domain.get(TokensService).revokeCurrent(ada);
    await expect(finish(one, begun, one.approve(begun.url, 'ada'), ada)).rejects.toMatchObject(FAILED);
  });

  it('unlinks a provider, but never the last way in, also in simultaneous requests', async () => {
    const ada = await member();
    await link(ada, one, 'ada');
    const proof = { currentPassword: PASSWORD };
    const id = (await linked.list(ada.userId))[0]!.id;
    await expect(linked.unlink(ada, id, {})).rejects.toThrow(InvalidFieldsError);
    await expect(linked.unlink(await member(), id, proof)).rejects.toThrow(NotFoundError);
    await linked.unlink(ada, id, proof);
    expect(await logIn(one, 'ada')).toMatchObject({ result: 'newcomer' });

    const grace = await signUp(one, 'grace', true);
    const begun = await logins.beginLink(grace, 'two', {});
    await finish(two, begun, two.approve(begun.url, 'grace'), grace);
    const ids = (await linked.list(grace.userId)).map((identity) => identity.id);
    const outcomes = await Promise.allSettled(ids.map((each) => linked.unlink(grace, each, {})));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [left] = await linked.list(grace.userId);
    await expect(linked.unlink(grace, left!.id, {})).rejects.toMatchObject({
      errors: { way_in: [expect.stringContaining('last way to log in')] },
    });
  });

  it('takes a login of the last ten minutes as the proof of accounts without a password', async () => {
    const users = domain.get(UsersService);
    const again = { errors: { password: [expect.stringContaining('log in again')] } };
    // A provider that still knew the person has proved nothing.
    const silent = await signUp(one, 'ada');
    await expect(users.markDeleted(silent, {})).rejects.toMatchObject(again);
    const outcome = await logIn(one, 'ada', true);
    if (outcome.result !== 'session') throw new Error(outcome.result);
    const ada = await callerOf(outcome.opened.secret);
    await users.createToken(ada, {}, { name: 'camera' });
    await query(`update tokens set created_at = now() - interval '11 minutes' where id = $1`, [ada.tokenId]);
    await expect(users.markDeleted(ada, {})).rejects.toMatchObject(again);
    await query(`update tokens set created_at = now() where id = $1`, [ada.tokenId]);
    await users.changePassword(ada, {}, PASSWORD, true);
    // Now it has a password, which is the proof.
    await expect(users.markDeleted(ada, {})).rejects.toMatchObject({
      errors: { password: ['The password field is required.'] },
    });
    await domain.get(AccountErasure).deleteAccount(ada, { currentPassword: PASSWORD });
    expect(await query('select from identities')).toEqual([]);
    expect(await logIn(one, 'ada')).toMatchObject({ result: 'newcomer' });
  });

  it('takes no API token of an account without a password as a proof', async () => {
    const ada = await signUp(one, 'ada', true);
    const { secret } = await domain.get(UsersService).createToken(ada, {}, { name: 'camera' });
    await expect(
      domain.get(UsersService).updateProfile(await callerOf(secret), { email: 'ada@example.org' }),
    ).rejects.toMatchObject({ errors: { current_password: [expect.any(String)] } });
  });

  it('gives roles by a claim at each login, and leaves the only admin the role', async () => {
    const claims = (groups: unknown) => ({
      claims: { realm: { groups }, email: 'ada@EXAMPLE.org', email_verified: true },
    });
    const role = async () => (await query<{ role: string }>('select role from users order by id'))[0]?.role;
    staff.lies = claims(['people', 'mods']);
    await signUp(staff, 'ada');
    expect(await role()).toBe('moderator');
    for (const [groups, expected] of [
      [['mods', 'admins'], 'admin'],
      [['mods'], 'admin'],
      ['nothing', 'admin'],
    ] as const) {
      staff.lies = claims(groups);
      await logIn(staff, 'ada');
      expect(await role()).toBe(expected);
    }
    const second = await member();
    await query(`update users set role = 'admin' where id = $1`, [second.userId]);
    staff.lies = claims({ not: 'a list' });
    await logIn(staff, 'ada');
    expect(await role()).toBe('user');
    // A provider without a claim for roles changes none.
    await query(`update users set role = 'moderator'`);
    await link(second, one, 'second');
    await logIn(one, 'second');
    expect((await query(`select from users where role = 'moderator'`)).length).toBe(2);
  });

  it('lets only people with a verified address of certain domains in', async () => {
    for (const claims of [
      { email: 'ada@elsewhere.example', email_verified: true },
      { email: 'ada@example.org', email_verified: false },
      { email: 'ada@example.org', email_verified: 'true' },
      { email: 'ada@example.org.evil.example', email_verified: true },
      {},
    ]) {
      staff.lies = { claims };
      await expect(logIn(staff, 'ada')).rejects.toMatchObject({
        errors: { login: [expect.stringContaining('verified e-mail address')] },
      });
    }
  });

  it('ends the sessions that a provider names in a logout token, and uses each token once', async () => {
    const ada = await signUp(one, 'ada');
    const [other, grace] = [await logIn(one, 'ada'), await signUp(one, 'grace')];
    const now = Math.floor(Date.now() / 1000);
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = (claims: Readonly<Record<string, unknown>>, type?: string) =>
      one.sign({ iss: one.issuer, aud: 'vitrine', iat: now, exp: now + 60, events: event, ...claims }, type);
    const refused = async (claims: Readonly<Record<string, unknown>>, type?: string) =>
      expect(linked.endSessions('one', await token(claims, type))).rejects.toThrow(InvalidFieldsError);
    const good = { jti: 'a', sub: 'ada', sid: 'session of ada' };
    await refused({ ...good, nonce: 'n' });
    await refused({ ...good, events: {} });
    await refused({ ...good, aud: 'another' });
    await refused({ ...good, iss: two.issuer });
    await refused({ ...good, exp: now - 60 });
    await refused({ ...good, iat: now - 3600 });
    await refused({ ...good, jti: undefined });
    await refused({ jti: 'a' });
    await refused({ ...good, sub: 'x'.repeat(256) });
    await refused(good, 'at+jwt');
    for (const signature of ['none', 'foreign-key', 'client-secret'] as const) {
      one.lies = { signature };
      await refused(good);
    }
    one.lies = {};
    expect(await domain.get(TokensService).listSessions(ada.userId)).toHaveLength(2);

    const ending = await token({ jti: 'b', sid: 'session of grace' }, 'logout+jwt');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => linked.endSessions('one', ending)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await domain.get(TokensService).listSessions(grace.userId)).toEqual([]);
    await linked.endSessions('one', await token(good));
    expect(await domain.get(TokensService).listSessions(ada.userId)).toEqual([]);
    if (other.result === 'session')
      expect(await domain.get(TokensService).authenticate(other.opened.secret)).toBeNull();
  });

  it('names the address for logging out at the provider that opened the session', async () => {
    const ada = await signUp(one, 'ada');
    expect(await linked.logOut(ada)).toBe(
      `${one.issuer}/logout?post_logout_redirect_uri=https%3A%2F%2Fsite.example%2F&client_id=vitrine`,
    );
    expect(await domain.get(TokensService).listSessions(ada.userId)).toEqual([]);
    expect(await linked.logOut(await member())).toBeNull();
  });

  it('asks accounts with a second factor for it, and then knows who opened the session', async () => {
    const ada = await signUp(one, 'ada');
    await query(
      `insert into authenticator_apps (user_id, sealed_secret, confirmed_at) values ($1, '', now())`,
      [ada.userId],
    );
    const outcome = await logIn(one, 'ada');
    if (outcome.result !== 'second-factor') throw new Error(outcome.result);
    const identities = domain.get(IdentitiesService);
    await domain.dataSource.query('delete from identity_sessions');
    expect(await identities.findIssuerOfSession(ada.tokenId)).toBeNull();
    await domain
      .get(TransactionRunner)
      .run((tx) => identities.completePendingLogin(tx, outcome.pending.secret, ada.tokenId));
    expect(await identities.findIssuerOfSession(ada.tokenId)).toBe(one.issuer);
  });

  it('accepts no password on a site without passwords', async () => {
    const ada = await member();
    await link(ada, one, 'ada');
    Object.assign(domain.get(IdentityProvidersConfig), { passwordLogin: false });
    await expect(domain.get(LoginsService).login(ada.username, PASSWORD, ORIGIN)).rejects.toThrow(
      NotAdmittedError,
    );
    await expect(
      domain.get(RegistrationService).register({ username: 'grace', password: PASSWORD }, null, 'g', null),
    ).rejects.toThrow(NotAdmittedError);
    await expect(
      domain.get(UsersService).changePassword(ada, { currentPassword: PASSWORD }, PASSWORD, true),
    ).rejects.toThrow(NotAdmittedError);
    const id = (await linked.list(ada.userId))[0]!.id;
    // The password is no way in any more.
    await expect(linked.unlink(ada, id, {})).rejects.toMatchObject({
      errors: { way_in: [expect.any(String)] },
    });
    expect(await logIn(one, 'ada')).toMatchObject({ result: 'session' });
    await signUp(two, 'grace');
  });
});
