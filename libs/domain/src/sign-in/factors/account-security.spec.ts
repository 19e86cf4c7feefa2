import { type DomainContext, startDomain } from '@vitrine/testing';
import { Secret, TOTP } from 'otpauth';
import { AccountAdministration } from '../../accounts/administration/account-administration.service';
import { PasswordsModule } from '../passwords/passwords.module';
import { PasswordChanges } from '../passwords/password-changes.service';
import { SoftwarePasskey } from '../../../test/software-passkey';
import { RegistrationService } from '../../accounts/admission/registration.service';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, NotFoundError, TooManyRequestsError } from '../../base/errors/domain-error';
import { TokensService } from '../tokens/tokens.service';
import { LoginsModule } from '../logins/logins.module';
import { LoginsService } from '../logins/logins.service';
import { AccountSecurity } from './account-security.service';
import { FactorsModule } from './factors.module';
import { AdministrationModule } from '../../accounts/administration/administration.module';

const PASSWORD = 'correct horse battery';
const PROOF = { currentPassword: PASSWORD };
const ORIGIN = { client: '192.0.2.1', device: 'Firefox on Linux' };
const [SITE, DOMAIN] = ['https://www.example.org', 'www.example.org'];
const STEP_MS = 30_000;

describe('AccountSecurity', () => {
  let domain: DomainContext;
  let security: AccountSecurity;
  let logins: LoginsService;

  beforeAll(async () => {
    domain = await startDomain([AdministrationModule, FactorsModule, LoginsModule, PasswordsModule], {
      ACCOUNT_SECRETS_KEY: 'the key of the secrets, only in tests',
      PUBLIC_SITE_URL: SITE,
      SECOND_FACTOR: 'staff',
    });
    security = domain.get(AccountSecurity);
    logins = domain.get(LoginsService);
  });
  beforeEach(() => query('truncate users cascade'));
  afterAll(async () => {
    for (const name of ['ACCOUNT_SECRETS_KEY', 'PUBLIC_SITE_URL', 'SECOND_FACTOR']) delete process.env[name];
    await domain.stop();
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  let names = 0;
  const register = async (role: Caller['role'] = 'user'): Promise<Caller> => {
    const username = `person_${names++}`;
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD }, null, username, null);
    if (role !== 'user') await domain.get(AccountAdministration).changeRole(username, role);
    return (await domain.get(TokensService).authenticate(secret))!;
  };
  const codeOf = (secret: string, timestamp = Date.now()): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  const addApp = async (caller: Caller) => {
    const { secret } = await security.beginApp(caller, PROOF);
    const { recoveryCodes } = await security.confirmApp(caller, codeOf(secret));
    return { secret, recoveryCodes: recoveryCodes ?? [] };
  };
  const addPasskey = async (caller: Caller) => {
    const passkey = new SoftwarePasskey(SITE, DOMAIN);
    const options = await security.beginPasskey(caller, PROOF);
    const { recoveryCodes } = await security.addPasskey(caller, passkey.register(options), 'My phone');
    return { passkey, recoveryCodes };
  };
  const begin = async ({ username }: Caller): Promise<string> => {
    const result = await logins.login(username, PASSWORD, ORIGIN);
    if (result.outcome !== 'second-factor') throw new Error('The login asked for no second factor');
    return result.pending.secret;
  };
  const notices = async ({ userId }: Caller): Promise<string[]> =>
    (
      await query<{ text: string }>(
        `select detail->>'message' as text from notifications where user_id = $1 order by id`,
        [userId],
      )
    ).map(({ text }) => text);
  /** Lets the steps of used codes pass. */
  const forgetSteps = () => query('update authenticator_apps set last_step = 0');

  describe('authenticator apps', () => {
    // Promise [accounts]: An authenticator app is on after its first code; its secret is encrypted.
    it('are on after their first code, and stored encrypted', async () => {
      const ada = await register();
      const { secret, uri } = await security.beginApp(ada, PROOF);
      expect(uri).toContain(`otpauth://totp/${DOMAIN}:${ada.username}?`);
      await expect(security.confirmApp(ada, '000000')).rejects.toThrow(InvalidFieldsError);
      expect((await logins.login(ada.username, PASSWORD, ORIGIN)).outcome).toBe('session');
      const added = await security.confirmApp(ada, codeOf(secret));
      expect(added.recoveryCodes).toHaveLength(10);
      const [row] = await query<{ sealed_secret: Buffer }>('select sealed_secret from authenticator_apps');
      const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
      expect(row!.sealed_secret.includes(bytes)).toBe(false);
      await expect(security.beginApp(ada, PROOF)).rejects.toMatchObject({
        errors: { authenticator_app: [expect.any(String)] },
      });
      expect(await notices(ada)).toContainEqual(expect.stringMatching(/^An authenticator app was added/));
    });

    // Promise [accounts]: Changing second factors needs the password or a code.
    it('need the password or a code to be set up and turned off', async () => {
      const ada = await register();
      for (const proof of [{}, { currentPassword: 'wrong' }])
        await expect(security.beginApp(ada, proof)).rejects.toThrow(InvalidFieldsError);
      const { recoveryCodes } = await addApp(ada);
      await expect(security.removeApp(ada, { code: '000000' })).rejects.toThrow(InvalidFieldsError);
      await security.removeApp(ada, { code: recoveryCodes[0] });
      expect(await security.find(ada)).toMatchObject({ app: false, recoveryCodes: 0 });
      expect((await logins.login(ada.username, PASSWORD, ORIGIN)).outcome).toBe('session');
      await expect(security.removeApp(ada, PROOF)).rejects.toThrow(NotFoundError);
    });

    it('complete a login once with each code, even for simultaneous requests', async () => {
      const ada = await register();
      const { secret } = await addApp(ada);
      await forgetSteps();
      const code = codeOf(secret);
      const pending = await Promise.all([begin(ada), begin(ada), begin(ada)]);
      const outcomes = await Promise.allSettled(
        [...pending, ...pending].map((each) => logins.complete(each, { code }, ORIGIN)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('do not accept a code of an earlier step after a later one', async () => {
      const ada = await register();
      const { secret } = await addApp(ada);
      await forgetSteps();
      const [earlier, later] = [codeOf(secret, Date.now() - STEP_MS), codeOf(secret, Date.now() + STEP_MS)];
      await logins.complete(await begin(ada), { code: later }, ORIGIN);
      await expect(logins.complete(await begin(ada), { code: earlier }, ORIGIN)).rejects.toMatchObject({
        errors: { code: ['This code is wrong or was used already.'] },
      });
    });
  });

  describe('recovery codes', () => {
    it('complete one login each, as people type them, and the owner is told', async () => {
      const ada = await register();
      const { recoveryCodes } = await addApp(ada);
      const [code = ''] = recoveryCodes;
      const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `;
      await logins.complete(await begin(ada), { code: typed }, ORIGIN);
      await expect(logins.complete(await begin(ada), { code }, ORIGIN)).rejects.toThrow(InvalidFieldsError);
      expect(await security.find(ada)).toMatchObject({ recoveryCodes: 9 });
      expect(await notices(ada)).toContainEqual(
        expect.stringContaining('recovery code of your account was used'),
      );
      expect(JSON.stringify(await query('select r::text from recovery_codes r'))).not.toContain(code);
    });

    // Promise [accounts]: New recovery codes end the earlier ones.
    it('can be replaced, which ends the earlier ones', async () => {
      const ada = await register();
      const { recoveryCodes } = await addApp(ada);
      const fresh = await security.replaceRecoveryCodes(ada, PROOF);
      await expect(logins.complete(await begin(ada), { code: recoveryCodes[0]! }, ORIGIN)).rejects.toThrow();
      await logins.complete(await begin(ada), { code: fresh[0]! }, ORIGIN);
      await expect(security.replaceRecoveryCodes(await register(), PROOF)).rejects.toThrow(
        InvalidFieldsError,
      );
    });
  });

  describe('pending logins', () => {
    // Promise [accounts]: A login that waits for a code ends after five wrong codes or five minutes.
    it('end after five wrong codes, after five minutes, and with a changed password', async () => {
      const ada = await register();
      const { recoveryCodes } = await addApp(ada);
      const right = { code: recoveryCodes[0]! };
      const ended = { errors: { pending_login: [expect.any(String)] } };
      const tried = await begin(ada);
      for (let n = 0; n < 5; n++)
        await expect(logins.complete(tried, { code: '000000' }, ORIGIN)).rejects.toMatchObject({
          errors: { code: [expect.any(String)] },
        });
      await expect(logins.complete(tried, right, ORIGIN)).rejects.toMatchObject(ended);
      const old = await begin(ada);
      await query(`update pending_logins set expires_at = now()`);
      await expect(logins.complete(old, right, ORIGIN)).rejects.toMatchObject(ended);
      const changed = await begin(ada);
      await domain.get(PasswordChanges).change(ada, PROOF, 'a whole new password', true);
      await expect(logins.complete(changed, right, ORIGIN)).rejects.toMatchObject(ended);
      await expect(logins.complete('x'.repeat(40), right, ORIGIN)).rejects.toMatchObject(ended);
    });

    // Promise [accounts]: Guesses of codes are limited for each account.
    it('are limited by account, so that many logins do not help to guess codes', async () => {
      const ada = await register();
      const { recoveryCodes } = await addApp(ada);
      for (let n = 0; n < 10; n++)
        await expect(
          logins.complete(await begin(ada), { code: '000000' }, { ...ORIGIN, client: `192.0.2.${n}` }),
        ).rejects.toThrow(InvalidFieldsError);
      const right = { code: recoveryCodes[0]! };
      await expect(logins.complete(await begin(ada), right, ORIGIN)).rejects.toThrow(TooManyRequestsError);
    });

    it('do not open a session of an account that was suspended in the meantime', async () => {
      const ada = await register();
      const { recoveryCodes } = await addApp(ada);
      const pending = await begin(ada);
      await query(`insert into account_restrictions (user_id, state, reason) values ($1, 'suspended', 'x')`, [
        ada.userId,
      ]);
      await expect(logins.complete(pending, { code: recoveryCodes[0]! }, ORIGIN)).rejects.toMatchObject({
        errors: { login: [expect.stringMatching(/suspended/)] },
      });
    });
  });

  describe('passkeys', () => {
    it('log in without a password, and complete a login with the password', async () => {
      const ada = await register();
      const { passkey, recoveryCodes } = await addPasskey(ada);
      expect(recoveryCodes).toHaveLength(10);
      const alone = passkey.assert(await logins.passkeyOptions());
      expect((await logins.loginByPasskey(alone, ORIGIN)).account.username).toBe(ada.username);
      const pending = await begin(ada);
      const sent = passkey.assert(await logins.secondFactorOptions(pending));
      await logins.complete(pending, { passkey: sent }, ORIGIN);
      expect(await security.findLogins(ada)).toMatchObject([
        { method: 'password', secondFactor: 'passkey' },
        { method: 'passkey', secondFactor: null },
        { method: 'registration' },
      ]);
    });

    // Promise [accounts]: Passkeys of another origin or purpose are refused.
    it('are refused from another origin or domain, without user verification, and for another purpose', async () => {
      const ada = await register();
      const { passkey } = await addPasskey(ada);
      for (const wrong of [
        { origin: 'https://www.example.org.evil.example' },
        { origin: 'http://www.example.org' },
        { rpId: 'evil.example' },
        { unverified: true },
        { type: 'webauthn.create' },
        { challenge: 'AAAA' },
      ] as const) {
        const sent = passkey.assert(await logins.passkeyOptions(), wrong);
        await expect(logins.loginByPasskey(sent, ORIGIN)).rejects.toThrow(InvalidFieldsError);
        const fresh = new SoftwarePasskey(SITE, DOMAIN);
        const options = await security.beginPasskey(ada, PROOF);
        await expect(
          security.addPasskey(
            ada,
            fresh.register(options, { ...wrong, type: wrong.type && 'webauthn.get' } as never),
            'x',
          ),
        ).rejects.toThrow(InvalidFieldsError);
      }
      const ofSecondStep = passkey.assert(await logins.secondFactorOptions(await begin(ada)));
      await expect(logins.loginByPasskey(ofSecondStep, ORIGIN)).rejects.toThrow(InvalidFieldsError);
    });

    it('answer each challenge once, within five minutes', async () => {
      const ada = await register();
      const { passkey } = await addPasskey(ada);
      const sent = passkey.assert(await logins.passkeyOptions());
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => logins.loginByPasskey(sent, ORIGIN)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const late = passkey.assert(await logins.passkeyOptions());
      await query('update passkey_challenges set expires_at = now()');
      await expect(logins.loginByPasskey(late, ORIGIN)).rejects.toThrow(InvalidFieldsError);
    });

    it('do not complete the login of another account', async () => {
      const [ada, eve] = [await register(), await register()];
      await addPasskey(ada);
      const { passkey } = await addPasskey(eve);
      const pending = await begin(ada);
      const sent = passkey.assert(await logins.secondFactorOptions(pending));
      await expect(logins.complete(pending, { passkey: sent }, ORIGIN)).rejects.toThrow(InvalidFieldsError);
    });

    it('end if their counter shows that they were copied, and the owner is told', async () => {
      const ada = await register();
      const { passkey, recoveryCodes } = await addPasskey(ada);
      passkey.counter = 7;
      await logins.loginByPasskey(passkey.assert(await logins.passkeyOptions()), ORIGIN);
      for (const counter of [7, 9]) {
        passkey.counter = counter;
        const sent = passkey.assert(await logins.passkeyOptions());
        await expect(logins.loginByPasskey(sent, ORIGIN)).rejects.toThrow(InvalidFieldsError);
      }
      expect((await security.find(ada)).passkeys).toMatchObject([{ clonedAt: expect.any(Date) }]);
      expect(
        (await notices(ada)).filter((text) => /copy of your passkey “My phone”/.test(text)),
      ).toHaveLength(1);
      // The password alone is still not enough.
      await logins.complete(await begin(ada), { code: recoveryCodes![0]! }, ORIGIN);
    });

    it('are not ended by a forged counter without the right signature', async () => {
      const ada = await register();
      const { passkey } = await addPasskey(ada);
      passkey.counter = 7;
      await logins.loginByPasskey(passkey.assert(await logins.passkeyOptions()), ORIGIN);
      const forger = new SoftwarePasskey(SITE, DOMAIN);
      const forged = {
        ...forger.assert(await logins.passkeyOptions()),
        id: passkey.id.toString('base64url'),
      };
      await expect(logins.loginByPasskey(forged, ORIGIN)).rejects.toThrow(InvalidFieldsError);
      expect((await security.find(ada)).passkeys).toMatchObject([{ clonedAt: null }]);
    });

    it('can be renamed and removed only by their owner, and one cannot belong to two accounts', async () => {
      const [ada, eve] = [await register(), await register()];
      const { passkey, ...added } = await addPasskey(ada);
      const [{ id } = { id: 0 }] = (await security.find(ada)).passkeys;
      expect(added.recoveryCodes).toHaveLength(10);
      await expect(security.renamePasskey(eve, id, 'Mine')).rejects.toThrow(NotFoundError);
      await expect(security.removePasskey(eve, id, PROOF)).rejects.toThrow(NotFoundError);
      const again = passkey.register(await security.beginPasskey(eve, PROOF));
      await expect(security.addPasskey(eve, again, 'Mine')).rejects.toThrow(InvalidFieldsError);
      expect(await security.renamePasskey(ada, id, 'Old phone')).toMatchObject({ name: 'Old phone' });
      await security.removePasskey(ada, id, PROOF);
      expect(await security.find(ada)).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    });
  });

  describe('staff, of whom the site requires a second factor', () => {
    it('act as ordinary members until they have one, also with API tokens, and can not remove the last', async () => {
      const staff = await register('moderator');
      const tokens = domain.get(TokensService);
      const { secret } = await tokens.create(staff.userId, { name: 'x', scopes: ['moderate'] });
      const acting = async () => (await tokens.authenticate(secret))!;
      tokens.forgetBearer(staff.userId);
      expect(await acting()).toMatchObject({ role: 'user', lacksStaffFactor: true });
      const { recoveryCodes } = await addApp(staff);
      expect(await acting()).toMatchObject({ role: 'moderator' });
      expect(await acting()).not.toHaveProperty('lacksStaffFactor');
      const session = { ...staff, role: 'moderator' } as const;
      await expect(security.removeApp(session, PROOF)).rejects.toMatchObject({
        errors: { second_factor: [expect.any(String)] },
      });
      expect((await security.find(session)).app).toBe(true);
      await domain.get(AccountAdministration).removeSecondFactors(staff.username);
      expect(await acting()).toMatchObject({ role: 'user', lacksStaffFactor: true });
      expect(recoveryCodes).toHaveLength(10);
      expect(await notices(staff)).toContainEqual(
        expect.stringMatching(/operator .* removed all second factors/),
      );
    });
  });
});
