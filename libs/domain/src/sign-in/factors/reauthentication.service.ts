import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { SecondFactorsService } from './second-factors.service';
import { IdentitiesService } from '../providers/identities.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { accountKey, LoginThrottle } from './login-throttle';
import type { AccountLock } from '../../accounts/users/user.repository';
import { AccountPasswords, type AccountWithPassword } from '../../accounts/users/account-passwords.service';

/** What callers give to prove again who they are. */
export interface Proof {
  readonly currentPassword?: string | undefined;
  /** A code of the authenticator app or a recovery code, instead of the password. */
  readonly code?: string | undefined;
}

/** A proof that was right. */
export interface Confirmed {
  readonly caller: Caller;
  /**
   * Locks the account, within the transaction of the sensitive change. Throws `InvalidFieldsError` if what was proved
   * has changed since.
   */
  hold(tx: Transaction, lock: AccountLock): Promise<void>;
}

const LOG_IN_AGAIN = 'Please log in again to confirm this. Your login must not be older than 10 minutes.';

/** Sensitive changes require that callers prove again who they are. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly database: Database,
    private readonly factors: SecondFactorsService,
    private readonly accounts: AccountPasswords,
    private readonly throttle: LoginThrottle,
    private readonly notices: AccountNotices,
    private readonly identities: IdentitiesService,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Verifies a caller's proof: the password, or a code of a second factor. If the account or the site has no passwords,
   * it is enough that the caller has logged in a short time ago. `field` is the name of the request's field with the
   * password. Throws `InvalidFieldsError` on `field` or `code` if it is missing or wrong, and `TooManyRequestsError` if
   * it was wrong too often.
   */
  async confirm(caller: Caller, proof: Proof, field = 'current_password'): Promise<Confirmed> {
    const { currentPassword, code } = proof;
    if (code && !currentPassword) return this.confirmCode(caller, code);
    const account = await this.accounts.find(caller.userId);
    if (account.passwordHash === null || !this.providers.passwordLogin)
      return this.bySession(caller, account, field);
    if (!currentPassword) throw new InvalidFieldsError({ [field]: [`The ${field} field is required.`] });
    const wrong = new InvalidFieldsError({ [field]: ['The password is incorrect.'] });
    // Failed logins of strangers don't count here, so they don't keep the owner from changes.
    const attempt = { account: accountKey(caller.userId), tokenId: caller.tokenId };
    await this.throttle.countProof(attempt);
    if (!(await this.accounts.verify(account, currentPassword))) throw wrong;
    await this.throttle.forgiveProof(attempt);
    return {
      caller,
      hold: async (tx, lock) => {
        if (!(await this.accounts.lockUnchanged(tx, account, lock))) throw wrong;
      },
    };
  }

  /** The code is used up even if the change that it confirms fails. */
  private async confirmCode(caller: Caller, code: string): Promise<Confirmed> {
    const wrong = new InvalidFieldsError({ code: ['This code is wrong or was used already.'] });
    // A session is a known device, so strangers who fail to log in don't use up its owner's codes.
    const session = `token:${caller.tokenId}`;
    const attempt = {
      account: accountKey(caller.userId),
      typed: session,
      client: session,
      knownDevice: session,
    };
    await this.throttle.countSecondFactor(attempt);
    const used = await this.database.transaction(async (tx) => {
      const factor = await this.factors.useCode(tx, caller.userId, code);
      if (factor === 'recovery-code')
        await this.notices.add(tx, caller.userId, { what: 'recovery-code-used' });
      return factor;
    });
    if (!used) throw wrong;
    await this.throttle.forgiveSecondFactor(attempt);
    return {
      caller,
      hold: async (tx, lock) => {
        if (!(await this.accounts.lockActive(tx, caller.userId, lock))) throw wrong;
      },
    };
  }

  private bySession(caller: Caller, account: AccountWithPassword, field: string): Confirmed {
    return {
      caller,
      hold: async (tx, lock) => {
        const unchanged =
          (await this.accounts.lockUnchanged(tx, account, lock)) &&
          (await this.identities.isFreshSession(tx, caller.tokenId));
        if (!unchanged) throw new InvalidFieldsError({ [field]: [LOG_IN_AGAIN] });
      },
    };
  }
}
