import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** A tag that an account follows. */
export interface TagFollow {
  readonly name: string;
  readonly followedAt: Date;
}

/** Every query on the table `tag_follows`. */
@Injectable()
export class TagFollowRepository {
  constructor(private readonly database: Database) {}

  /** Adds a follow, unless it exists. Returns the number of tags that the user follows then. */
  async insert(tx: Transaction, userId: number, tagId: number): Promise<number> {
    await tx.query('insert into tag_follows (user_id, tag_id) values ($1, $2) on conflict do nothing', [
      userId,
      tagId,
    ]);
    const [row] = await tx.query<{ total: number }>(
      'select count(*)::integer as total from tag_follows where user_id = $1',
      [userId],
    );
    return row?.total ?? 0;
  }

  async remove(tx: Transaction, userId: number, tagId: number): Promise<void> {
    await tx.query('delete from tag_follows where user_id = $1 and tag_id = $2', [userId, tagId]);
  }

  async exists(userId: number, tagId: number): Promise<boolean> {
    const rows = await this.database.read('select from tag_follows where user_id = $1 and tag_id = $2', [
      userId,
      tagId,
    ]);
    return rows.length > 0;
  }

  /** One page of the tags that a user follows, by name, and their number. */
  async findPage(
    userId: number,
    limit: number,
    offset: number,
  ): Promise<{ readonly items: readonly TagFollow[]; readonly total: number }> {
    const rows = await this.database.read<TagFollow>(
      `select name, created_at as "followedAt" from tag_follows join tags on tags.id = tag_id
       where user_id = $1 order by name limit $2 offset $3`,
      [userId, limit, offset],
    );
    const [counted] = await this.database.read<{ total: number }>(
      'select count(*)::integer as total from tag_follows where user_id = $1',
      [userId],
    );
    return { items: rows, total: counted?.total ?? 0 };
  }

  /** Removes up to `limit` follows of a user. Returns the number removed. */
  async removeOf(tx: Transaction, userId: number, limit: number): Promise<number> {
    const rows = await tx.query(
      `delete from tag_follows where user_id = $1
         and tag_id in (select tag_id from tag_follows where user_id = $1 limit $2) returning tag_id`,
      [userId, limit],
    );
    return rows.length;
  }
}
