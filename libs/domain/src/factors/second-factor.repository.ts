import { Injectable } from '@nestjs/common';
import { PreparedReads } from '@vitrine/database';

/** What an account has turned on. */
export interface FactorCounts {
  readonly app: boolean;
  readonly passkeys: number;
  /** Unused recovery codes. */
  readonly recoveryCodes: number;
}

/** The queries about all second factors of an account together. */
@Injectable()
export class SecondFactorRepository {
  constructor(private readonly reads: PreparedReads) {}

  async count(userId: number): Promise<FactorCounts> {
    const [row] = await this.reads.query<FactorCounts>(
      `select exists (select from authenticator_apps where user_id = $1 and confirmed_at is not null) as app,
              (select count(*) from passkeys where user_id = $1 and cloned_at is null)::integer as passkeys,
              (select count(*) from recovery_codes where user_id = $1 and used_at is null)::integer as "recoveryCodes"`,
      [userId],
    );
    return row ?? { app: false, passkeys: 0, recoveryCodes: 0 };
  }
}
