import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** How far the relisting of an account has come. */
export interface RelistingProgress {
  /** The media up to this id are done. */
  readonly afterMediaId: number;
  /** The posts up to this id are done. */
  readonly afterPostId: number;
}

/**
 * Every query on the table `relistings`: accounts whose restriction has changed, so that the listings of their media
 * and posts have to be derived again.
 */
@Injectable()
export class RelistingRepository {
  constructor(private readonly database: Database) {}

  /** Makes the relisting of an account due, from its first item on. Waits for a batch in progress. */
  async begin(tx: Transaction, userId: number): Promise<void> {
    await tx.query(
      `insert into relistings (user_id) values ($1)
       on conflict (user_id) do update set after_media_id = 0, after_post_id = 0, created_at = now()`,
      [userId],
    );
  }

  /** Locks the relisting of an account; null if none is due, or another process works on it. */
  async lock(tx: Transaction, userId: number): Promise<RelistingProgress | null> {
    const [row] = await tx.query<RelistingProgress>(
      `select after_media_id as "afterMediaId", after_post_id as "afterPostId"
       from relistings where user_id = $1 for update skip locked`,
      [userId],
    );
    return row ?? null;
  }

  async record(tx: Transaction, userId: number, progress: RelistingProgress): Promise<void> {
    await tx.query('update relistings set after_media_id = $2, after_post_id = $3 where user_id = $1', [
      userId,
      progress.afterMediaId,
      progress.afterPostId,
    ]);
  }

  async remove(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from relistings where user_id = $1', [userId]);
  }

  /** Up to `limit` accounts whose relisting is due, the longest due first. */
  async findDue(limit: number): Promise<readonly number[]> {
    const rows = await this.database.read<{ userId: number }>(
      'select user_id as "userId" from relistings order by created_at limit $1',
      [limit],
    );
    return rows.map(({ userId }) => userId);
  }
}
