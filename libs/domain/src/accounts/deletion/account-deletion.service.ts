import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { MembersService } from '../users/members.service';
import { type Proof, ReauthenticationService } from '../../sign-in/factors/reauthentication.service';
import { AccountRemoval } from './account-removal.service';

const onlyAdmin = () =>
  new InvalidFieldsError({
    role: ['The account of the only admin cannot be deleted. Give the role to another account first.'],
  });

/** The deletion of accounts by their owners. `AccountErasure` erases what they have made. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly database: Database,
    private readonly members: MembersService,
    private readonly reauthentication: ReauthenticationService,
    private readonly removal: AccountRemoval,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Deletes the caller's account: it can't be found and can make nothing from then on. `AccountErasure` erases what
   * it has made. Throws `InvalidFieldsError` on a wrong `password`, and on `role` if the caller is the only admin; and
   * `TooManyRequestsError` if the password was wrong too often.
   */
  async markDeleted(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof, 'password');
    await this.database.transaction(async (tx) => {
      const admins = await this.members.lockActiveAdmins(tx);
      if (admins.length === 1 && admins[0] === caller.userId) throw onlyAdmin();
      await confirmed.hold(tx, 'delete');
      await this.removal.remove(tx, caller);
    });
    this.tokens.forgetBearer(caller.userId);
  }
}
