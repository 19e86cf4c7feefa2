import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { LinkedMedia } from '../links/media-urls';

/** A media item as its direct links depend on it. */
export type LinkedRow = LinkedMedia & { readonly id: number };

const LINKED = 'select id, slug, kind, format, ext, frames, variants from media';

/** Reads what the names of files depend on. */
@Injectable()
export class LinkedMediaRepository {
  constructor(private readonly database: Database) {}

  async find(slug: string): Promise<LinkedRow | null> {
    const [row] = await this.database.read<LinkedRow>(`${LINKED} where slug = $1`, [slug]);
    return row ?? null;
  }

  findWithin(tx: Transaction, ids: readonly number[]): Promise<LinkedRow[]> {
    return tx.query<LinkedRow>(`${LINKED} where id = any($1::bigint[]) order by id`, [ids]);
  }

  /** Up to `limit` media of a user, oldest first, after the one with the id `after`. */
  findOf(userId: number, after: number, limit: number): Promise<LinkedRow[]> {
    return this.database.read<LinkedRow>(`${LINKED} where user_id = $1 and id > $2 order by id limit $3`, [
      userId,
      after,
      limit,
    ]);
  }
}
