import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { SecondFactorsService } from '../../sign-in/factors/second-factors.service';
import { accountSubject } from '../../base/audit/account-subject';
import { AuditLog } from '../../base/audit/audit-log.service';
import { LoginCredentials } from '../../sign-in/providers/login-credentials.service';
import {
  assertMayGrant,
  type MintedToken,
  type NewApiToken,
  TokensService,
} from '../../sign-in/tokens/tokens.service';
import { AccountNotices } from '../users/account-notices.service';
import { MembersService } from '../users/members.service';
import type { Confirmed } from '../../sign-in/factors/reauthentication.service';
import { UsersService } from '../users/users.service';

/** What admins and the operator change in the accounts of others. */
@Injectable()
export class AccountAdministration {
  constructor(
    private readonly users: UsersService,
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly notices: AccountNotices,
    private readonly factors: SecondFactorsService,
    private readonly members: MembersService,
    private readonly credentials: LoginCredentials,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Changes an account's role with immediate effect. `by` is the proof of the admin; null for the operator, who may do
   * anything. Throws `NotFoundError`; as `MembersService.holdAdmin` does; and `InvalidFieldsError` if `by` takes the
   * role from the only admin.
   */
  async changeRole(username: string, role: Role, by: Confirmed | null = null): Promise<void> {
    const user = await this.users.findByUsername(username);
    await this.database.transaction(async (tx) => {
      const admins = await this.members.holdAdmin(tx, by);
      const before = await this.members.lock(tx, user.id);
      if (by !== null && role !== 'admin' && admins.length === 1 && admins[0] === user.id) {
        throw new InvalidFieldsError({ role: ['The only admin cannot give up the role.'] });
      }
      if (before.role === role) return;
      await this.members.changeRole(tx, user.id, role);
      await this.audit.append(tx, {
        by: by?.caller ?? null,
        action: 'user.change_role',
        subject: accountSubject(user.id, user.username),
        detail: { from: before.role, to: role },
      });
      await this.notices.add(tx, user.id, { what: 'role-changed', role });
    });
    this.tokens.forgetBearer(user.id);
  }

  /**
   * Removes every second factor of an account. `by` is the proof of the admin; null for the operator. Throws
   * `NotFoundError`, as `MembersService.holdAdmin` does, and `InvalidFieldsError` on `way_in` if the account could not log
   * in any more.
   */
  async removeSecondFactors(username: string, by: Confirmed | null = null): Promise<void> {
    const user = await this.users.findByUsername(username);
    await this.database.transaction(async (tx) => {
      await this.members.holdAdmin(tx, by);
      await this.members.lock(tx, user.id);
      const hadFactor = await this.factors.isLeft(tx, user.id);
      await this.factors.removeAll(tx, user.id);
      if (hadFactor) await this.credentials.assertLeft(tx, user.id);
      await this.notices.add(tx, user.id, { what: 'second-factors-removed' });
      const subject = accountSubject(user.id, user.username);
      const { caller = null } = by ?? {};
      await this.audit.append(tx, { by: caller, action: 'user.remove_second_factor', subject });
    });
    this.tokens.forgetBearer(user.id);
  }

  /**
   * Creates an API token of an account by username, for the operator. Throws `NotFoundError`, otherwise as
   * `UsersService.createToken`.
   */
  async createTokenFor(username: string, wanted: NewApiToken): Promise<MintedToken> {
    const user = await this.users.findByUsername(username);
    assertMayGrant(wanted.scopes, user.role !== 'user');
    return this.database.transaction(async (tx) => {
      const minted = await this.tokens.mint(tx, user.id, wanted);
      const { id, scopes } = minted.token;
      const subject = accountSubject(user.id, user.username);
      await this.audit.append(tx, { by: null, action: 'token.create', subject, detail: { id, scopes } });
      return minted;
    });
  }
}
