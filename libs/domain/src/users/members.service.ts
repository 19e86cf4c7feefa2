import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import type { Caller } from '../access/caller';
import { ForbiddenError, NotFoundError } from '../errors/domain-error';
import { type LockedMember, MemberRepository } from './member.repository';

/** Accounts, for staff who act on those of others. */
@Injectable()
export class MembersService {
  constructor(private readonly repository: MemberRepository) {}

  /**
   * Locks an active member within the transaction that rules on it: nothing is added to the account in the meantime.
   * Throws `NotFoundError`.
   */
  async lock(tx: Transaction, userId: number): Promise<LockedMember> {
    const member = await this.repository.lock(tx, userId);
    if (!member) throw new NotFoundError();
    return member;
  }

  /** Locks all admins, before other accounts; returns the ids of those that may log in. */
  lockActiveAdmins(tx: Transaction): Promise<readonly number[]> {
    return this.repository.lockActiveAdmins(tx);
  }

  /**
   * Locks all admins for what one of them does, before other accounts. `by` is null for the operator, who may do
   * anything. Throws `ForbiddenError` if `by` is no longer an admin.
   */
  async holdAdmin(tx: Transaction, by: Caller | null): Promise<void> {
    if (by !== null && !(await this.lockActiveAdmins(tx)).includes(by.userId)) throw new ForbiddenError();
  }

  /** Changes the role of a locked member. Call `TokensService.forgetBearer` after the commit. */
  changeRole(tx: Transaction, userId: number, role: Role): Promise<void> {
    return this.repository.changeRole(tx, userId, role);
  }

  /** Removes the account of an applicant, who has never been able to log in; the username is free again. */
  removeApplicant(tx: Transaction, userId: number): Promise<void> {
    return this.repository.remove(tx, userId);
  }
}
