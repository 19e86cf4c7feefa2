import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import { InvalidFieldsError, NotAdmittedError } from '../../base/errors/domain-error';
import {
  type PasskeyAssertion,
  type PasskeyOptions,
  Passkeys,
  type VerifiedPasskey,
} from '../factors/passkeys.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { LoginHistory } from '../tokens/login-history.service';
import { IdentitiesService } from '../providers/identities.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { AccountMetrics } from '../../accounts/users/account-metrics';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import { accountKey, type Attempt, LoginThrottle } from '../factors/login-throttle';
import { normalName } from '../../accounts/users/normal-name';
import type { OpenedSession } from '../../accounts/users/users.service';
import { type LoginOrigin, type LoginResult, LoginSessions } from './login-sessions.service';

/** What completes a login that waits for the second factor. */
export type SecondFactorProof = { readonly code: string } | { readonly passkey: PasskeyAssertion };

/** The same message for every failure, so that it doesn't reveal which accounts exist. */
const wrongLogin = () => new InvalidFieldsError({ login: ['These credentials do not match our records.'] });
const wrongPasskey = () => new InvalidFieldsError({ passkey: ['This passkey could not be verified.'] });
const wrongSecondFactor = () => new InvalidFieldsError({ code: ['This code is wrong or was used already.'] });
const endedLogin = () =>
  new InvalidFieldsError({ pending_login: ['This login has expired or was completed. Log in again.'] });

/**
 * Logging in with a password or a passkey, and then with the second factor. A login counts the attempt and
 * verifies a password or passkey. Then, in one transaction, the login locks the account, checks that the proof still holds
 * (a code is verified and used up here) and opens the session.
 */
@Injectable()
export class LoginsService {
  constructor(
    private readonly database: Database,
    private readonly sessions: LoginSessions,
    private readonly throttle: LoginThrottle,
    private readonly history: LoginHistory,
    private readonly passwords: AccountPasswords,
    private readonly passkeys: Passkeys,
    private readonly factors: SecondFactorsService,
    private readonly pending: PendingLogins,
    private readonly identities: IdentitiesService,
    private readonly providers: IdentityProviders,
    private readonly notices: AccountNotices,
    private readonly metrics: AccountMetrics,
  ) {}

  /**
   * Logs in by username, or verified email address, and password. Throws the same `InvalidFieldsError` on `login` for
   * every failure, except that the right password of a suspended account gives the reason; and `TooManyRequestsError` if
   * this account or this client has failed too often. Throws `NotAdmittedError` on a site without passwords.
   */
  login(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    return this.metrics.countLogin(this.logInByPassword(login, password, origin));
  }

  private async logInByPassword(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    const account = await this.passwords.findByLogin(login);
    const attempt = await this.attemptOf(account?.id ?? null, normalName(login), origin);
    await this.throttle.countAttempt(attempt);
    if (!(await this.passwords.verify(account, password)) || !account) throw wrongLogin();
    await this.sessions.assertMayLogIn(account.id);
    const opened = await this.database.transaction(async (tx) => {
      // The password may have been changed since it was verified.
      if (!(await this.passwords.lockUnchanged(tx, account, 'change'))) throw wrongLogin();
      return this.sessions.open(tx, account.id, origin, 'password');
    });
    await this.throttle.forgive(attempt);
    return this.sessions.resultOf(account.id, opened);
  }

  /** Options for the browser to log in with any passkey. */
  passkeyOptions(): Promise<PasskeyOptions> {
    return this.passkeys.assertionOptions('login', null);
  }

  /**
   * Logs in with a passkey only: it verifies its user, so it counts as both factors. Throws `InvalidFieldsError` on
   * `passkey`, or on `login` if the account may not log in.
   */
  loginByPasskey(sent: PasskeyAssertion, origin: LoginOrigin): Promise<OpenedSession> {
    return this.metrics.countLogin(this.logInByPasskey(sent, origin));
  }

  private async logInByPasskey(sent: PasskeyAssertion, origin: LoginOrigin): Promise<OpenedSession> {
    const passkey = await this.passkeys.verify(sent, 'login', null);
    if (!passkey) throw wrongPasskey();
    const { userId } = passkey;
    await this.sessions.assertMayLogIn(userId);
    const opened = await this.database.transaction(async (tx) => {
      if (!(await this.passwords.lockActive(tx, userId, 'change'))) throw wrongPasskey();
      if (!(await this.usePasskey(tx, passkey))) return null;
      return this.sessions.openSession(tx, userId, origin, 'passkey', null);
    });
    if (!opened) throw wrongPasskey();
    return this.sessions.withAccount(userId, opened);
  }

  /**
   * Options for the browser to complete a login with a passkey of its account. Throws `InvalidFieldsError` on
   * `pending_login`.
   */
  async secondFactorOptions(pendingLogin: string): Promise<PasskeyOptions> {
    const login = await this.pending.find(pendingLogin);
    if (!login) throw endedLogin();
    return this.passkeys.assertionOptions('confirmation', login.userId);
  }

  /**
   * Completes a login with its second factor. Throws `InvalidFieldsError` on `pending_login` if it has ended, on `code`
   * or `passkey` if that is wrong, on `login` if the account may no longer log in; and `TooManyRequestsError`.
   */
  complete(pendingLogin: string, proof: SecondFactorProof, origin: LoginOrigin): Promise<OpenedSession> {
    return this.metrics.countLogin(this.completePending(pendingLogin, proof, origin));
  }

  private async completePending(
    pendingLogin: string,
    proof: SecondFactorProof,
    origin: LoginOrigin,
  ): Promise<OpenedSession> {
    const login = await this.database.transaction((tx) => this.pending.countAttempt(tx, pendingLogin));
    if (!login) throw endedLogin();
    const { userId, method } = login;
    const attempt = await this.attemptOf(userId, '', origin);
    await this.throttle.countSecondFactor(attempt);
    const passkey =
      'passkey' in proof ? await this.passkeys.verify(proof.passkey, 'confirmation', userId) : null;
    if ('passkey' in proof && !passkey) throw wrongPasskey();
    await this.sessions.assertMayLogIn(userId);
    const opened = await this.database.transaction(async (tx) => {
      if (!(await this.passwords.lockActive(tx, userId, 'change'))) throw endedLogin();
      // Before the pending login is used up, which a copied passkey must not do.
      if (passkey && !(await this.usePasskey(tx, passkey))) return null;
      if (!(await this.pending.complete(tx, pendingLogin))) throw endedLogin();
      const factor = 'code' in proof ? await this.useCode(tx, userId, proof.code) : 'passkey';
      const session = await this.sessions.openSession(tx, userId, origin, method, factor);
      // If a provider was the first factor, its session may end this one.
      await this.identities.completePendingLogin(tx, pendingLogin, session.id);
      return session;
    });
    if (!opened) throw wrongPasskey();
    await this.throttle.forgiveSecondFactor(attempt);
    return this.sessions.withAccount(userId, opened);
  }

  /** `userId` is null if no account has the name that was `typed`. */
  private async attemptOf(userId: number | null, typed: string, origin: LoginOrigin): Promise<Attempt> {
    const { client, deviceToken = null } = origin;
    if (userId === null) return { account: `nobody:${typed}`, typed, client };
    const known = await this.history.isKnown(userId, deviceToken);
    return { account: accountKey(userId), typed, client, knownDevice: known ? deviceToken : null };
  }

  /**
   * Records the use of a passkey of a locked account. Returns false if its counter shows that it was copied, and ends
   * it: the transaction must then commit without opening anything.
   */
  private async usePasskey(tx: Transaction, passkey: VerifiedPasskey): Promise<boolean> {
    if (await this.passkeys.use(tx, passkey)) return true;
    if (await this.passkeys.markCloned(tx, passkey))
      await this.notices.add(tx, passkey.userId, { what: 'passkey-cloned', name: passkey.name });
    return false;
  }

  private async useCode(tx: Transaction, userId: number, code: string) {
    const used = await this.factors.useCode(tx, userId, code);
    if (!used) throw wrongSecondFactor();
    if (used === 'recovery-code') await this.notices.add(tx, userId, { what: 'recovery-code-used' });
    return used;
  }
}
