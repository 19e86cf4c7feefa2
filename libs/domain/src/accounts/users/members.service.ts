import { Injectable } from '@nestjs/common';
import type { Role } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { ForbiddenError, NotFoundError } from '../../base/errors/domain-error';
import { type LockedMember, MemberRepository } from './member.repository';
import { UserRepository } from './user.repository';

/** An admin who acts on the account of somebody else. */
export interface ActingAdmin {
  readonly caller: Caller;
  /** The proof of the admin (`Confirmed.hold`), if what they do needs one. */
  hold?(tx: Transaction, lock: 'share'): Promise<void>;
}

/** Accounts, for staff who act on those of others, and for their deletion. */
@Injectable()
export class MembersService {
  constructor(
    private readonly repository: MemberRepository,
    private readonly users: UserRepository,
  ) {}

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
   * Locks all admins for what one of them does, before other accounts; returns the ids of those that may log in. `by`
   * is null for the operator, who may do anything. Throws `ForbiddenError` if `by` is no longer an admin, and
   * `InvalidFieldsError` if the proof no longer holds.
   */
  async holdAdmin(tx: Transaction, by: ActingAdmin | null): Promise<readonly number[]> {
    if (by === null) return [];
    const admins = await this.lockActiveAdmins(tx);
    if (!admins.includes(by.caller.userId)) throw new ForbiddenError();
    await by.hold?.(tx, 'share');
    return admins;
  }

  /** Changes the role of a locked member. Call `TokensService.forgetBearer` after the commit. */
  changeRole(tx: Transaction, userId: number, role: Role): Promise<void> {
    return this.repository.changeRole(tx, userId, role);
  }

  /** Removes the account of an applicant, who has never been able to log in; the username is free again. */
  removeApplicant(tx: Transaction, userId: number): Promise<void> {
    return this.repository.remove(tx, userId);
  }

  /** Marks a locked account as deleted, and removes its personal data. Its username stays taken. */
  markDeleted(tx: Transaction, userId: number): Promise<void> {
    return this.users.markDeleted(tx, userId);
  }

  /** Up to `limit` accounts that were deleted more than `seconds` ago and aren't erased, the oldest deletion first. */
  findUnerased(seconds: number, limit: number): Promise<readonly number[]> {
    return this.users.findUnerased(seconds, limit);
  }

  /** Records that a deleted account is erased. */
  markErased(tx: Transaction, userId: number): Promise<void> {
    return this.users.markErased(tx, userId);
  }
}
