import { Injectable } from '@nestjs/common';
import type { Ruling } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { type PostReference, referenceCondition } from '../../posts/post-reference';

/** A post that is locked for a ruling. */
export interface RuledPost {
  readonly id: number;
  readonly slug: string;
  readonly revision: number;
}

/** What a ruling reads and changes of a post. */
@Injectable()
export class RuledPostRepository {
  async findId(tx: Transaction, post: PostReference): Promise<number | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await tx.query<{ id: number }>(`select id from posts where ${column} = $1`, [value]);
    return row?.id ?? null;
  }

  /** In the order of their ids, which is the order in which media are locked. */
  async findMediaIds(tx: Transaction, postId: number): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      'select media_id as id from post_media where post_id = $1 order by media_id',
      [postId],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a post together with every post that some media are in, in the order of their ids; null where it is gone. */
  async lock(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<RuledPost | null> {
    const rows = await tx.query<RuledPost>(
      `select id, slug, revision from posts where id = $1 or id in (select post_id from post_media where media_id = any($2))
       order by id for no key update`,
      [postId, mediaIds],
    );
    return rows.find(({ id }) => id === postId) ?? null;
  }

  /** A ruling outranks what the owner has said until then; who says it again raises the ruling. */
  async recordRuling(tx: Transaction, postId: number, status: Exclude<Ruling, 'pending'>): Promise<void> {
    await tx.query(
      `update posts set moderator_status = $2, ruling_lapsed_at = null, owner_nsfw = false,
         nsfw_before_ruling = nsfw_before_ruling or owner_nsfw
       where id = $1`,
      [postId, status],
    );
  }

  /** As if no moderator had ever ruled; what the owner had said holds again. */
  async forgetRulings(tx: Transaction, postId: number): Promise<void> {
    await tx.query(
      `update posts set moderator_status = null, ruling_lapsed_at = null, owner_nsfw = owner_nsfw or nsfw_before_ruling,
         nsfw_before_ruling = false
       where id = $1`,
      [postId],
    );
  }
}
