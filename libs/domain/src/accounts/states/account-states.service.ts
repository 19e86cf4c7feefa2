import { Injectable } from '@nestjs/common';
import type { Restriction } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { AccountRestrictionRepository } from './account-restriction.repository';
import { type AccountStanding, ACTIVE, type NewStanding } from './account-standing';
import { type RelistingProgress, RelistingRepository } from './relisting.repository';

/**
 * The states of accounts. A restriction ends by its date, without any process. `AccountRulings` changes states, and
 * `Relisting` derives the listings of what the account owns.
 */
@Injectable()
export class AccountStatesService {
  constructor(
    private readonly restrictions: AccountRestrictionRepository,
    private readonly relistings: RelistingRepository,
  ) {}

  /** The state of an account now. */
  async find(userId: number): Promise<AccountStanding> {
    return (await this.restrictions.find(userId)) ?? ACTIVE;
  }

  /** As `find`, within a transaction. */
  async findWithin(tx: Transaction, userId: number): Promise<AccountStanding> {
    return (await this.restrictions.findWithin(tx, userId)) ?? ACTIVE;
  }

  /** The restriction of an account that is in force; null if it is active. */
  findRestriction(tx: Transaction, userId: number): Promise<Restriction | null> {
    return this.restrictions.findState(tx, userId);
  }

  /**
   * Gives an account a state. Its row must be locked `for update`, after `beginRelisting` in the same transaction.
   */
  async change(tx: Transaction, userId: number, standing: NewStanding): Promise<void> {
    if (standing.state === 'active') await this.restrictions.remove(tx, userId);
    else await this.restrictions.replace(tx, userId, standing);
  }

  /**
   * Makes it due to derive the listings of everything that the account owns. Must come before the lock of the
   * account's row: a batch in progress waits for locks of others, who may wait for that row.
   */
  beginRelisting(tx: Transaction, userId: number): Promise<void> {
    return this.relistings.begin(tx, userId);
  }

  /** Up to `limit` accounts whose relisting is due, the longest due first. */
  findDueRelistings(limit: number): Promise<readonly number[]> {
    return this.relistings.findDue(limit);
  }

  /** Locks the relisting of an account; null if none is due, or another process works on it. */
  lockRelisting(tx: Transaction, userId: number): Promise<RelistingProgress | null> {
    return this.relistings.lock(tx, userId);
  }

  /** Records how far a locked relisting has come. */
  recordRelisting(tx: Transaction, userId: number, progress: RelistingProgress): Promise<void> {
    return this.relistings.record(tx, userId, progress);
  }

  /** Ends a locked relisting. */
  finishRelisting(tx: Transaction, userId: number): Promise<void> {
    return this.relistings.remove(tx, userId);
  }

  /** Up to `limit` accounts whose restriction has ended, the earliest end first. */
  findEnded(limit: number): Promise<readonly number[]> {
    return this.restrictions.findEnded(limit);
  }

  /** Removes the restriction of an account if it has ended. Needs the same locks as `change`. */
  removeEnded(tx: Transaction, userId: number): Promise<void> {
    return this.restrictions.removeEnded(tx, userId);
  }

  /** Removes what is stored about the state of an erased account. */
  async forget(tx: Transaction, userId: number): Promise<void> {
    await this.restrictions.remove(tx, userId);
    await this.relistings.remove(tx, userId);
  }
}
