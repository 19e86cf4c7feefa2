import { Injectable } from '@nestjs/common';
import { type Transaction, Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { NotAdmittedError } from '../../base/errors/domain-error';
import { PendingLogins } from '../factors/pending-logins.service';
import { LoginHistory } from '../tokens/login-history.service';
import { AccountLinks, invalidLink } from '../../outgoing/mails/account-links.service';
import { Mails } from '../../outgoing/mails/mails.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import { EmailAddresses } from '../../accounts/users/email-addresses.service';
import { PasswordHasher } from '../../accounts/users/password-hasher';
import { type Proof, ReauthenticationService } from '../factors/reauthentication.service';
import { WebhooksService } from '../../outgoing/webhooks/webhooks.service';
import { PasswordStrength } from './password-strength';

/** New passwords, for people who know theirs, log in without one, or have a link because they have forgotten theirs. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly database: Database,
    private readonly passwords: AccountPasswords,
    private readonly strength: PasswordStrength,
    private readonly hasher: PasswordHasher,
    private readonly reauthentication: ReauthenticationService,
    private readonly links: AccountLinks,
    private readonly mails: Mails,
    private readonly emails: EmailAddresses,
    private readonly tokens: TokensService,
    private readonly webhooks: WebhooksService,
    private readonly pending: PendingLogins,
    private readonly history: LoginHistory,
    private readonly notices: AccountNotices,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Changes the password, or sets the first one; ends all other sessions and, unless `keepTokens`, removes all API
   * tokens and disables all webhooks. Throws `InvalidFieldsError` on a wrong `current_password`,
   * `TooManyRequestsError` if it was wrong too often, and `NotAdmittedError` on a site without passwords.
   */
  async change(caller: Caller, proof: Proof, wanted: string, keepTokens: boolean): Promise<void> {
    this.assertPasswordsAdmitted();
    const confirmed = await this.reauthentication.confirm(caller, proof);
    const passwordHash = await this.hashNew(caller.userId, wanted);
    await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      await this.replace(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
      if (!keepTokens) {
        await this.tokens.removeApiTokens(tx, caller.userId);
        await this.webhooks.disableAll(tx, caller.userId);
      }
      await this.notices.add(tx, caller.userId, { what: 'password-changed', keptTokens: keepTokens });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Sets a new password by the code of a link. Ends all sessions, removes all API tokens and disables all webhooks.
   * Opens no session: the person logs in, with the second factor if there is one. Throws `InvalidFieldsError` on `code`
   * if the link is not valid, and on `password` if it is easy to guess; `NotAdmittedError` on a site without passwords.
   */
  async reset(code: string, password: string): Promise<void> {
    this.assertPasswordsAdmitted();
    const link = await this.links.find('reset-password', code);
    const { userId } = link;
    const passwordHash = await this.hashNew(userId, password);
    await this.database.transaction(async (tx) => {
      if (!(await this.passwords.lockActive(tx, userId, 'change'))) throw invalidLink();
      await this.links.use(tx, 'reset-password', code, link);
      await this.replace(tx, userId, passwordHash);
      await this.tokens.removeAll(tx, userId);
      await this.webhooks.disableAll(tx, userId);
      await this.notices.add(tx, userId, { what: 'password-reset' });
    });
    this.tokens.forgetBearer(userId);
  }

  /** Throws `InvalidFieldsError` on `password` if it is easy to guess. */
  private async hashNew(userId: number, password: string): Promise<string> {
    await this.strength.assertStrong(password, await this.passwords.findNames(userId));
    return this.hasher.hash(password);
  }

  /** Ends what the old password has allowed, except sessions, tokens and webhooks. */
  private async replace(tx: Transaction, userId: number, passwordHash: string): Promise<void> {
    await this.passwords.replace(tx, userId, passwordHash);
    await this.mails.revokeLinks(tx, userId, 'reset-password');
    await this.emails.cancelChange(tx, userId);
    await this.pending.removeAll(tx, userId);
    await this.history.forgetDevices(tx, userId);
  }

  private assertPasswordsAdmitted(): void {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
  }
}
