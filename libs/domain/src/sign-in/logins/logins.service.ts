import { Injectable } from '@nestjs/common';
import { NotAdmittedError } from '../../base/errors/domain-error';
import type { PasskeyAssertion, PasskeyOptions } from '../factors/passkeys.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { AccountMetrics } from '../../accounts/users/account-metrics';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import { normalName } from '../../accounts/users/normal-name';
import type { OpenedSession } from '../../accounts/users/users.service';
import { LoginAttempts } from './login-attempts.service';
import { wrongLogin } from './login-errors.rules';
import { type LoginOrigin, type LoginResult, LoginSessions } from './login-sessions.service';
import { PasskeyProofs } from './passkey-proofs.service';

/** Logging in with a password or a passkey. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly sessions: LoginSessions,
    private readonly attempts: LoginAttempts,
    private readonly passwords: AccountPasswords,
    private readonly passkeys: PasskeyProofs,
    private readonly providers: IdentityProviders,
    private readonly metrics: AccountMetrics,
  ) {}

  /**
   * Logs in by username, or verified e-mail address, and password. Throws the same `InvalidFieldsError` on `login` for
   * every failure, except that the right password of a suspended account gives the reason; and `TooManyRequestsError` if
   * this account or this client has failed too often. Throws `NotAdmittedError` on a site without passwords.
   */
  async login(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    return this.metrics.countLogin(
      () => this.openByPassword(login, password, origin),
      ({ outcome }) => (outcome === 'session' ? 'accepted' : 'pending'),
    );
  }

  private async openByPassword(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    const account = await this.passwords.findByLogin(login);
    const forgive = await this.attempts.countPassword(account?.id ?? null, normalName(login), origin);
    if (!(await this.passwords.verify(account, password)) || !account) throw wrongLogin();
    const result = await this.sessions.open(account.id, origin, 'password', async (tx) => {
      // The password may have been changed since it was verified.
      if (!(await this.passwords.lockUnchanged(tx, account, 'change'))) throw wrongLogin();
    });
    await forgive();
    return result;
  }

  /** Options for the browser to log in with any passkey. */
  passkeyOptions(): Promise<PasskeyOptions> {
    return this.passkeys.options(null);
  }

  /** Logs in with a passkey only. Throws `InvalidFieldsError` on `passkey`, or on `login` if the account may not log in. */
  loginByPasskey(sent: PasskeyAssertion, origin: LoginOrigin): Promise<OpenedSession> {
    return this.metrics.countLogin(() =>
      this.passkeys.prove(sent, null, (userId, use) =>
        this.sessions.openProved(userId, origin, 'passkey', async (tx) => {
          await use(tx);
          return null;
        }),
      ),
    );
  }
}
