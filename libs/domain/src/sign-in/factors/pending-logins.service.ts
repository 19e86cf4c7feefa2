import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { randomBase62 } from '../../base/identifiers/random-base62';
import { type PendingLogin, PendingLoginRepository } from './pending-login.repository';

/** 238 random bits, so that the stored hash needs no salt. */
const SECRET_LENGTH = 40;
const MINUTES = 5;
/** A pending login ends after this many wrong second factors. */
const MAX_ATTEMPTS = 5;
/** The largest number of pending logins of one account. */
const MAX_PENDING = 20;

/** A pending login with its secret, which is shown once and not stored. */
export interface OpenedPendingLogin {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Logins whose first factor was right and that wait for the second. Each can be completed once, within five minutes. */
@Injectable()
export class PendingLogins {
  constructor(private readonly repository: PendingLoginRepository) {}

  /** Within the transaction that has checked the first factor. */
  async open(tx: Transaction, login: PendingLogin): Promise<OpenedPendingLogin> {
    const secret = randomBase62(SECRET_LENGTH);
    const expiresAt = new Date(Date.now() + MINUTES * 60_000);
    await this.repository.insert(tx, sha256(secret), login, expiresAt);
    await this.repository.removeOld(tx, login.userId, MAX_PENDING);
    return { secret, expiresAt };
  }

  /**
   * Counts an attempt to complete a login, before the second factor is verified. Returns null if there is no such login, if
   * it has expired or been completed, or after too many attempts.
   */
  countAttempt(tx: Transaction, secret: string): Promise<PendingLogin | null> {
    return this.repository.countAttempt(tx, sha256(secret), MAX_ATTEMPTS);
  }

  /** A pending login that can still be completed; null otherwise. */
  find(secret: string): Promise<PendingLogin | null> {
    return this.repository.find(sha256(secret), MAX_ATTEMPTS);
  }

  /** Uses a pending login up, within the transaction that opens the session. Returns false if it was used already. */
  complete(tx: Transaction, secret: string): Promise<boolean> {
    return this.repository.remove(tx, sha256(secret));
  }

  /** Ends pending logins, by the hashes of their secrets. */
  removeSome(tx: Transaction, secretsSha256: readonly Buffer[]): Promise<void> {
    return this.repository.removeSome(tx, secretsSha256);
  }

  /** Ends all pending logins of an account: what they proved no longer holds. */
  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }
}

const sha256 = (secret: string): Buffer => hash('sha256', secret, 'buffer');
