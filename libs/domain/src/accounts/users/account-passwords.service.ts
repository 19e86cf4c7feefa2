import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { PasswordHasher } from './password-hasher';
import { type AccountLock, UserRepository } from './user.repository';

/** An account with its password. */
export interface AccountWithPassword {
  readonly id: number;
  /** Null if the account has no password. */
  readonly passwordHash: string | null;
}

/** The passwords of accounts. */
@Injectable()
export class AccountPasswords {
  constructor(
    private readonly repository: UserRepository,
    private readonly hasher: PasswordHasher,
  ) {}

  /** The active account with this username or verified email address, ignoring case; null if there is none. */
  findByLogin(login: string): Promise<AccountWithPassword | null> {
    return this.repository.findByLogin(login);
  }

  async find(userId: number): Promise<AccountWithPassword> {
    return { id: userId, passwordHash: await this.repository.findPasswordHash(userId) };
  }

  /** Whether a password is that of an account. Takes the same time without an account, and returns false. */
  verify(account: AccountWithPassword | null, password: string): Promise<boolean> {
    return this.hasher.verify(account?.passwordHash ?? null, password);
  }

  /** Locks an account. Returns whether it still has the password with which it was found. */
  async lockUnchanged(
    tx: Transaction,
    { id, passwordHash }: AccountWithPassword,
    lock: AccountLock,
  ): Promise<boolean> {
    return (await this.repository.lockPasswordHash(tx, id, lock)) === passwordHash;
  }

  /** Locks an account. Returns false if it is deleted. */
  lockActive(tx: Transaction, userId: number, lock: AccountLock): Promise<boolean> {
    return this.repository.lockActive(tx, userId, lock);
  }

  /** The names of an account, which its password must not contain. */
  async findNames(userId: number): Promise<readonly (string | null | undefined)[]> {
    const account = await this.repository.findAccount(userId);
    return [account?.username, account?.email];
  }

  /** Replaces the password of a locked account. */
  replace(tx: Transaction, userId: number, passwordHash: string): Promise<void> {
    return this.repository.changePasswordHash(tx, userId, passwordHash);
  }
}
