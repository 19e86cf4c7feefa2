import { Injectable } from '@nestjs/common';
import type { Restriction } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { restrictionOf } from '../../base/queries/restriction-sql';
import type { AccountStanding } from './account-standing';

const IN_FORCE = `select state, reason, until from account_restrictions
  where user_id = $1 and (until is null or until > now())`;

/** Every query on the table `account_restrictions`. */
@Injectable()
export class AccountRestrictionRepository {
  constructor(private readonly database: Database) {}

  /** The restriction of an account that is in force; null if there is none. */
  async find(userId: number): Promise<AccountStanding | null> {
    const [row] = await this.database.read<AccountStanding>(IN_FORCE, [userId]);
    return row ?? null;
  }

  /** As `find`, within a transaction. */
  async findWithin(tx: Transaction, userId: number): Promise<AccountStanding | null> {
    const [row] = await tx.query<AccountStanding>(IN_FORCE, [userId]);
    return row ?? null;
  }

  async findState(tx: Transaction, userId: number): Promise<Restriction | null> {
    const [row] = await tx.query<{ state: Restriction | null }>(
      `select ${restrictionOf('$1::bigint')} as state`,
      [userId],
    );
    return row?.state ?? null;
  }

  async replace(
    tx: Transaction,
    userId: number,
    { state, reason, until }: { state: Restriction; reason: string; until: Date | null },
  ): Promise<void> {
    await tx.query(
      `insert into account_restrictions (user_id, state, reason, until) values ($1, $2, $3, $4)
       on conflict (user_id) do update
       set state = excluded.state, reason = excluded.reason, until = excluded.until, created_at = now()`,
      [userId, state, reason, until],
    );
  }

  async remove(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from account_restrictions where user_id = $1', [userId]);
  }

  /** Removes the restriction of an account if it has ended. */
  async removeEnded(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from account_restrictions where user_id = $1 and until <= now()', [userId]);
  }

  /** Up to `limit` accounts whose restriction has ended, the earliest end first. */
  async findEnded(limit: number): Promise<readonly number[]> {
    const rows = await this.database.read<{ userId: number }>(
      `select user_id as "userId" from account_restrictions where until <= now() order by until limit $1`,
      [limit],
    );
    return rows.map(({ userId }) => userId);
  }
}
