import { Database } from '@vitrine/database';
import { untilBlocked } from '@vitrine/testing';
import { InvalidFieldsError, NotAdmittedError, NotFoundError } from '../../base/errors/domain-error';
import { AccountErasure } from '../../accounts/deletion/account-erasure';
import { IdentitiesService } from '../providers/identities.service';
import { IdentityProvidersConfig } from '../providers/identity-providers.config';
import { RegistrationService } from '../../accounts/admission/registration.service';
import { AccountSecurity } from '../factors/account-security.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountDeletion } from '../../accounts/deletion/account-deletion.service';
import { LoginsService } from './logins.service';
import { PasswordChanges } from '../passwords/password-changes.service';
import { FAILED, ORIGIN, PASSWORD, useProviders } from '../../../test/provider-stage';
import { ProfileEditing } from '../../accounts/profiles/profile-editing.service';

/** Turns on an authenticator app of the account $1. */
const ADD_APP = `insert into authenticator_apps (user_id, sealed_secret, confirmed_at) values ($1, '', now())`;

describe('accounts with providers', () => {
  const world = useProviders();
  const { one, two, staff, query, callerOf, finish, logIn, signUp, member, link } = world;

  /** A logout token of the provider `one`, whose claims are right unless `claims` replaces them. */
  const logoutToken = (claims: Readonly<Record<string, unknown>>, type?: string) => {
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    return one.sign({ iss: one.issuer, aud: 'vitrine', iat: now, exp: now + 60, events, ...claims }, type);
  };

  it('never finds an account by its email address or username', async () => {
    await member('ada');
    await query(`update users set email = 'ada@example.org'`);
    one.lies = { claims: { email: 'ada@example.org', email_verified: true } };
    expect(await logIn(one, 'ada')).toMatchObject({ outcome: 'newcomer' });
  });

  // Promise [accounts]: A provider is linked only to the account that began it.
  it('links a provider to the account whose session began it, and to no other', async () => {
    const [ada, grace] = [await member(), await member()];
    await expect(world.logins.beginLink(ada, 'one', {})).rejects.toMatchObject({
      errors: { current_password: ['The current_password field is required.'] },
    });
    const begun = await world.logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
    for (const other of [grace, null]) {
      const again = await world.logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
      await expect(finish(one, again, one.approve(again.url, 'ada'), other)).rejects.toMatchObject(FAILED);
    }
    expect(await finish(one, begun, one.approve(begun.url, 'ada'), ada)).toEqual({ outcome: 'linked' });
    expect(await logIn(one, 'ada')).toMatchObject({ session: { account: { username: ada.username } } });
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
    const begun = await world.logins.beginLink(ada, 'one', { currentPassword: PASSWORD });
    await world.domain.get(TokensService).revokeCurrent(ada);
    await expect(finish(one, begun, one.approve(begun.url, 'ada'), ada)).rejects.toMatchObject(FAILED);
  });

  // Promise [accounts]: The last way to log in can’t be removed.
  it('unlinks a provider, but never the last way to log in, also in simultaneous requests', async () => {
    const ada = await member();
    await link(ada, one, 'ada');
    const proof = { currentPassword: PASSWORD };
    const id = (await world.linked.list(ada.userId))[0]!.id;
    await expect(world.linked.unlink(ada, id, {})).rejects.toThrow(InvalidFieldsError);
    await expect(world.linked.unlink(await member(), id, proof)).rejects.toThrow(NotFoundError);
    await world.linked.unlink(ada, id, proof);
    expect(await logIn(one, 'ada')).toMatchObject({ outcome: 'newcomer' });

    const grace = await signUp(one, 'grace', true);
    const begun = await world.logins.beginLink(grace, 'two', {});
    await finish(two, begun, two.approve(begun.url, 'grace'), grace);
    const ids = (await world.linked.list(grace.userId)).map((identity) => identity.id);
    const outcomes = await Promise.allSettled(ids.map((each) => world.linked.unlink(grace, each, {})));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [left] = await world.linked.list(grace.userId);
    await expect(world.linked.unlink(grace, left!.id, {})).rejects.toMatchObject({
      errors: { way_in: [expect.stringContaining('last way to log in')] },
    });
  });

  // Promise [accounts]: Without a password, sensitive changes need a login of the last ten minutes.
  it('takes a login of the last ten minutes as the proof of accounts without a password', async () => {
    const security = world.domain.get(AccountSecurity);
    const deletion = world.domain.get(AccountDeletion);
    const again = { errors: { password: [expect.stringContaining('log in again')] } };
    // A provider that still knew the person has proved nothing.
    const silent = await signUp(one, 'ada');
    await expect(deletion.markDeleted(silent, {})).rejects.toMatchObject(again);
    const login = await logIn(one, 'ada', true);
    if (login.outcome !== 'session') throw new Error(login.outcome);
    const ada = await callerOf(login.session.secret);
    await security.createToken(ada, {}, { name: 'camera' });
    await query(`update tokens set created_at = now() - interval '11 minutes' where id = $1`, [ada.tokenId]);
    await expect(deletion.markDeleted(ada, {})).rejects.toMatchObject(again);
    await query(`update tokens set created_at = now() where id = $1`, [ada.tokenId]);
    await world.domain.get(PasswordChanges).change(ada, {}, PASSWORD, true);
    // Now it has a password, which is the proof.
    await expect(deletion.markDeleted(ada, {})).rejects.toMatchObject({
      errors: { password: ['The password field is required.'] },
    });
    await world.domain.get(AccountErasure).deleteAccount(ada, { currentPassword: PASSWORD });
    expect(await query('select from identities')).toEqual([]);
    expect(await logIn(one, 'ada')).toMatchObject({ outcome: 'newcomer' });
  });

  it('adds no passkey to an account without a password, unless the login was a proof a short time ago', async () => {
    const security = world.domain.get(AccountSecurity);
    const silent = await signUp(one, 'ada');
    await expect(security.beginPasskey(silent, {})).rejects.toMatchObject({
      errors: { current_password: [expect.stringContaining('log in again')] },
    });
    const login = await logIn(one, 'ada', true);
    if (login.outcome !== 'session') throw new Error(login.outcome);
    await security.beginPasskey(await callerOf(login.session.secret), {});
  });

  it('knows a browser that has logged in or registered before', async () => {
    const logInFrom = async (deviceToken?: string | null) => {
      const begun = await world.logins.begin('one', false);
      const origin = { ...ORIGIN, deviceToken };
      return world.logins.finish('one', begun.transaction, one.approve(begun.url, 'ada'), null, origin);
    };
    const login = await logInFrom();
    if (login.outcome !== 'newcomer') throw new Error(login.outcome);
    const account = { username: 'ada', invite: null, application: null };
    const opened = await world.logins.register('one', login.registration, account, 'ada', null);
    const again = await logInFrom(opened!.deviceToken);
    if (again.outcome !== 'session') throw new Error(again.outcome);
    expect(again.session.deviceToken).toBe(opened!.deviceToken);
    const records = await query('select known_device from login_records order by id');
    expect(records).toEqual([{ known_device: false }, { known_device: true }]);
  });

  it('removes what is left of logins that nobody finished', async () => {
    await world.logins.begin('one', false);
    await logIn(one, 'nobody yet');
    await query(`update identity_attempts set expires_at = now() - interval '1 second'`);
    await query(`update identity_newcomers set expires_at = now() - interval '1 second'`);
    await query(
      `insert into identity_logouts (issuer, token_sha256, expires_at) values ('x', sha256('x'), now() - interval '1 second')`,
    );
    await world.domain.get(IdentitiesService).removeExpired();
    for (const table of ['identity_attempts', 'identity_newcomers', 'identity_logouts'])
      expect(await query(`select from ${table}`)).toEqual([]);
  });

  it('takes no API token of an account without a password as a proof', async () => {
    const ada = await signUp(one, 'ada', true);
    const { secret } = await world.domain.get(AccountSecurity).createToken(ada, {}, { name: 'camera' });
    await expect(
      world.domain.get(ProfileEditing).update(await callerOf(secret), { email: 'ada@example.org' }),
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
    const entries = await query(
      `select actor_id, detail from audit_log where action = 'user.change_role' and subject_name = 'ada' order by id`,
    );
    const by = 'provider staff';
    expect(entries).toEqual([
      { actor_id: null, detail: { from: 'user', to: 'moderator', by } },
      { actor_id: null, detail: { from: 'moderator', to: 'admin', by } },
      { actor_id: null, detail: { from: 'admin', to: 'user', by } },
    ]);
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
        errors: { login: [expect.stringContaining('verified email address')] },
      });
    }
  });

  // Promise [accounts]: A provider can end the sessions of its people.
  it('ends the sessions that a provider names in a logout token, and uses each token once', async () => {
    const ada = await signUp(one, 'ada');
    const [other, grace] = [await logIn(one, 'ada'), await signUp(one, 'grace')];
    const now = Math.floor(Date.now() / 1000);
    const refused = async (claims: Readonly<Record<string, unknown>>, type?: string) =>
      expect(world.linked.endSessions('one', await logoutToken(claims, type))).rejects.toThrow(
        InvalidFieldsError,
      );
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
    expect(await world.domain.get(TokensService).listSessions(ada.userId)).toHaveLength(2);

    const ending = await logoutToken({ jti: 'b', sid: 'session of grace' }, 'logout+jwt');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => world.linked.endSessions('one', ending)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await world.domain.get(TokensService).listSessions(grace.userId)).toEqual([]);
    await world.linked.endSessions('one', await logoutToken(good));
    expect(await world.domain.get(TokensService).listSessions(ada.userId)).toEqual([]);
    if (other.outcome === 'session')
      expect(await world.domain.get(TokensService).authenticate(other.session.secret)).toBeNull();
  });

  it('names the address for logging out at the provider that opened the session', async () => {
    const ada = await signUp(one, 'ada');
    expect(await world.linked.logOut(ada)).toBe(
      `${one.issuer}/logout?post_logout_redirect_uri=https%3A%2F%2Fsite.example%2F&client_id=vitrine`,
    );
    expect(await world.domain.get(TokensService).listSessions(ada.userId)).toEqual([]);
    expect(await world.linked.logOut(await member())).toBeNull();
  });

  it('asks accounts with a second factor for it, and then knows who opened the session', async () => {
    const ada = await signUp(one, 'ada');
    await query(ADD_APP, [ada.userId]);
    const login = await logIn(one, 'ada');
    if (login.outcome !== 'second-factor') throw new Error(login.outcome);
    const identities = world.domain.get(IdentitiesService);
    await world.domain.dataSource.query('delete from identity_sessions');
    expect(await identities.findIssuerOfSession(ada.tokenId)).toBeNull();
    await world.domain
      .get(Database)
      .transaction((tx) => identities.completePendingLogin(tx, login.pending.secret, ada.tokenId));
    expect(await identities.findIssuerOfSession(ada.tokenId)).toBe(one.issuer);
  });

  it('ends a login that waits for the second factor when the provider ends its session', async () => {
    const ada = await signUp(one, 'ada');
    await query(ADD_APP, [ada.userId]);
    const login = await logIn(one, 'ada');
    if (login.outcome !== 'second-factor') throw new Error(login.outcome);
    await world.linked.endSessions('one', await logoutToken({ jti: 'waits', sid: 'session of ada' }));
    await expect(
      world.domain.get(LoginsService).complete(login.pending.secret, { code: '000000' }, ORIGIN),
    ).rejects.toMatchObject({ errors: { pending_login: [expect.any(String)] } });
  });

  /** Runs `attempt` while a transaction that has run `before` waits to run `after` and to commit. */
  const during = async <Result>(
    before: string,
    attempt: () => Promise<Result>,
    after: string,
    values: readonly unknown[],
  ): Promise<Result> => {
    let attempted: Promise<Result> | undefined;
    await world.domain.dataSource.transaction(async (manager) => {
      await manager.query(before, [values[0]]);
      attempted = attempt();
      attempted.catch(() => undefined);
      await untilBlocked(world.domain.dataSource);
      await manager.query(after, [...values]);
    });
    return attempted!;
  };

  it('asks for a second factor that is turned on during the login', async () => {
    const ada = await signUp(one, 'ada');
    const login = await during(
      'select from users where id = $1 for update',
      () => logIn(one, 'ada'),
      ADD_APP,
      [ada.userId],
    );
    expect(login.outcome).toBe('second-factor');
  });

  it('ends a session whose login is completed while the provider ends its session', async () => {
    const ada = await signUp(one, 'ada');
    await query(ADD_APP, [ada.userId]);
    expect(await logIn(one, 'ada')).toMatchObject({ outcome: 'second-factor' });
    // The session of the login that is being completed.
    const { tokenId } = await member();
    const token = await logoutToken({ jti: 'meets', sid: 'session of ada' });
    await during(
      'delete from pending_logins where user_id = $1',
      () => world.linked.endSessions('one', token),
      `with completed as (delete from identity_pending_sessions returning issuer, subject, session, fresh)
       insert into identity_sessions (token_id, issuer, subject, session, fresh)
       select $2, issuer, subject, session, fresh from completed where $1::bigint is not null`,
      [ada.userId, tokenId],
    );
    expect(await query('select from tokens where id = $1', [tokenId])).toEqual([]);
  });

  // Promise [accounts]: A site can have no passwords at all.
  it('accepts no password on a site without passwords', async () => {
    const ada = await member();
    await link(ada, one, 'ada');
    Object.assign(world.domain.get(IdentityProvidersConfig), { passwordLogin: false });
    await expect(world.domain.get(LoginsService).login(ada.username, PASSWORD, ORIGIN)).rejects.toThrow(
      NotAdmittedError,
    );
    await expect(
      world.domain
        .get(RegistrationService)
        .register({ username: 'grace', password: PASSWORD }, null, 'g', null),
    ).rejects.toThrow(NotAdmittedError);
    await expect(
      world.domain.get(PasswordChanges).change(ada, { currentPassword: PASSWORD }, PASSWORD, true),
    ).rejects.toThrow(NotAdmittedError);
    const id = (await world.linked.list(ada.userId))[0]!.id;
    // The password can no longer be used to log in.
    await expect(world.linked.unlink(ada, id, {})).rejects.toMatchObject({
      errors: { way_in: [expect.any(String)] },
    });
    expect(await logIn(one, 'ada')).toMatchObject({ outcome: 'session' });
    await signUp(two, 'grace');
  });
});
