import { useDomain } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { AdmissionConfig } from '../admission/admission.config';
import { InvitesService, type WantedInvite } from '../admission/invites.service';
import { AuthorsService } from '../authors/authors.service';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import {
  ForbiddenError,
  InvalidFieldsError,
  NotAdmittedError,
  NotFoundError,
  UnauthenticatedError,
} from '../../base/errors/domain-error';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountAdministration } from '../administration/account-administration.service';
import { GuestUploadsConfig } from '../users/guests.config';
import { GuestsService } from '../users/guests.service';
import { LoginsModule } from '../../sign-in/logins/logins.module';
import { LoginsService } from '../../sign-in/logins/logins.service';
import { sessionOf } from '../../../test/session-of';
import { ApplicationsService } from './applications.service';
import { RegistrationService } from './registration.service';
import { AdministrationModule } from '../administration/administration.module';

const PASSWORD = 'correct horse battery';
const ORIGIN = { client: '192.0.2.1', device: null };
const INVALID_INVITE = { errors: { invite: ['The selected invite is invalid.'] } };

describe('RegistrationService', () => {
  const domain = useDomain([AdministrationModule, LoginsModule]);
  let registration: RegistrationService;
  let invites: InvitesService;
  let applications: ApplicationsService;
  let config: AdmissionConfig;
  let people = 0;

  beforeAll(() => {
    registration = domain.get(RegistrationService);
    invites = domain.get(InvitesService);
    applications = domain.get(ApplicationsService);
    config = domain.get(AdmissionConfig);
  });
  beforeEach(async () => {
    await domain.dataSource.query('truncate users, invites, applications, outbox cascade');
    domain.get(GuestUploadsConfig).guestUploads = true;
    Object.assign(config, { registration: 'open', invitesBy: 'staff' });
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const account = (username = `person_${++people}`) => ({ username, password: PASSWORD });
  /** Each from its own address, because new accounts of one address are limited. */
  const register = (invite: string | null = null, fields = account()) =>
    registration.register(fields, invite, fields.username, null);
  const apply = (username: string, words = 'I take pictures of moss.') =>
    registration.apply(account(username), words, username);
  const member = async (role: Caller['role'] = 'user'): Promise<Caller> => {
    const fields = account();
    const { secret } = await domain.get(RegistrationService).register(fields, null, fields.username, null);
    if (role !== 'user') await domain.get(AccountAdministration).changeRole(fields.username, role);
    return { ...(await domain.get(TokensService).authenticate(secret))!, role };
  };
  const invite = async (by: Caller, wanted: Partial<WantedInvite> = {}): Promise<string> =>
    (await invites.create(by, { uses: 1, note: null, ...wanted })).code;
  const logIn = (username: string) => domain.get(LoginsService).login(username, PASSWORD, ORIGIN);

  // Promise [accounts]: Registration can be closed.
  it('is refused while registration is closed, also with an invite', async () => {
    const code = await invite(await member('moderator'));
    config.registration = 'closed';
    await expect(register()).rejects.toThrow(NotAdmittedError);
    await expect(register(code)).rejects.toThrow(NotAdmittedError);
    await expect(apply('ada')).rejects.toThrow(NotAdmittedError);
  });

  // Promise [accounts]: Registration can require an invite, which has a number of uses and an end.
  it('requires an invite that is open, with as many accounts as it allows, even for simultaneous requests', async () => {
    const staff = await member('moderator');
    config.registration = 'invite';
    await expect(register()).rejects.toMatchObject({
      errors: { invite: ['The invite field is required.'] },
    });
    await expect(register('nonsense')).rejects.toMatchObject(INVALID_INVITE);
    const code = await invite(staff, { uses: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => register(code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await query('select from invite_uses')).toHaveLength(3);
    expect((await invites.findPage(staff, 1, 9)).invites).toMatchObject([
      { state: 'used', used: 3, uses: 3 },
    ]);
    // The accounts of the others were not created.
    expect(await query('select from users')).toHaveLength(4);

    const [ended, revoked, rests] = [await invite(staff), await invite(staff), await invite(staff)];
    await query(`update invites set expires_at = now() where id = (select min(id) + 1 from invites)`);
    await invites.revoke(staff, Number((await query('select min(id) + 2 as id from invites'))[0]!['id']));
    for (const each of [ended, revoked]) await expect(register(each)).rejects.toMatchObject(INVALID_INVITE);
    await query(`insert into account_restrictions (user_id, state, reason) values ($1, 'limited', 'x')`, [
      staff.userId,
    ]);
    await expect(register(rests)).rejects.toMatchObject(INVALID_INVITE);
  });

  it('refuses the invites of somebody who may not invite any longer', async () => {
    const staff = await member('moderator');
    config.registration = 'invite';
    const code = await invite(staff, { uses: 9 });
    await register(code);
    await domain.get(AccountAdministration).changeRole(staff.username, 'user');
    await expect(register(code)).rejects.toMatchObject(INVALID_INVITE);
    config.invitesBy = 'members';
    await register(code);
  });

  it('does not use up an invite if the account is not created', async () => {
    const staff = await member('moderator');
    config.registration = 'invite';
    const code = await invite(staff);
    await expect(register(code, account(staff.username))).rejects.toThrow(InvalidFieldsError);
    await register(code);
    expect((await invites.findPage(staff, 1, 9)).invites).toMatchObject([{ state: 'used' }]);
  });

  // Promise [accounts]: Registration can require approval; until then an account can do nothing.
  it('with approval takes applications, whose accounts can do nothing until they are accepted', async () => {
    const staff = await member('moderator');
    config.registration = 'approval';
    await expect(register()).rejects.toThrow(NotAdmittedError);
    await expect(apply('ada', ' ')).rejects.toMatchObject({
      errors: { application: ['The application field is required.'] },
    });
    await apply('ada');
    await expect(apply('ADA')).rejects.toMatchObject({ errors: { username: [expect.any(String)] } });
    expect(await domain.get(AuthorsService).findUserId('ada')).toBeNull();
    await expect(logIn('ada')).rejects.toMatchObject({
      errors: { login: ['Your application for this account is still waiting for a decision.'] },
    });
    await expect(domain.get(LoginsService).login('ada', 'wrong', ORIGIN)).rejects.toMatchObject({
      errors: { login: ['These credentials do not match our records.'] },
    });
    expect(await applications.findPage(1, 9)).toMatchObject({
      applications: [{ username: 'ada', words: 'I take pictures of moss.' }],
      total: 1,
    });
    await applications.decide('Ada', 'accept', null, staff);
    await expect(applications.decide('ada', 'accept', null, staff)).rejects.toThrow(NotFoundError);
    expect(sessionOf(await logIn('ada')).account.username).toBe('ada');
    expect(await domain.get(AuthorsService).findUserId('ada')).not.toBeNull();
    expect((await domain.get(DecisionLog).findPage({ subject: 'user' }, 1, 9)).items).toMatchObject([
      { slug: 'ada', from: 'pending', to: 'approved', reason: 'application', username: staff.username },
    ]);
    // An invite replaces the decision.
    await register(await invite(staff), account('bob'));
    expect(sessionOf(await logIn('bob')).account.username).toBe('bob');
  });

  it('frees the name of a declined application', async () => {
    const staff = await member('moderator');
    config.registration = 'approval';
    await apply('ada');
    const outcomes = await Promise.allSettled([
      applications.decide('ada', 'decline', 'Spam.', staff),
      applications.decide('ada', 'decline', 'Spam.', staff),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(logIn('ada')).rejects.toThrow(InvalidFieldsError);
    await apply('ada');
  });

  // Promise [accounts]: Members invite only where the operator allows it.
  it('lets members invite only where the operator allows it, a few people at a time', async () => {
    const [ada, bob, staff] = [await member(), await member(), await member('admin')];
    await expect(invite(ada)).rejects.toThrow(ForbiddenError);
    await expect(invites.findPage(ada, 1, 9)).rejects.toThrow(ForbiddenError);
    config.invitesBy = 'members';
    for (let number = 0; number < 10; number++) await invite(ada, { uses: 10 });
    await expect(invite(ada)).rejects.toThrow(InvalidFieldsError);
    for (const wanted of [
      { uses: 11 },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { expiresAt: '2999-01-01T00:00:00Z' },
    ]) {
      await expect(invite(bob, wanted)).rejects.toThrow(InvalidFieldsError);
    }
    const [first] = (await invites.findPage(ada, 1, 1)).invites;
    await expect(invites.revoke(bob, first!.id)).rejects.toThrow(NotFoundError);
    await expect(invites.find(bob, first!.id)).rejects.toThrow(NotFoundError);
    await invites.revoke(staff, first!.id);
    expect(await invites.find(ada, first!.id)).toMatchObject({ state: 'revoked', createdBy: ada.username });
    await invite(ada);
  });

  // Promise [access]: `GUEST_UPLOADS=false` admits no guests.
  it('admits no new guests and gives guests no tickets without GUEST_UPLOADS', async () => {
    const guests = domain.get(GuestsService);
    const { secret } = await guests.welcome('192.0.2.7');
    const guest = (await domain.get(TokensService).authenticate(secret))!;
    domain.get(GuestUploadsConfig).guestUploads = false;
    await expect(guests.welcome('192.0.2.7')).rejects.toThrow(UnauthenticatedError);
    await expect(guests.createTicket(guest)).rejects.toThrow(ForbiddenError);
    await guests.createTicket(await member());
  });
});
