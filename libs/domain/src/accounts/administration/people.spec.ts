import { useDomain } from '@vitrine/testing';
import { RegistrationService } from '../admission/registration.service';
import type { Caller } from '../../base/access/caller';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { AuditLog } from '../../base/audit/audit-log.service';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountAdministration } from './account-administration.service';
import { AccountDeletion } from '../deletion/account-deletion.service';
import { LoginsModule } from '../../sign-in/logins/logins.module';
import { LoginsService } from '../../sign-in/logins/logins.service';
import { PasswordChanges } from '../../sign-in/passwords/password-changes.service';
import { type Proof, ReauthenticationService } from '../../sign-in/factors/reauthentication.service';
import { AdministrationModule } from './administration.module';
import { PeopleService } from './people.service';
import { PersonAccess } from './person-access.service';

const PASSWORD = 'correct horse battery';
const PROOF = { currentPassword: PASSWORD };

describe('PeopleService', () => {
  const domain = useDomain([AdministrationModule, AuditLogModule, LoginsModule]);
  let people: PeopleService;
  let access: PersonAccess;
  let deletion: AccountDeletion;
  let tokens: TokensService;
  let count = 0;

  beforeAll(() => {
    people = domain.get(PeopleService);
    access = domain.get(PersonAccess);
    deletion = domain.get(AccountDeletion);
    tokens = domain.get(TokensService);
  });
  beforeEach(() => domain.dataSource.query('truncate users cascade'));

  const register = async (username: string, role: Caller['role'] = 'user'): Promise<Caller> => {
    const email = `${username}@example.org`;
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD, email }, null, `client ${count++}`, null);
    if (role !== 'user') await domain.get(AccountAdministration).changeRole(username, role);
    const caller = await tokens.authenticate(secret);
    if (!caller) throw new Error('The session that was just opened has no caller');
    return caller;
  };
  const names = async (filter: Parameters<PeopleService['findPage']>[0]) =>
    (await people.findPage(filter, 1, 10)).people.map(({ username }) => username);
  const entries = async (subject: string) =>
    (await domain.get(AuditLog).findPage({ subject }, 1, 10)).entries.map(({ actor, action, detail }) => [
      actor,
      action,
      detail,
    ]);

  // Promise [administration]: Admins find accounts by the beginning of name or email address, by role and
  // state.
  it('finds accounts by the beginning of the name or email address, by role and by state, newest first', async () => {
    const boss = await register('Ada_admin', 'admin');
    await register('ada');
    await register('bob', 'moderator');
    await domain.dataSource.query(
      `insert into account_restrictions (user_id, state, reason, until)
       select id, 'limited', 'Spam.', null from users where username = 'ada'`,
    );
    expect(await names({})).toEqual(['bob', 'ada', 'Ada_admin']);
    expect(await names({ q: 'ADA' })).toEqual(['ada', 'Ada_admin']);
    expect(await names({ q: 'ada_' })).toEqual(['Ada_admin']);
    expect(await names({ q: '%' })).toEqual([]);
    expect(await names({ q: 'bob@EXAMPLE' })).toEqual(['bob']);
    expect(await names({ role: 'moderator' })).toEqual(['bob']);
    expect(await names({ state: 'limited' })).toEqual(['ada']);
    expect(await names({ state: 'active', q: 'ada' })).toEqual(['Ada_admin']);
    expect((await people.findPage({ role: 'admin' }, 1, 10)).total).toBe(1);
    expect(await people.find('ADA')).toMatchObject({ username: 'ada', state: 'limited', sessionCount: 1 });
    await people.delete('ada', { typedName: 'ada', reason: 'Spam.' }, boss, PROOF);
    expect(await names({ q: 'ada' })).toEqual(['Ada_admin']);
  });

  // Promise [administration]: Admins change roles; one admin always stays, also after simultaneous changes.
  it('changes roles, but leaves the only admin', async () => {
    const boss = await register('boss', 'admin');
    await register('carol');
    expect(await people.changeRole('carol', 'admin', boss, PROOF)).toMatchObject({ role: 'admin' });
    expect(await people.changeRole('carol', 'user', boss, PROOF)).toMatchObject({ role: 'user' });
    await expect(people.changeRole('BOSS', 'moderator', boss, PROOF)).rejects.toThrow(InvalidFieldsError);
    await expect(people.changeRole('nobody', 'user', boss, PROOF)).rejects.toThrow(NotFoundError);
    expect(await entries('carol')).toEqual([
      ['boss', 'user.change_role', { from: 'admin', to: 'user' }],
      ['boss', 'user.change_role', { from: 'user', to: 'admin' }],
    ]);
  });

  it('does not count an applicant with the role as an admin', async () => {
    const boss = await register('boss', 'admin');
    await register('applicant', 'admin');
    await domain.dataSource.query(
      `insert into applications (user_id, words) select id, 'Please.' from users where username = 'applicant'`,
    );
    await expect(people.changeRole('boss', 'user', boss, PROOF)).rejects.toMatchObject({
      errors: { role: ['The only admin cannot give up the role.'] },
    });
    await expect(deletion.markDeleted(boss, PROOF)).rejects.toThrow(InvalidFieldsError);
  });

  it('removes the application of a deleted account', async () => {
    const boss = await register('boss', 'admin');
    await register('applicant');
    await domain.dataSource.query(
      `insert into applications (user_id, words) select id, 'Please.' from users where username = 'applicant'`,
    );
    await people.delete('applicant', { typedName: 'applicant', reason: 'Spam.' }, boss, PROOF);
    expect(await domain.dataSource.query('select from applications')).toEqual([]);
  });

  it('ends logins that wait for a second factor together with the sessions', async () => {
    const boss = await register('boss', 'admin');
    const { userId } = await register('nina');
    await domain.dataSource.query(
      `insert into authenticator_apps (user_id, sealed_secret, confirmed_at) values ($1, '', now())`,
      [userId],
    );
    const logins = domain.get(LoginsService);
    const origin = { client: '192.0.2.1', device: null };
    const result = await logins.login('nina', PASSWORD, origin);
    if (result.outcome !== 'second-factor') throw new Error('The login asked for no second factor');
    await access.endSessions('nina', boss);
    await expect(logins.complete(result.pending.secret, { code: '000000' }, origin)).rejects.toMatchObject({
      errors: { pending_login: [expect.any(String)] },
    });
  });

  it('leaves one admin when two take the role from each other at once', async () => {
    const [one, two] = [await register('one', 'admin'), await register('two', 'admin')];
    const outcomes = await Promise.allSettled([
      people.changeRole('two', 'user', one, PROOF),
      people.changeRole('one', 'user', two, PROOF),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await names({ role: 'admin' })).toHaveLength(1);
  });

  // Promise [administration]: Admins end sessions and revoke tokens of others at once.
  it('ends sessions and revokes API tokens at once', async () => {
    const boss = await register('head', 'admin');
    const dora = await register('dora');
    const { token, secret } = await tokens.create(dora.userId, { name: 'camera' });
    expect(await access.listTokens('dora')).toMatchObject([{ id: token.id, name: 'camera' }]);
    const [session] = await access.listSessions('dora');
    await expect(access.endSession('head', session!.id, boss)).rejects.toThrow(NotFoundError);
    await access.endSession('dora', session!.id, boss);
    expect(await access.listSessions('dora')).toEqual([]);
    expect(await tokens.authenticate(secret)).not.toBeNull();
    await access.revokeToken('dora', token.id, boss);
    expect(await tokens.authenticate(secret)).toBeNull();
    await expect(access.revokeToken('dora', token.id, boss)).rejects.toThrow(NotFoundError);
    await access.endSessions('head', boss);
    expect(await access.listSessions('head')).toEqual([]);
    expect(await entries('dora')).toEqual([
      ['head', 'token.revoke', { id: token.id }],
      ['head', 'user.end_session', { id: session!.id }],
    ]);
    expect(await entries('head')).toEqual([
      ['head', 'user.end_sessions', { sessions: 1 }],
      [null, 'user.change_role', { from: 'user', to: 'admin' }],
    ]);
  });

  // Promise [administration]: Admins delete accounts with the name typed, but no admins.
  it('deletes accounts, but no admins, and only with the name typed', async () => {
    const boss = await register('boss', 'admin');
    await register('erin');
    const reason = 'Asked for it by letter.';
    await expect(people.delete('erin', { typedName: 'eric', reason }, boss, PROOF)).rejects.toThrow(
      InvalidFieldsError,
    );
    await expect(people.delete('boss', { typedName: 'boss', reason }, boss, PROOF)).rejects.toThrow(
      InvalidFieldsError,
    );
    await people.delete('erin', { typedName: 'Erin', reason }, boss, PROOF);
    await expect(people.find('erin')).rejects.toThrow(NotFoundError);
    expect(await entries('erin')).toEqual([['boss', 'user.delete', { reason }]]);
    const [row] = await domain.dataSource.query(
      `select email, erased_at is not null as erased from users where username = 'erin'`,
    );
    expect(row).toEqual({ email: null, erased: true });
  });

  it('tells people about changed roles and ended sessions', async () => {
    const boss = await register('boss', 'admin');
    const gina = await register('gina');
    await people.changeRole('gina', 'moderator', boss, PROOF);
    await people.changeRole('gina', 'moderator', boss, PROOF);
    const [session] = await access.listSessions('gina');
    await access.endSession('gina', session!.id, boss);
    // No session is left to end.
    await access.endSessions('gina', boss);
    const rows = await domain.dataSource.query(
      `select detail ->> 'message' as message from notifications where user_id = $1 order by id`,
      [gina.userId],
    );
    expect(rows).toEqual([
      { message: 'Your role is now moderator.' },
      { message: 'An admin ended one of the sessions of your account.' },
    ]);
  });

  it('keeps the only admin, who cannot delete the account, also if two do it at once', async () => {
    const [one, two] = [await register('one', 'admin'), await register('two', 'admin')];
    const outcomes = await Promise.allSettled([one, two].map((admin) => deletion.markDeleted(admin, PROOF)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const left = outcomes[0]?.status === 'rejected' ? one : two;
    await expect(deletion.markDeleted(left, PROOF)).rejects.toThrow(InvalidFieldsError);
    const heir = await register('heir');
    await people.changeRole('heir', 'admin', left, PROOF);
    await deletion.markDeleted(left, PROOF);
    expect(await names({ role: 'admin' })).toEqual([heir.username]);
  });

  // Promise [administration]: Admins create reset links and remove second factors for people who can’t log
  // in.
  it('creates reset links and removes second factors, each with an entry', async () => {
    const boss = await register('boss', 'admin');
    const hugo = await register('hugo');
    const { code } = await access.createResetLink('HUGO', boss, PROOF);
    await domain.get(PasswordChanges).reset(code, 'another long passphrase');
    await expect(domain.get(PasswordChanges).reset(code, 'another long passphrase')).rejects.toThrow(
      InvalidFieldsError,
    );
    await domain.dataSource.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       values ($1, 'a', 'a', 0, '{}', 'Phone')`,
      [hugo.userId],
    );
    expect(await people.find('hugo')).toMatchObject({ hasSecondFactor: true, sessionCount: 0 });
    await access.removeSecondFactors('hugo', boss, PROOF);
    expect(await people.find('hugo')).toMatchObject({ hasSecondFactor: false });
    expect(await entries('hugo')).toEqual([
      ['boss', 'user.remove_second_factor', null],
      ['boss', 'user.reset_link', null],
    ]);
  });

  it('requires a new proof for what gives power over an account or destroys it', async () => {
    const boss = await register('boss', 'admin');
    await register('kim');
    const deletion = { typedName: 'kim', reason: 'x' };
    const changes = [
      (proof: Proof) => people.changeRole('kim', 'admin', boss, proof),
      (proof: Proof) => people.changeQuota('kim', { files: 1 }, boss, proof),
      (proof: Proof) => access.createResetLink('kim', boss, proof),
      (proof: Proof) => access.removeSecondFactors('kim', boss, proof),
      (proof: Proof) => people.delete('kim', deletion, boss, proof),
    ];
    const refused = { errors: { current_password: [expect.any(String)] } };
    for (const change of changes) await expect(change({})).rejects.toMatchObject(refused);
    for (const change of changes.slice(0, 3))
      await expect(change({ currentPassword: 'wrong' })).rejects.toMatchObject(refused);
    expect(await entries('kim')).toEqual([]);
    expect(await people.find('kim')).toMatchObject({ role: 'user' });
    // What was right no longer holds when the password has changed in the meantime.
    const confirmed = await domain.get(ReauthenticationService).confirm(boss, PROOF);
    await domain.get(PasswordChanges).change(boss, PROOF, 'staple of the old horse', true);
    await expect(
      domain.get(AccountAdministration).changeRole('kim', 'admin', confirmed),
    ).rejects.toMatchObject(refused);
  });

  it('changes a quota, with an entry', async () => {
    const boss = await register('boss', 'admin');
    await register('lee');
    expect(await people.changeQuota('LEE', { files: 3 }, boss, PROOF)).toMatchObject({
      username: 'lee',
      own: { files: 3, bytes: null },
    });
    expect(await entries('lee')).toEqual([['boss', 'user.change_quota', { files: 3 }]]);
    await expect(people.changeQuota('nobody', { files: 3 }, boss, PROOF)).rejects.toThrow(NotFoundError);
  });

  it('does not remove the last way to log in, a passkey of an account without a password', async () => {
    const boss = await register('boss', 'admin');
    const { userId } = await register('olga');
    await domain.dataSource.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       values ($1, 'b', 'b', 0, '{}', 'Phone')`,
      [userId],
    );
    await domain.dataSource.query('update users set password_hash = null where id = $1', [userId]);
    await expect(access.removeSecondFactors('olga', boss, PROOF)).rejects.toMatchObject({
      errors: { way_in: [expect.any(String)] },
    });
    expect(await people.find('olga')).toMatchObject({ hasSecondFactor: true });
    const { code } = await access.createResetLink('olga', boss, PROOF);
    await domain.get(PasswordChanges).reset(code, 'another long passphrase');
    await access.removeSecondFactors('olga', boss, PROOF);
    expect(await people.find('olga')).toMatchObject({ hasSecondFactor: false });
  });

  it('refuses a user who is no longer an admin, even if the request says so', async () => {
    const [one, two] = [await register('one', 'admin'), await register('two', 'admin')];
    await register('fred');
    await people.changeRole('two', 'user', one, PROOF);
    await expect(access.endSessions('fred', two)).rejects.toThrow(ForbiddenError);
    await expect(people.changeRole('fred', 'admin', two, PROOF)).rejects.toThrow(ForbiddenError);
    await expect(access.createResetLink('fred', two, PROOF)).rejects.toThrow(ForbiddenError);
    await expect(access.removeSecondFactors('fred', two, PROOF)).rejects.toThrow(ForbiddenError);
    await expect(people.changeQuota('fred', { files: 9 }, two, PROOF)).rejects.toThrow(ForbiddenError);
    await expect(people.delete('fred', { typedName: 'fred', reason: 'x' }, two, PROOF)).rejects.toThrow(
      ForbiddenError,
    );
    expect(await access.listSessions('fred')).toHaveLength(1);
    expect(await entries('fred')).toEqual([]);
  });
});
