import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '@vitrine/database';
import { NotAdmittedError } from '../errors/domain-error';
import { IdentityProviders } from '../providers/identity-providers.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { LoginHistory } from '../login-history/login-history.service';
import { PasswordStrength } from '../passwords/password-strength';
import { Mails } from '../mails/mails.service';
import type { Caller } from '../access/caller';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from './account-notices.service';
import { PasswordHasher } from './password-hasher';
import { type Proof, ReauthenticationService } from './reauthentication.service';
import { UserRepository } from './user.repository';

/** New passwords for people who know theirs, or log in without one. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: UserRepository,
    private readonly tokens: TokensService,
    private readonly passwords: PasswordHasher,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly mails: Mails,
    private readonly providers: IdentityProviders,
    private readonly pending: PendingLogins,
    private readonly history: LoginHistory,
    private readonly strength: PasswordStrength,
  ) {}

  /**
   * Changes the password, or sets the first one; ends all other sessions and, unless `keepTokens`, removes all API
   * tokens. Throws `InvalidFieldsError` on a wrong `current_password`, `TooManyRequestsError` if it was wrong too often,
   * and `NotAdmittedError` on a site without passwords.
   */
  async change(caller: Caller, proof: Proof, wanted: string, keepTokens: boolean): Promise<void> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    const confirmed = await this.reauthentication.confirm(caller, proof);
    const email = await this.repository.findEmail(caller.userId);
    await this.strength.assertStrong(wanted, [caller.username, email]);
    const passwordHash = await this.passwords.hash(wanted);
    await this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'change');
      await this.repository.changePasswordHash(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
      await this.pending.removeAll(tx, caller.userId);
      await this.history.forgetDevices(tx, caller.userId);
      if (!keepTokens) await this.tokens.removeApiTokens(tx, caller.userId);
      await this.mails.revokeLinks(tx, caller.userId, 'reset-password');
      await this.notices.add(tx, caller.userId, { what: 'password-changed' });
    });
    this.tokens.forgetBearer(caller.userId);
  }
}
