import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** What an account has turned on. */
export interface FactorCounts {
  readonly app: boolean;
  /** Passkeys that can be used. */
  readonly passkeys: number;
  /** Passkeys that ended because they were copied. They still require a second factor, so that a copy can't turn it off. */
  readonly clonedPasskeys: number;
  /** Unused recovery codes. */
  readonly recoveryCodes: number;
}

const COUNTS = `
  select exists (select from authenticator_apps where user_id = $1 and confirmed_at is not null) as app,
         (select count(*) from passkeys where user_id = $1 and cloned_at is null)::integer as passkeys,
         (select count(*) from passkeys where user_id = $1 and cloned_at is not null)::integer as "clonedPasskeys",
         (select count(*) from recovery_codes where user_id = $1 and used_at is null)::integer as "recoveryCodes"`;

/** The queries about all second factors of an account together. */
@Injectable()
export class SecondFactorRepository {
  constructor(private readonly database: Database) {}

  /** As `tx` sees it, if it is given. */
  async count(userId: number, tx?: Transaction): Promise<FactorCounts> {
    const [row] = await (tx?.query<FactorCounts>(COUNTS, [userId]) ??
      this.database.read<FactorCounts>(COUNTS, [userId]));
    return row ?? { app: false, passkeys: 0, clonedPasskeys: 0, recoveryCodes: 0 };
  }

  /** Whether the account has an app or a passkey, as `tx` sees it. */
  isLeft(tx: Transaction, userId: number): Promise<boolean> {
    return tx.affects(
      `select 1 as factor from authenticator_apps where user_id = $1 and confirmed_at is not null
       union all select 1 from passkeys where user_id = $1 limit 1`,
      [userId],
    );
  }
}
