import { Injectable } from '@nestjs/common';
import type { SecondFactor } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import type { PasskeyAssertion, PasskeyOptions } from '../factors/passkeys.service';
import type { PendingLogin } from '../factors/pending-login.repository';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { IdentitiesService } from '../providers/identities.service';
import { AccountMetrics } from '../../accounts/users/account-metrics';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import type { NoteLogin, OpenedSession } from '../../accounts/users/users.service';
import { LoginAttempts } from './login-attempts.service';
import { type LoginOrigin, LoginSessions } from './login-sessions.service';
import { PasskeyProofs } from './passkey-proofs.service';

const wrongSecondFactor = () => new InvalidFieldsError({ code: ['This code is wrong or was used already.'] });
const endedLogin = () =>
  new InvalidFieldsError({ pending_login: ['This login has expired or was completed. Log in again.'] });

/** The second step of logins. */
@Injectable()
export class SecondFactorLogins {
  constructor(
    private readonly database: Database,
    private readonly sessions: LoginSessions,
    private readonly attempts: LoginAttempts,
    private readonly pending: PendingLogins,
    private readonly factors: SecondFactorsService,
    private readonly passkeys: PasskeyProofs,
    private readonly accounts: AccountPasswords,
    private readonly identities: IdentitiesService,
    private readonly notices: AccountNotices,
    private readonly metrics: AccountMetrics,
  ) {}

  /**
   * Options for the browser to complete a login with a passkey of its account. Throws `InvalidFieldsError` on
   * `pending_login`.
   */
  async passkeyOptions(pendingLogin: string): Promise<PasskeyOptions> {
    const login = await this.pending.find(pendingLogin);
    if (!login) throw endedLogin();
    return this.passkeys.options(login.userId);
  }

  /**
   * Completes a login with its second factor. Throws `InvalidFieldsError` on `pending_login` if it has ended, on `code`
   * or `passkey` if that is wrong, on `login` if the account may no longer log in; and `TooManyRequestsError`.
   */
  complete(
    pendingLogin: string,
    proof: { readonly code: string } | { readonly passkey: PasskeyAssertion },
    origin: LoginOrigin,
  ): Promise<OpenedSession> {
    return this.metrics.countLogin(async () => {
      const login = await this.database.transaction((tx) => this.pending.countAttempt(tx, pendingLogin));
      if (!login) throw endedLogin();
      const forgive = await this.attempts.countSecondFactor(login.userId, origin);
      const open = (prove: (tx: Transaction) => Promise<SecondFactor>): Promise<OpenedSession> =>
        this.open(pendingLogin, login, origin, prove);
      const session =
        'code' in proof
          ? await open((tx) => this.useCode(tx, login.userId, proof.code))
          : await this.passkeys.prove(proof.passkey, login.userId, (_, use) =>
              open(async (tx) => {
                await use(tx);
                return 'passkey';
              }),
            );
      await forgive();
      return session;
    });
  }

  private open(
    pendingLogin: string,
    { userId, method }: PendingLogin,
    origin: LoginOrigin,
    prove: (tx: Transaction) => Promise<SecondFactor>,
  ): Promise<OpenedSession> {
    // A session that a login with a provider opens keeps the provider's session, which may end it.
    const note: NoteLogin = async (tx, opened) => {
      if ('tokenId' in opened) await this.identities.completePendingLogin(tx, pendingLogin, opened.tokenId);
    };
    const proveAll = async (tx: Transaction): Promise<SecondFactor> => {
      if (!(await this.accounts.lockActive(tx, userId, 'change'))) throw endedLogin();
      if (!(await this.pending.complete(tx, pendingLogin))) throw endedLogin();
      return prove(tx);
    };
    return this.sessions.openProved(userId, origin, method, proveAll, note);
  }

  private async useCode(tx: Transaction, userId: number, code: string): Promise<SecondFactor> {
    const used = await this.factors.useCode(tx, userId, code);
    if (!used) throw wrongSecondFactor();
    if (used === 'recovery-code') await this.notices.add(tx, userId, { what: 'recovery-code-used' });
    return used;
  }
}
