import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Transaction } from '@vitrine/database';
import type { DataSource } from 'typeorm';

/** Counts that are older than this many days are no longer needed. */
const DAYS_KEPT = 2;
/** The largest number of old counts that one registration removes, so that its work stays bounded. */
const REMOVED_AT_ONCE = 100;

/** Every query on the table `registration_counts`. */
@Injectable()
export class RegistrationCountRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Counts one new account of an address on the current UTC day; returns false, and counts nothing, if there are `limit`
   * already. Registrations at the same time wait for each other on the row, so the limit is exact. Also removes old
   * counts.
   */
  async countOne(tx: Transaction, address: string, limit: number): Promise<boolean> {
    await tx.query(
      `delete from registration_counts where ctid = any (array(
         select ctid from registration_counts where day < (now() at time zone 'utc')::date - $1::integer
         limit $2 for update skip locked))`,
      [DAYS_KEPT, REMOVED_AT_ONCE],
    );
    const rows = await tx.query(
      `insert into registration_counts as counted (address, day, accounts)
       select $1, (now() at time zone 'utc')::date, 1 where $2 > 0
       on conflict (address, day) do update set accounts = counted.accounts + 1 where counted.accounts < $2
       returning accounts`,
      [address, limit],
    );
    return rows.length > 0;
  }

  /** The number of accounts that an address made on the current UTC day. */
  async findToday(address: string): Promise<number> {
    const [row]: { accounts: number }[] = await this.dataSource.query(
      `select accounts from registration_counts where address = $1 and day = (now() at time zone 'utc')::date`,
      [address],
    );
    return row?.accounts ?? 0;
  }
}
