import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';

/** An authenticator app of an account. */
export interface AppRow {
  readonly sealedSecret: Buffer;
  readonly confirmed: boolean;
  readonly lastStep: number;
}

/** Every query on the table `authenticator_apps`. */
@Injectable()
export class AuthenticatorAppRepository {
  /** Stores the secret of an app that is not confirmed yet. Returns false if the account has a confirmed one. */
  begin(tx: Transaction, userId: number, sealedSecret: Buffer): Promise<boolean> {
    return tx.affects(
      `insert into authenticator_apps (user_id, sealed_secret) values ($1, $2)
       on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = now(), last_step = 0
       where authenticator_apps.confirmed_at is null`,
      [userId, sealedSecret],
    );
  }

  /** The app of an account, locked; an app that was begun more than `minutes` ago and not confirmed doesn't count. */
  async lock(tx: Transaction, userId: number, minutes: number): Promise<AppRow | null> {
    const [row] = await tx.query<AppRow>(
      `select sealed_secret as "sealedSecret", confirmed_at is not null as confirmed, last_step as "lastStep"
       from authenticator_apps
       where user_id = $1 and (confirmed_at is not null or created_at > now() - make_interval(mins => $2)) for update`,
      [userId, minutes],
    );
    return row ? { ...row, lastStep: Number(row.lastStep) } : null;
  }

  /** Records the step of a code that was used; a first code confirms the app. */
  async noteStep(tx: Transaction, userId: number, step: number): Promise<void> {
    await tx.query(
      'update authenticator_apps set last_step = $2, confirmed_at = coalesce(confirmed_at, now()) where user_id = $1',
      [userId, step],
    );
  }

  remove(tx: Transaction, userId: number): Promise<boolean> {
    return tx.affects(
      `with removed as (delete from authenticator_apps where user_id = $1 returning confirmed_at)
       select 1 as gone from removed where confirmed_at is not null`,
      [userId],
    );
  }
}
