import { Injectable } from '@nestjs/common';
import type { Caller } from '../../base/access/caller';
import { AuditLog } from '../../base/audit/audit-log.service';
import { NotFoundError } from '../../base/errors/domain-error';
import { PendingLogins } from '../../sign-in/factors/pending-logins.service';
import type { MintedLink } from '../../outgoing/mails/mails.service';
import { ResetLinks } from '../../sign-in/passwords/reset-links.service';
import type { TokenEntity } from '../../sign-in/tokens/token.entity';
import type { Session } from '../../sign-in/tokens/token.repository';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountAdministration } from './account-administration.service';
import { AccountNotices } from '../users/account-notices.service';
import { type Proof, ReauthenticationService } from '../../sign-in/factors/reauthentication.service';
import { UsersService } from '../users/users.service';
import { AdminActions, subjectOf } from './admin-actions.service';

/** What admins do with the access to other accounts: passwords, second factors, sessions and API tokens. */
@Injectable()
export class PersonAccess {
  constructor(
    private readonly actions: AdminActions,
    private readonly users: UsersService,
    private readonly accounts: AccountAdministration,
    private readonly resetLinks: ResetLinks,
    private readonly reauthentication: ReauthenticationService,
    private readonly tokens: TokensService,
    private readonly pending: PendingLogins,
    private readonly audit: AuditLog,
    private readonly notices: AccountNotices,
  ) {}

  /**
   * Creates a link with which the password of an account can be set once. Throws as `ReauthenticationService.confirm`
   * and `ResetLinks.create` do.
   */
  async createResetLink(username: string, by: Caller, proof: Proof): Promise<MintedLink> {
    const { id } = await this.users.findByUsername(username);
    return this.resetLinks.create(id, await this.reauthentication.confirm(by, proof));
  }

  /**
   * Removes every second factor of an account. Throws as `ReauthenticationService.confirm` and
   * `AccountAdministration.removeSecondFactors` do.
   */
  async removeSecondFactors(username: string, by: Caller, proof: Proof): Promise<void> {
    await this.accounts.removeSecondFactors(username, await this.reauthentication.confirm(by, proof));
  }

  /** The open sessions of an account, the latest used first. Throws `NotFoundError`. */
  async listSessions(username: string): Promise<readonly Session[]> {
    const { id } = await this.users.findByUsername(username);
    return this.tokens.listSessions(id);
  }

  /** Ends one session of an account. Throws `NotFoundError`, and `ForbiddenError` if `by` is no longer an admin. */
  async endSession(username: string, id: number, by: Caller): Promise<void> {
    await this.actions.run(username, { caller: by }, async (tx, account) => {
      if (!(await this.tokens.closeSession(tx, account.id, id))) throw new NotFoundError();
      await this.audit.append(tx, { by, action: 'user.end_session', ...subjectOf(account), detail: { id } });
      await this.notices.add(tx, account.id, { what: 'session-ended' });
    });
  }

  /** Ends all sessions of an account. Throws as `endSession` does. */
  async endSessions(username: string, by: Caller): Promise<void> {
    await this.actions.run(username, { caller: by }, async (tx, account) => {
      const sessions = await this.tokens.closeSessions(tx, account.id);
      await this.pending.removeAll(tx, account.id);
      const detail = { sessions };
      await this.audit.append(tx, { by, action: 'user.end_sessions', ...subjectOf(account), detail });
      if (sessions > 0) await this.notices.add(tx, account.id, { what: 'sessions-ended' });
    });
  }

  /** The API tokens of an account, oldest first. Throws `NotFoundError`. */
  async listTokens(username: string): Promise<readonly TokenEntity[]> {
    const { id } = await this.users.findByUsername(username);
    return this.tokens.list(id);
  }

  /** Revokes one API token of an account. Throws as `endSession` does. */
  async revokeToken(username: string, id: number, by: Caller): Promise<void> {
    await this.actions.run(username, { caller: by }, async (tx, account) => {
      if (!(await this.tokens.removeApiToken(tx, account.id, id))) throw new NotFoundError();
      await this.audit.append(tx, { by, action: 'token.revoke', ...subjectOf(account), detail: { id } });
    });
  }
}
