import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import type { Caller } from '../access/caller';
import { AccountRulings, type ModeratedAccount } from '../account-rulings/account-rulings.service';
import { accountSubject } from '../audit/account-subject';
import { AuditLog } from '../audit/audit-log.service';
import { AccountErasure } from '../erasure/account-erasure';
import { InvalidFieldsError, NotFoundError } from '../errors/domain-error';
import type { MintedLink } from '../mails/mails.service';
import { ResetLinks } from '../password-changes/reset-links.service';
import type { AccountQuota, QuotaChange } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import type { TokenEntity } from '../tokens/token.entity';
import type { Session } from '../tokens/token.repository';
import { PendingLogins } from '../factors/pending-logins.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountAdministration } from '../users/account-administration.service';
import { AccountDeletion } from '../users/account-deletion.service';
import { AccountNotices } from '../users/account-notices.service';
import { type ActingAdmin, MembersService } from '../users/members.service';
import { type Proof, ReauthenticationService } from '../users/reauthentication.service';
import { UsersService } from '../users/users.service';
import { type Belongings, type PeopleFilter, PeopleRepository, type Person } from './people.repository';

/** Lists of accounts are counted up to this number, and have no more entries. */
const MAX_PEOPLE = 10_000;

export interface PeoplePage {
  /** Newest first. */
  readonly people: readonly Person[];
  /** Counted up to `MAX_PEOPLE`. */
  readonly total: number;
}

/** An account with what it has. */
export type PersonDetail = Person & Belongings & ModeratedAccount & { readonly quota: AccountQuota };

/** What the confirmation of a deletion says. */
export interface Deletion {
  /** The name, as typed by the admin. */
  readonly typedName: string;
  readonly reason: string;
}

/**
 * What admins do with the accounts of others. Each change is an entry in the audit log, in the same transaction. Changes
 * that give power over an account, or destroy it, require that the admin proves again who they are
 * (`ReauthenticationService.confirm`).
 */
@Injectable()
export class PeopleService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: PeopleRepository,
    private readonly users: UsersService,
    private readonly accounts: AccountAdministration,
    private readonly deletion: AccountDeletion,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
    private readonly pending: PendingLogins,
    private readonly rulings: AccountRulings,
    private readonly erasure: AccountErasure,
    private readonly quotas: QuotasService,
    private readonly resetLinks: ResetLinks,
    private readonly reauthentication: ReauthenticationService,
    private readonly audit: AuditLog,
    private readonly notices: AccountNotices,
  ) {}

  /** One page; `page` counts from 1. */
  async findPage(filter: PeopleFilter, page: number, limit: number): Promise<PeoplePage> {
    const offset = (page - 1) * limit;
    const [people, total] = await Promise.all([
      offset < MAX_PEOPLE
        ? this.repository.findPage(filter, Math.min(limit, MAX_PEOPLE - offset), offset)
        : [],
      this.repository.count(filter, MAX_PEOPLE),
    ]);
    return { people, total };
  }

  /** An account by username, ignoring case. Throws `NotFoundError`. */
  async find(username: string): Promise<PersonDetail> {
    const { id, username: name } = await this.users.findByUsername(username);
    const [person, account, quota] = await Promise.all([
      this.repository.find(id),
      this.rulings.find(username),
      this.quotas.quotaOf({ id, username: name }),
    ]);
    if (!person) throw new NotFoundError();
    return { ...account, ...person, quota };
  }

  /** Changes the role. Throws as `ReauthenticationService.confirm` and `AccountAdministration.changeRole` do. */
  async changeRole(username: string, role: Role, by: Caller, proof: Proof): Promise<PersonDetail> {
    await this.accounts.changeRole(username, role, await this.reauthentication.confirm(by, proof));
    return this.find(username);
  }

  /** Changes the quota. Throws as `ReauthenticationService.confirm` does, `NotFoundError`, and `ForbiddenError`. */
  async changeQuota(username: string, change: QuotaChange, by: Caller, proof: Proof): Promise<AccountQuota> {
    const confirmed = await this.reauthentication.confirm(by, proof);
    await this.act(username, confirmed, (tx, account) =>
      this.quotas.changeQuotaWithin(tx, account, change, by),
    );
    return this.quotas.findQuota(username);
  }

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
    await this.act(username, { caller: by }, async (tx, account) => {
      if (!(await this.tokens.closeSession(tx, account.id, id))) throw new NotFoundError();
      await this.audit.append(tx, { by, action: 'user.end_session', ...subjectOf(account), detail: { id } });
      await this.notices.add(tx, account.id, { what: 'session-ended' });
    });
  }

  /** Ends all sessions of an account. Throws as `endSession` does. */
  async endSessions(username: string, by: Caller): Promise<void> {
    await this.act(username, { caller: by }, async (tx, account) => {
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
    await this.act(username, { caller: by }, async (tx, account) => {
      if (!(await this.tokens.removeApiToken(tx, account.id, id))) throw new NotFoundError();
      await this.audit.append(tx, { by, action: 'token.revoke', ...subjectOf(account), detail: { id } });
    });
  }

  /**
   * Deletes an account, as its owner could, and erases what it has made. Throws as `ReauthenticationService.confirm`
   * does; `NotFoundError`; `ForbiddenError` if `by` is no longer an admin; and `InvalidFieldsError` if the typed name is
   * another, or the account is an admin's: so the caller's own and the last admin's can't be deleted.
   */
  async delete(username: string, { typedName, reason }: Deletion, by: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(by, proof);
    const userId = await this.act(username, confirmed, async (tx, account) => {
      if (typedName.toLowerCase() !== account.username.toLowerCase()) {
        throw new InvalidFieldsError({ username: ['The username field must be the name of the account.'] });
      }
      if (account.role === 'admin') {
        throw new InvalidFieldsError({ username: ['An admin cannot be deleted. Change the role first.'] });
      }
      await this.deletion.markDeletedWithin(tx, { userId: account.id, username: account.username });
      await this.audit.append(tx, { by, action: 'user.delete', ...subjectOf(account), detail: { reason } });
    });
    await this.erasure.eraseAtOnce(userId);
  }

  /** Locks the admins and the account, and does `work`. Returns the account's id. */
  private async act(
    username: string,
    by: ActingAdmin,
    work: (tx: Transaction, account: LockedAccount) => Promise<void>,
  ): Promise<number> {
    const { id } = await this.users.findByUsername(username);
    await this.transactions.run(async (tx) => {
      // Another admin may have taken the role in the meantime.
      await this.members.holdAdmin(tx, by);
      const account = await this.members.lock(tx, id);
      await work(tx, { id, ...account });
    });
    this.tokens.forgetBearer(id);
    return id;
  }
}

interface LockedAccount {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
}

const subjectOf = ({ id, username }: LockedAccount) => ({
  subject: accountSubject(id, username),
});
