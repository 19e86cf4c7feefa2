import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import type { Caller } from '../../base/access/caller';
import { AccountRemoval } from '../deletion/account-removal.service';
import { AccountRulings, type ModeratedAccount } from '../rulings/account-rulings.service';
import { AuditLog } from '../../base/audit/audit-log.service';
import { AccountErasure } from '../deletion/account-erasure';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import type { AccountQuota, QuotaChange } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import { AccountAdministration } from './account-administration.service';
import { type Proof, ReauthenticationService } from '../../sign-in/factors/reauthentication.service';
import { UsersService } from '../users/users.service';
import { AdminActions, subjectOf } from './admin-actions.service';
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
 * What admins do with the accounts of others, except what `PersonAccess` does. Each change is an entry in the audit
 * log, in the same transaction. Changes that give power over an account, or destroy it, require that the admin proves
 * again who they are (`ReauthenticationService.confirm`).
 */
@Injectable()
export class PeopleService {
  constructor(
    private readonly repository: PeopleRepository,
    private readonly actions: AdminActions,
    private readonly users: UsersService,
    private readonly accounts: AccountAdministration,
    private readonly removal: AccountRemoval,
    private readonly rulings: AccountRulings,
    private readonly erasure: AccountErasure,
    private readonly quotas: QuotasService,
    private readonly reauthentication: ReauthenticationService,
    private readonly audit: AuditLog,
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
    await this.actions.run(username, confirmed, (tx, account) =>
      this.quotas.changeQuotaWithin(tx, account, change, by),
    );
    return this.quotas.findQuota(username);
  }

  /**
   * Deletes an account, as its owner could, and erases what it has made. Throws as `ReauthenticationService.confirm`
   * does; `NotFoundError`; `ForbiddenError` if `by` is no longer an admin; and `InvalidFieldsError` if the typed name is
   * another, or the account is an admin's: so the caller's own and the last admin's can't be deleted.
   */
  async delete(username: string, { typedName, reason }: Deletion, by: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(by, proof);
    const userId = await this.actions.run(username, confirmed, async (tx, account) => {
      if (typedName.toLowerCase() !== account.username.toLowerCase()) {
        throw new InvalidFieldsError({ username: ['The username field must be the name of the account.'] });
      }
      if (account.role === 'admin') {
        throw new InvalidFieldsError({ username: ['An admin cannot be deleted. Change the role first.'] });
      }
      await this.removal.remove(tx, { userId: account.id, username: account.username });
      await this.audit.append(tx, { by, action: 'user.delete', ...subjectOf(account), detail: { reason } });
    });
    await this.erasure.eraseAtOnce(userId);
  }
}
