import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';

/** The queries on `users` for guests. */
@Injectable()
export class GuestRepository {
  /** Adds a guest and returns its id. Throws PostgreSQL's unique_violation if the name is in use. */
  async insert(tx: Transaction, username: string): Promise<number> {
    const [row] = await tx.query<{ id: number }>(
      `insert into users (kind, username, review_after) values ('guest', $1, now() + interval '1 day')
       returning id`,
      [username],
    );
    if (!row) throw new Error('A new row has no id');
    return row.id;
  }

  /**
   * Locks a living guest; waits for transactions that prevent its deletion (`AuthorsService.holdLiving`). Returns
   * false if there is none, or it is a member.
   */
  lockForDeletion(tx: Transaction, id: number): Promise<boolean> {
    return tx.affects(
      `select from users where id = $1 and kind = 'guest' and deleted_at is null for update`,
      [id],
    );
  }

  /**
   * Locks up to `limit` guests whose review is due, the longest due first. Guests that are locked already are left
   * out.
   */
  async lockDue(tx: Transaction, limit: number): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `select id from users where kind = 'guest' and review_after <= now()
       order by review_after limit $1 for update skip locked`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes those of these guests that are erased. They ended long ago, so no request of theirs is in progress. */
  async removeErased(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx.query('delete from users where id = any($1) and erased_at is not null', [ids]);
  }

  /**
   * Deletes those of these guests who own nothing and have no valid ticket; returns how many. They must be locked by
   * an earlier statement, so that this one sees what was committed before the lock.
   */
  async endEmpty(tx: Transaction, ids: readonly number[]): Promise<number> {
    const rows = await tx.query(
      `update users u set deleted_at = now(), erased_at = now(), review_after = now() + interval '1 day'
       where u.id = any($1) and u.deleted_at is null
         and not exists (select from media where user_id = u.id)
         and not exists (select from posts where user_id = u.id)
         and not exists (select from tokens where user_id = u.id and kind = 'ticket' and expires_at > now())
       returning 1`,
      [ids],
    );
    return rows.length;
  }

  /** Postpones the review of the other guests by a week. */
  async postpone(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx.query(
      `update users set review_after = now() + interval '7 days' where id = any($1) and review_after <= now()`,
      [ids],
    );
  }
}
