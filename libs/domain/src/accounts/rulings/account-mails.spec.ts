import { sessionOf } from '../../../test/session-of';
import { Logger } from '@nestjs/common';
import { type DomainContext, type MailServer, startDomain, startMailServer } from '@vitrine/testing';
import type { Caller } from '../../base/access/caller';
import { AccountRulings } from './account-rulings.service';
import { AdmissionConfig } from '../admission/admission.config';
import { InvalidFieldsError, NotFoundError, TooManyRequestsError } from '../../base/errors/domain-error';
import { MailDeliverer } from '../../outgoing/mails/mail-deliverer';
import { MailDeliveryModule } from '../../outgoing/mails/mail-delivery.module';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountDeletion } from '../deletion/account-deletion.service';
import { EmailAddresses } from '../users/email-addresses.service';
import { GuestsService } from '../users/guests.service';
import { LoginsModule } from '../../sign-in/logins/logins.module';
import { LoginsService } from '../../sign-in/logins/logins.service';
import { PasswordChanges } from '../../sign-in/passwords/password-changes.service';
import { ResetLinks } from '../../sign-in/passwords/reset-links.service';
import { UsersService } from '../users/users.service';
import { ApplicationsService } from '../admission/applications.service';
import { RegistrationService } from '../admission/registration.service';
import { ProfileEditing } from '../profiles/profile-editing.service';
import { ProfilesModule } from '../profiles/profiles.module';
import { AccountSecurity } from '../../sign-in/factors/account-security.service';
import { AdministrationModule } from '../administration/administration.module';

const [PASSWORD, NEW_PASSWORD] = ['correct horse battery', 'staple of the old horse'];
const INVALID_LINK = { errors: { code: ['This link is invalid, has expired or was used already.'] } };

interface Person {
  readonly caller: Caller;
  readonly username: string;
  readonly address: string;
}

describe('mails of accounts', () => {
  let domain: DomainContext;
  let server: MailServer;
  let profiles: ProfileEditing;
  let emails: EmailAddresses;
  let changes: PasswordChanges;
  let resetLinks: ResetLinks;
  let people = 0;

  beforeAll(async () => {
    server = await startMailServer();
    domain = await startDomain([AdministrationModule, LoginsModule, MailDeliveryModule, ProfilesModule], {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'no-reply@example.org',
    });
    profiles = domain.get(ProfileEditing);
    emails = domain.get(EmailAddresses);
    changes = domain.get(PasswordChanges);
    resetLinks = domain.get(ResetLinks);
    Logger.overrideLogger(false);
  });
  beforeEach(() => void (server.received.length = 0));
  afterAll(async () => {
    await domain.stop();
    await server.stop();
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const deliver = async (): Promise<void> => {
    await resetLinks.resolveRequests(() => true);
    await domain.get(MailDeliverer).deliverDue(() => true);
  };
  /** What an address was sent: the subjects, in the order of arrival. */
  const subjectsTo = (address: string) =>
    server.received.filter(({ to }) => to.includes(address)).map(({ parsed }) => parsed.subject);
  /** The codes of the links that an address was sent. */
  const codesTo = (address: string): string[] =>
    server.received
      .filter(({ to }) => to.includes(address))
      .flatMap(({ links }) => links)
      .flatMap((link) => new URL(link).searchParams.get('code') ?? []);
  const join = async (email?: string): Promise<Person> => {
    const username = `person_${++people}`;
    const address = email ?? `${username}@example.net`;
    const account = { username, password: PASSWORD, email: address };
    const { secret } = await domain.get(RegistrationService).register(account, null, username, null);
    return { caller: (await domain.get(TokensService).authenticate(secret))!, username, address };
  };
  /** A person with a verified address. */
  const joinVerified = async (): Promise<Person> => {
    const person = await join();
    await deliver();
    await emails.verify(codesTo(person.address)[0]!);
    server.received.length = 0;
    return person;
  };
  const enter = ({ caller }: Person, email: string | null) =>
    profiles.update(caller, { email, currentPassword: PASSWORD });
  const stateOf = async ({ caller }: Person) => {
    const { email, verifiedEmail } = await domain.get(UsersService).findAccount(caller.userId);
    return { email, verifiedEmail };
  };
  const logIn = (login: string, password: string) =>
    domain.get(LoginsService).login(login, password, { client: login, device: null });
  const requestCode = async ({ username, address }: Person): Promise<string> => {
    await resetLinks.request(username);
    await deliver();
    return codesTo(address).at(-1)!;
  };

  describe('EmailAddresses', () => {
    it('verifies an address with the link that was sent to it, once', async () => {
      const ada = await join();
      expect(await stateOf(ada)).toEqual({ email: ada.address, verifiedEmail: null });
      await deliver();
      expect(subjectsTo(ada.address)).toEqual(['Confirm your email address for localhost:3002']);
      const [code] = codesTo(ada.address);
      const outcomes = await Promise.allSettled([emails.verify(code!), emails.verify(code!)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await stateOf(ada)).toEqual({ email: ada.address, verifiedEmail: ada.address });
      await expect(emails.verify(code!)).rejects.toMatchObject(INVALID_LINK);
      await expect(emails.sendLinkAgain(ada.caller)).rejects.toThrow(InvalidFieldsError);
    });

    it('refuses forged and expired links, and those of another kind and of another address', async () => {
      const ada = await join();
      await deliver();
      const [code] = codesTo(ada.address);
      for (const forged of ['', 'x', 'A'.repeat(34), `${code} `, code!.toLowerCase()]) {
        await expect(emails.verify(forged)).rejects.toMatchObject(INVALID_LINK);
      }
      await expect(changes.reset(code!, NEW_PASSWORD)).rejects.toMatchObject(INVALID_LINK);
      await query('update account_links set expires_at = now() where user_id = $1', [ada.caller.userId]);
      await expect(emails.verify(code!)).rejects.toMatchObject(INVALID_LINK);
      await emails.sendLinkAgain(ada.caller);
      await deliver();
      const second = codesTo(ada.address)[1]!;
      await enter(ada, 'someone.else@example.net');
      await expect(emails.verify(second)).rejects.toMatchObject(INVALID_LINK);
    });

    it('uses a new address only when it is verified, and tells the old one', async () => {
      const ada = await joinVerified();
      const next = `next_${ada.username}@example.net`;
      await expect(profiles.update(ada.caller, { email: next })).rejects.toThrow(InvalidFieldsError);
      await enter(ada, next);
      expect(await stateOf(ada)).toEqual({ email: next, verifiedEmail: ada.address });
      await deliver();
      expect(subjectsTo(ada.address)).toEqual([
        'localhost:3002: A new email address was entered for your account.',
      ]);
      const resetCode = await requestCode(ada);
      await emails.verify(codesTo(next)[0]!);
      expect(await stateOf(ada)).toEqual({ email: next, verifiedEmail: next });
      // A link that went to the old address no longer works.
      await expect(changes.reset(resetCode, NEW_PASSWORD)).rejects.toMatchObject(INVALID_LINK);
      await deliver();
      expect(subjectsTo(ada.address).at(-1)).toBe(
        'localhost:3002: The email address of your account was changed.',
      );
      await enter(ada, null);
      expect(await stateOf(ada)).toEqual({ email: null, verifiedEmail: null });
      await deliver();
      expect(subjectsTo(next).at(-1)).toBe('localhost:3002: The email address of your account was removed.');
    });

    it('returns to the address before without a new link', async () => {
      const ada = await joinVerified();
      await enter(ada, 'typing.error@example.net');
      await enter(ada, ada.address);
      expect(await stateOf(ada)).toEqual({ email: ada.address, verifiedEmail: ada.address });
      await deliver();
      expect(subjectsTo('typing.error@example.net')).toEqual([]);
    });

    it('gives an address to the first account that verifies it, ignoring case', async () => {
      const shared = `shared_${people}@example.net`;
      const [ada, bob] = [await join(shared), await join(shared.toUpperCase())];
      await deliver();
      const [first, second] = [codesTo(shared)[0]!, codesTo(shared.toUpperCase())[0]!];
      const outcomes = await Promise.allSettled([emails.verify(first), emails.verify(second)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { errors: { email: ['Another account uses this email address.'] } },
      });
      const states = await Promise.all([stateOf(ada), stateOf(bob)]);
      expect(states.filter(({ verifiedEmail }) => verifiedEmail !== null)).toHaveLength(1);
    });

    it('is a name to log in with only when it is verified', async () => {
      const [ada, bob] = [await joinVerified(), await join()];
      expect(sessionOf(await logIn(ada.address.toUpperCase(), PASSWORD)).account.username).toBe(ada.username);
      await expect(logIn(bob.address, PASSWORD)).rejects.toThrow(InvalidFieldsError);
      await enter(ada, `other_${bob.address}`);
      await expect(logIn(`other_${bob.address}`, PASSWORD)).rejects.toThrow(InvalidFieldsError);
    });

    // Promise [security]: Links to one email address are limited, whichever accounts ask.
    it('limits the links to one address, whichever accounts ask, and exactly in a race', async () => {
      const target = 'victim@example.com';
      const strangers = await Promise.all(Array.from({ length: 6 }, () => join(target)));
      await deliver();
      expect(subjectsTo(target)).toHaveLength(3);
      await expect(emails.sendLinkAgain(strangers[0]!.caller)).rejects.toThrow(TooManyRequestsError);
    });
  });

  describe('links to set a new password', () => {
    it('keeps the limits of an address when accounts that used them up are deleted', async () => {
      const target = 'pestered@example.com';
      for (let n = 0; n < 5; n++) {
        const { caller } = await join(target);
        await deliver();
        await domain.get(AccountDeletion).markDeleted(caller, { currentPassword: PASSWORD });
      }
      expect(subjectsTo(target)).toHaveLength(3);
    });

    it('reaches the owner of an address, whose mails another account tried to use up', async () => {
      const address = `owner_${people}@example.net`;
      const eve = await join(address);
      await emails.sendLinkAgain(eve.caller);
      await expect(emails.sendLinkAgain(eve.caller)).rejects.toThrow(TooManyRequestsError);
      await deliver();
      const ada = await join(address);
      await deliver();
      expect(codesTo(address)).toHaveLength(3);
      await emails.verify(codesTo(address)[2]!);
      expect(await stateOf(ada)).toMatchObject({ verifiedEmail: address });
      await changes.reset(await requestCode(ada), NEW_PASSWORD);
      await logIn(address, NEW_PASSWORD);
    });

    it('sets a password with a link, once, and ends sessions and API tokens', async () => {
      const ada = await joinVerified();
      const tokens = domain.get(TokensService);
      const { secret } = await tokens.create(ada.caller.userId, { name: 'camera' });
      const session = sessionOf(await logIn(ada.username, PASSWORD)).secret;
      const code = await requestCode(ada);
      await changes.reset(code, NEW_PASSWORD);
      for (const ended of [secret, session]) expect(await tokens.authenticate(ended)).toBeNull();
      await expect(logIn(ada.username, PASSWORD)).rejects.toThrow(InvalidFieldsError);
      await logIn(ada.username, NEW_PASSWORD);
      await expect(changes.reset(code, PASSWORD)).rejects.toMatchObject(INVALID_LINK);
      await deliver();
      expect(subjectsTo(ada.address)).toContain('localhost:3002: Your password was set with a link.');
    });

    it('accepts the verified address too, and stores the same of known and unknown accounts', async () => {
      const ada = await joinVerified();
      for (const login of [ada.address.toUpperCase(), 'nobody_here', 'nobody@example.net']) {
        await resetLinks.request(login);
      }
      expect(await query('select count(*)::int as count from reset_requests')).toEqual([{ count: 3 }]);
      await deliver();
      expect(server.received.map(({ to }) => to)).toEqual([[ada.address]]);
      expect(await query('select from reset_requests')).toEqual([]);
    });

    it('sends nothing to an address that is not verified', async () => {
      const ada = await join();
      await deliver();
      server.received.length = 0;
      for (const login of [ada.username, ada.address]) await resetLinks.request(login);
      await deliver();
      expect(server.received).toEqual([]);
    });

    it('sends at most two links in an hour for one account', async () => {
      const ada = await joinVerified();
      for (let request = 0; request < 10; request++) await resetLinks.request(ada.username);
      await resetLinks.request(ada.address);
      await deliver();
      expect(subjectsTo(ada.address)).toHaveLength(2);
    });

    it('lets one of two simultaneous resets succeed, also with different links', async () => {
      const ada = await joinVerified();
      const first = await requestCode(ada);
      const second = await requestCode(ada);
      expect(first).not.toBe(second);
      const outcomes = await Promise.allSettled([
        changes.reset(first, `${NEW_PASSWORD} 1`),
        changes.reset(first, `${NEW_PASSWORD} 2`),
        changes.reset(second, `${NEW_PASSWORD} 3`),
      ]);
      const succeeded = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await logIn(ada.username, `${NEW_PASSWORD} ${succeeded + 1}`);
    });

    it('ends with a change of the password, also if the mail is not sent yet', async () => {
      const ada = await joinVerified();
      const code = await requestCode(ada);
      await resetLinks.request(ada.username);
      await resetLinks.resolveRequests(() => true);
      await domain
        .get(PasswordChanges)
        .change(ada.caller, { currentPassword: PASSWORD }, NEW_PASSWORD, false);
      await expect(changes.reset(code, PASSWORD)).rejects.toMatchObject(INVALID_LINK);
      await deliver();
      expect(codesTo(ada.address)).toEqual([code]);

      // At the same time, exactly one of the two proofs holds; the other finds that it no longer does.
      const again = await requestCode(ada);
      const outcomes = await Promise.allSettled([
        changes.reset(again, `${NEW_PASSWORD} 1`),
        domain
          .get(PasswordChanges)
          .change(ada.caller, { currentPassword: NEW_PASSWORD }, `${NEW_PASSWORD} 2`, false),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('gives the operator a link for an account without an address, but for no guest and no deleted account', async () => {
      const ada = await join();
      const { code, expiresAt } = await resetLinks.create(ada.caller.userId);
      expect(Math.abs(Number(expiresAt) - Date.now() - 30 * 60_000)).toBeLessThan(10_000);
      await changes.reset(code, NEW_PASSWORD);
      const unused = await resetLinks.create(ada.caller.userId);
      const caller = (await domain
        .get(TokensService)
        .authenticate(sessionOf(await logIn(ada.username, NEW_PASSWORD)).secret))!;
      await domain.get(AccountDeletion).markDeleted(caller, { currentPassword: NEW_PASSWORD });
      await expect(changes.reset(unused.code, PASSWORD)).rejects.toMatchObject(INVALID_LINK);
      await expect(resetLinks.create(caller.userId)).rejects.toThrow(NotFoundError);
      const { secret } = await domain.get(GuestsService).welcome('192.0.2.1');
      const guest = (await domain.get(TokensService).authenticate(secret))!;
      await expect(resetLinks.create(guest.userId)).rejects.toThrow(NotFoundError);
      for (const table of ['mails', 'account_links']) {
        expect(await query(`select from ${table} where user_id = $1`, [caller.userId])).toEqual([]);
      }
    });
  });

  describe('AccountNotices', () => {
    it('tell a suspended and restored person by mail and in the site', async () => {
      const ada = await joinVerified();
      const ruling = { reason: 'Sells watches.\r\nBcc: x@example.com', until: null, by: null };
      await domain.get(AccountRulings).rule(ada.username, { ...ruling, state: 'suspended' });
      await domain.get(AccountRulings).rule(ada.username, { ...ruling, state: 'active' });
      await deliver();
      expect(subjectsTo(ada.address).sort()).toEqual([
        'localhost:3002: Your account is active again.',
        'localhost:3002: Your account was suspended.',
      ]);
      expect(server.received[0]!.parsed.text).toContain('Reason: Sells watches.');
      expect(server.received[0]!.to).toEqual([ada.address]);
      const told = await query<{ message: string }>(
        `select detail->>'message' as message from notifications where user_id = $1 and kind = 'account' order by id`,
        [ada.caller.userId],
      );
      expect(told.map(({ message }) => message.split('.')[0])).toEqual([
        'Your account was suspended',
        'Your account is active again',
      ]);
    });

    it('tell about password, token and email only a verified address', async () => {
      const [ada, bob] = [await joinVerified(), await join()];
      await deliver();
      server.received.length = 0;
      for (const { caller } of [ada, bob]) {
        await domain
          .get(AccountSecurity)
          .createToken(caller, { currentPassword: PASSWORD }, { name: 'camera' });
        await changes.change(caller, { currentPassword: PASSWORD }, NEW_PASSWORD, true);
      }
      await deliver();
      expect(subjectsTo(bob.address)).toEqual([]);
      expect(subjectsTo(ada.address).sort()).toEqual([
        'localhost:3002: The API token “camera” was created.',
        'localhost:3002: Your password was changed.',
      ]);
    });

    it('tell applicants with a verified address the decision, also if the account is removed', async () => {
      const moderator = { ...(await join()).caller, role: 'moderator' } as const;
      domain.get(AdmissionConfig).registration = 'approval';
      const apply = async (username: string): Promise<string> => {
        const email = `${username}@example.net`;
        const account = { username, password: PASSWORD, email };
        await domain.get(RegistrationService).apply(account, 'Moss.', username);
        return email;
      };
      const [yes, no, unverified] = [await apply('cora'), await apply('dora'), await apply('nora')];
      await deliver();
      for (const address of [yes, no]) await emails.verify(codesTo(address)[0]!);
      server.received.length = 0;
      const applications = domain.get(ApplicationsService);
      await applications.decide('cora', 'accept', null, moderator);
      await applications.decide('dora', 'decline', 'No moss here.', moderator);
      await applications.decide('nora', 'decline', null, moderator);
      await deliver();
      expect(subjectsTo(yes)).toEqual(['localhost:3002: Your application was accepted.']);
      expect(subjectsTo(no)).toEqual(['localhost:3002: Your application was declined.']);
      expect(subjectsTo(unverified)).toEqual([]);
      domain.get(AdmissionConfig).registration = 'open';
    });
  });
});
