import { Database } from '@vitrine/database';
import { useDomain } from '@vitrine/testing';
import { sessionOf } from '../../../test/session-of';
import { RegistrationService } from '../../accounts/admission/registration.service';
import { InvalidFieldsError, TooManyRequestsError } from '../../base/errors/domain-error';
import { LoginHistory } from '../tokens/login-history.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import { LoginSessions } from './login-sessions.service';
import { LoginsModule } from './logins.module';
import { LoginsService } from './logins.service';

const PASSWORD = 'correct horse battery';
const ORIGIN = { client: '192.0.2.1', device: 'Firefox on Linux' };

describe('LoginsService', () => {
  const domain = useDomain([LoginsModule]);
  let logins: LoginsService;
  let sessions: LoginSessions;

  beforeAll(() => {
    logins = domain.get(LoginsService);
    sessions = domain.get(LoginSessions);
  });
  beforeEach(() => query('truncate users cascade'));

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const register = async (username = 'ada'): Promise<number> => {
    await domain.get(RegistrationService).register({ username, password: PASSWORD }, null, username, null);
    await query('delete from tokens');
    const [user] = await query<{ id: number }>('select id from users where username = $1', [username]);
    return user!.id;
  };
  const addApp = (userId: number) =>
    query(`insert into authenticator_apps (user_id, sealed_secret, confirmed_at) values ($1, '', now())`, [
      userId,
    ]);
  const open = (userId: number) =>
    domain.get(Database).transaction((tx) => sessions.open(tx, userId, ORIGIN, 'provider'));
  const notices = async (userId: number): Promise<string[]> =>
    (
      await query<{ text: string }>(
        `select detail->>'message' as text from notifications where user_id = $1 order by id`,
        [userId],
      )
    ).map(({ text }) => text);

  it('opens a session with every first factor if the account has no second one', async () => {
    const userId = await register();
    expect((await logins.login('ada', PASSWORD, ORIGIN)).outcome).toBe('session');
    expect(await open(userId)).toHaveProperty('deviceToken');
  });

  it('finds an account by its name in capitals, and by no letter that only PostgreSQL turns into one of them', async () => {
    await register('ida');
    expect((await logins.login('IDA', PASSWORD, ORIGIN)).outcome).toBe('session');
    await expect(logins.login('İda', PASSWORD, ORIGIN)).rejects.toThrow(InvalidFieldsError);
  });

  it('asks for the second factor instead if the account has one', async () => {
    const userId = await register();
    await addApp(userId);
    const pending = await logins.login('ada', PASSWORD, ORIGIN);
    expect(pending).toEqual({
      outcome: 'second-factor',
      pending: { secret: expect.any(String), expiresAt: expect.any(Date), accepted: ['app'] },
    });
    expect(await open(userId)).toMatchObject({ accepted: ['app'] });
    expect(await query('select from tokens')).toEqual([]);
  });

  it.each([false, true])(
    'opens nothing if the password changes after it was verified (second factor: %s)',
    async (hasFactor) => {
      const userId = await register();
      if (hasFactor) await addApp(userId);
      const passwords = domain.get(AccountPasswords);
      const verify = passwords.verify.bind(passwords);
      jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
        const right = await verify(...given);
        await query(`update users set password_hash = 'another'`);
        return right;
      });
      await expect(logins.login('ada', PASSWORD, ORIGIN)).rejects.toThrow(InvalidFieldsError);
      expect(await query('select from tokens')).toEqual([]);
      expect(await query('select from pending_logins')).toEqual([]);
    },
  );

  it('stores the secrets of pending logins only as hashes, and at most 20 of one account', async () => {
    const userId = await register();
    await addApp(userId);
    for (let n = 0; n < 22; n++) await open(userId);
    const { secret } = await open(userId);
    const kept = await query('select p::text as row from pending_logins p');
    expect(kept).toHaveLength(20);
    expect(JSON.stringify(kept)).not.toContain(Buffer.from(secret).toString('hex'));
  });

  describe('devices and the history of logins', () => {
    // Promise [accounts]: Owners are told about a new device once.
    it('tell the owner about a new device once, and know it later', async () => {
      const ada = await register();
      const first = sessionOf(await logins.login('ada', PASSWORD, ORIGIN));
      const isNew = (texts: string[]) =>
        texts.filter((text) => /from a new device: Firefox on Linux/.test(text));
      expect(isNew(await notices(ada))).toHaveLength(1);
      const known = { ...ORIGIN, deviceToken: first.deviceToken };
      const again = sessionOf(await logins.login('ada', PASSWORD, known));
      expect(again.deviceToken).toBe(first.deviceToken);
      expect(isNew(await notices(ada))).toHaveLength(1);
      expect(await domain.get(LoginHistory).findLatest(ada)).toMatchObject([
        { method: 'password', knownDevice: true, device: 'Firefox on Linux', address: '192.0.2.1' },
        { method: 'password', knownDevice: false },
        { method: 'registration', knownDevice: false },
      ]);
      expect(JSON.stringify(await query('select d::text from known_devices d'))).not.toContain(
        first.deviceToken,
      );
    });

    it('let the owner in on a known device while strangers fail', async () => {
      await register();
      const { deviceToken } = sessionOf(await logins.login('ada', PASSWORD, ORIGIN));
      for (let n = 0; n < 60; n++)
        await logins.login('ada', 'wrong', { device: null, client: `198.51.100.${n}` }).catch(() => null);
      await expect(logins.login('ada', PASSWORD, ORIGIN)).rejects.toThrow(TooManyRequestsError);
      const known = { ...ORIGIN, deviceToken };
      expect((await logins.login('ada', PASSWORD, known)).outcome).toBe('session');
      await register('eve');
      const other = sessionOf(await logins.login('eve', PASSWORD, { ...ORIGIN, client: '203.0.113.9' }));
      await expect(
        logins.login('ada', PASSWORD, { ...ORIGIN, deviceToken: other.deviceToken }),
      ).rejects.toThrow(TooManyRequestsError);
    });

    it('keep 90 days and 200 logins', async () => {
      const cleo = await register('cleo');
      await query(
        `insert into login_records (user_id, method, address, known_device, created_at)
         select $1, 'password', '192.0.2.1', true, now() - interval '1 day' from generate_series(1, 300)`,
        [cleo],
      );
      await query(
        `update login_records set created_at = now() - interval '91 days' where method = 'registration'`,
      );
      await logins.login('cleo', PASSWORD, ORIGIN);
      expect(await domain.get(LoginHistory).findLatest(cleo)).toHaveLength(200);
      expect(await query('select from login_records')).toHaveLength(200);
    });
  });
});
