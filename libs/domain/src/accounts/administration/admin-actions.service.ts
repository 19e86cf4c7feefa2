import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { accountSubject } from '../../base/audit/account-subject';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { type ActingAdmin, MembersService } from '../users/members.service';
import { UsersService } from '../users/users.service';

/** An account that is locked for the action of an admin. */
export interface LockedAccount {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
}

/** The transactions of admins who act on the accounts of others. */
@Injectable()
export class AdminActions {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Locks the admins and the account, and does `work`. Returns the account's id. Throws `NotFoundError`, and
   * `ForbiddenError` if `by` is no longer an admin.
   */
  async run(
    username: string,
    by: ActingAdmin,
    work: (tx: Transaction, account: LockedAccount) => Promise<void>,
  ): Promise<number> {
    const { id } = await this.users.findByUsername(username);
    await this.database.transaction(async (tx) => {
      // Another admin may have taken the role in the meantime.
      await this.members.holdAdmin(tx, by);
      const account = await this.members.lock(tx, id);
      await work(tx, { id, ...account });
    });
    this.tokens.forgetBearer(id);
    return id;
  }
}

/** The account as the subject of an entry in the audit log. */
export const subjectOf = ({ id, username }: LockedAccount) => ({
  subject: accountSubject(id, username),
});
