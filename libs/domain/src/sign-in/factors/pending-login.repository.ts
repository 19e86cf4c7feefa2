import { Injectable } from '@nestjs/common';
import type { LoginMethod } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';

/** The ways to log in that ask for the account's second factor. */
export type FirstFactor = Extract<LoginMethod, 'password' | 'provider' | 'reset'>;

/** A login whose first factor was right. */
export interface PendingLogin {
  readonly userId: number;
  readonly method: FirstFactor;
}

/** Every query on the table `pending_logins`. */
@Injectable()
export class PendingLoginRepository {
  constructor(private readonly database: Database) {}

  async insert(
    tx: Transaction,
    secretSha256: Buffer,
    { userId, method }: PendingLogin,
    expiresAt: Date,
  ): Promise<void> {
    await tx.query(
      'insert into pending_logins (secret_sha256, user_id, method, expires_at) values ($1, $2, $3, $4)',
      [secretSha256, userId, method, expiresAt],
    );
  }

  /** Removes the account's expired pending logins, and its oldest beyond `kept`. */
  async removeOld(tx: Transaction, userId: number, kept: number): Promise<void> {
    await tx.query(
      `delete from pending_logins where user_id = $1 and (expires_at <= now() or secret_sha256 in (
         select secret_sha256 from pending_logins where user_id = $1 order by created_at desc offset $2))`,
      [userId, kept],
    );
  }

  /**
   * Counts an attempt at an open pending login and returns it; null if it is unknown, expired, used, or has had
   * `maxAttempts` attempts.
   */
  async countAttempt(
    tx: Transaction,
    secretSha256: Buffer,
    maxAttempts: number,
  ): Promise<PendingLogin | null> {
    const [row] = await tx.query<PendingLogin>(
      `update pending_logins set tries = tries + 1
       where secret_sha256 = $1 and expires_at > now() and tries < $2 returning user_id as "userId", method`,
      [secretSha256, maxAttempts],
    );
    return row ?? null;
  }

  /** An open pending login; null as `countAttempt` returns it. */
  async find(secretSha256: Buffer, maxAttempts: number): Promise<PendingLogin | null> {
    const [row] = await this.database.read<PendingLogin>(
      `select user_id as "userId", method from pending_logins
       where secret_sha256 = $1 and expires_at > now() and tries < $2`,
      [secretSha256, maxAttempts],
    );
    return row ?? null;
  }

  /** Removes a pending login. Returns false if it is gone, because it was used. */
  remove(tx: Transaction, secretSha256: Buffer): Promise<boolean> {
    return tx.affects(`delete from pending_logins where secret_sha256 = $1 and expires_at > now()`, [
      secretSha256,
    ]);
  }

  async removeSome(tx: Transaction, secretsSha256: readonly Buffer[]): Promise<void> {
    await tx.query('delete from pending_logins where secret_sha256 = any($1)', [secretsSha256]);
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from pending_logins where user_id = $1', [userId]);
  }
}
