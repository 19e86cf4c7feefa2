import { Injectable } from '@nestjs/common';
import { type Transaction } from '@vitrine/database';

/** Every query on the table `reset_requests`. */
@Injectable()
export class ResetRequestRepository {
  async insert(tx: Transaction, login: string): Promise<void> {
    await tx.query('insert into reset_requests (login) values ($1)', [login]);
  }

  /** Takes the oldest request that no other process works on, and removes it; null if there is none. */
  async take(tx: Transaction): Promise<{ readonly login: string; readonly isLate: boolean } | null> {
    const [row] = await tx.query<{ login: string; isLate: boolean }>(
      `with oldest as (
         select id from reset_requests order by id limit 1 for update skip locked
       ),
       taken as (
         delete from reset_requests r using oldest where r.id = oldest.id returning r.login, r.created_at
       )
       select login, created_at < now() - interval '1 hour' as "isLate" from taken`,
    );
    return row ?? null;
  }
}
