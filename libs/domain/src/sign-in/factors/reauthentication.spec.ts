import { type DomainContext, startDomain } from '@vitrine/testing';
import { Secret, TOTP } from 'otpauth';
import { RegistrationService } from '../../accounts/admission/registration.service';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, TooManyRequestsError } from '../../base/errors/domain-error';
import { TokensService } from '../tokens/tokens.service';
import { LoginsModule } from '../logins/logins.module';
import { LoginsService } from '../logins/logins.service';
import { AccountSecurity } from './account-security.service';
import { FactorsModule } from './factors.module';

const PASSWORD = 'correct horse battery';
const PROOF = { currentPassword: PASSWORD };
const WRONG = { currentPassword: 'wrong' };
const ORIGIN = { client: '192.0.2.1', device: null };

describe('proofs before sensitive changes', () => {
  let domain: DomainContext;
  let security: AccountSecurity;
  let logins: LoginsService;
  let names = 0;

  beforeAll(async () => {
    domain = await startDomain([FactorsModule, LoginsModule], {
      ACCOUNT_SECRETS_KEY: 'the key of the secrets, only in tests',
    });
    security = domain.get(AccountSecurity);
    logins = domain.get(LoginsService);
  });
  afterAll(async () => {
    delete process.env['ACCOUNT_SECRETS_KEY'];
    await domain.stop();
  });

  const register = async (): Promise<Caller> => {
    const username = `person_${names++}`;
    const { secret } = await domain
      .get(RegistrationService)
      .register({ username, password: PASSWORD }, null, username, null);
    return (await domain.get(TokensService).authenticate(secret))!;
  };
  const addApp = async (caller: Caller) => {
    const { secret } = await security.beginApp(caller, PROOF);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    return (await security.confirmApp(caller, code)).recoveryCodes ?? [];
  };
  const begin = async ({ username }: Caller): Promise<string> => {
    const result = await logins.login(username, PASSWORD, ORIGIN);
    if (result.outcome !== 'second-factor') throw new Error('The login asked for no second factor');
    return result.pending.secret;
  };

  it('work while strangers fail to log in to the account', async () => {
    const ada = await register();
    for (let n = 0; n < 60; n++)
      await logins
        .login(ada.username, 'wrong', { device: null, client: `198.51.100.${n}` })
        .catch(() => null);
    await expect(logins.login(ada.username, PASSWORD, ORIGIN)).rejects.toThrow(TooManyRequestsError);
    await security.beginApp(ada, PROOF);
  });

  it('can be wrong five times in a session, which then is refused the right one too', async () => {
    const ada = await register();
    await security.beginApp(ada, PROOF);
    for (let n = 0; n < 5; n++)
      await expect(security.beginApp(ada, WRONG)).rejects.toThrow(InvalidFieldsError);
    await expect(security.beginApp(ada, PROOF)).rejects.toThrow(TooManyRequestsError);
    // Neither the account's other sessions nor its logins.
    const result = await logins.login(ada.username, PASSWORD, ORIGIN);
    if (result.outcome !== 'session') throw new Error(result.outcome);
    const other = (await domain.get(TokensService).authenticate(result.session.secret))!;
    await security.beginApp(other, PROOF);
  });

  it('tell the owner of the account about a used recovery code', async () => {
    const ada = await register();
    const [code] = await addApp(ada);
    await security.replaceRecoveryCodes(ada, { code });
    const told = await domain.dataSource.query(
      `select detail->>'message' as text from notifications where user_id = $1`,
      [ada.userId],
    );
    expect(told).toContainEqual({ text: expect.stringContaining('recovery code of your account was used') });
  });

  it('are needed to end other sessions, which ends logins that wait for a second factor too', async () => {
    const ada = await register();
    const [code] = await addApp(ada);
    const pending = await begin(ada);
    for (const wrong of [{}, WRONG])
      await expect(security.endOtherSessions(ada, wrong)).rejects.toThrow(InvalidFieldsError);
    await security.endOtherSessions(ada, PROOF);
    await expect(logins.complete(pending, { code: code! }, ORIGIN)).rejects.toMatchObject({
      errors: { pending_login: [expect.any(String)] },
    });
  });
});
