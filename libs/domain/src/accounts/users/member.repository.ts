import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { isActiveMemberSql } from '../../base/queries/member-sql';
import { isSuspended } from '../../base/queries/restriction-sql';

/** What a ruling on an account needs to know of it. */
export interface LockedMember {
  readonly username: string;
  readonly role: Role;
}

/** The queries on `users` for staff who act on the accounts of others. */
@Injectable()
export class MemberRepository {
  /** Locks an active member; waits for transactions that add something of the account, or change it. */
  async lock(tx: Transaction, id: number): Promise<LockedMember | null> {
    const [row] = await tx.query<LockedMember>(
      `select u.username, u.role from users u where u.id = $1 and ${isActiveMemberSql('u')} for update`,
      [id],
    );
    return row ?? null;
  }

  /** Locks all living admins who have been accepted, in the order of their ids; returns those that aren't suspended. */
  async lockActiveAdmins(tx: Transaction): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number; suspended: boolean }>(
      `select u.id, ${isSuspended('u.id')} as suspended from users u
       where u.role = 'admin' and ${isActiveMemberSql('u')}
         and not exists (select from applications a where a.user_id = u.id)
       order by u.id for update of u`,
    );
    return rows.filter(({ suspended }) => !suspended).map(({ id }) => id);
  }

  async changeRole(tx: Transaction, id: number, role: Role): Promise<void> {
    await tx.query('update users set role = $2 where id = $1', [id, role]);
  }

  /** Removes the row of an account that has never been able to log in, so that nothing refers to it. */
  async remove(tx: Transaction, id: number): Promise<void> {
    await tx.query('delete from users where id = $1', [id]);
  }
}
