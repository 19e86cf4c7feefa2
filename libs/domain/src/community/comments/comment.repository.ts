import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { isSuspended } from '../../base/queries/restriction-sql';
import { changeScores, type ScoreChange } from '../../base/queries/score-sql';
import { TOMBSTONE, type ThreadLink } from './comment.rules';
import type { Comment, NewComment } from './comment.types';

/** The columns of a `Comment` whose row is `c`. */
export const COMMENT = `
  c.id, c.post_id as "postId", c.user_id as "userId", c.parent_id as "parentId", c.content, c.score,
  c.replies_count as "repliesCount", c.created_at as "createdAt", c.edited_at as "editedAt",
  ${isSuspended('c.user_id')} as "isHidden"`;

/**
 * Every write of the table `comments`. Adding and removing comments requires the lock of the post's row; changing
 * scores requires the locks of the comments.
 */
@Injectable()
export class CommentRepository {
  async insert(tx: Transaction, { postId, userId, parentId, content }: NewComment): Promise<Comment> {
    const [row] = await tx.query<Comment>(
      `insert into comments as c (post_id, user_id, parent_id, content) values ($1, $2, $3, $4)
       returning ${COMMENT}`,
      [postId, userId, parentId, content],
    );
    if (!row) throw new Error('An insert has no row');
    return row;
  }

  /** A comment; null if it doesn't exist or is a tombstone. It isn't locked. */
  async find(tx: Transaction, id: number): Promise<Comment | null> {
    const [row] = await tx.query<Comment>(
      `select ${COMMENT} from comments c where id = $1 and deleted_at is null`,
      [id],
    );
    return row ?? null;
  }

  /** As `find`, and locks it. */
  async lock(tx: Transaction, id: number): Promise<Comment | null> {
    const [row] = await tx.query<Comment>(
      `select ${COMMENT} from comments c where id = $1 and deleted_at is null for no key update`,
      [id],
    );
    return row ?? null;
  }

  /** Changes the content of a comment, which must be locked, and marks it as edited. */
  async changeContent(tx: Transaction, id: number, content: string): Promise<Comment> {
    const rows: readonly Comment[] = await tx.query<Comment>(
      `with changed as (update comments set content = $2, edited_at = now() where id = $1 returning *)
       select ${COMMENT} from changed c`,
      [id, content],
    );
    if (!rows[0]) throw new Error('An update has no row');
    return rows[0];
  }

  /** Locks comments, tombstones too, in the order of their ids. */
  async lockAll(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx.query('select from comments where id = any($1) order by id for no key update', [ids]);
  }

  /**
   * Locks a comment, the comments above it that its deletion may remove, and the next one above those; the nearest
   * first. Returns an empty list if the comment doesn't exist or is a tombstone.
   */
  async lockChain(tx: Transaction, id: number): Promise<ThreadLink[]> {
    const links = await tx.query<ThreadLink & { readonly depth: number }>(
      `with recursive chain as (
         select id, parent_id, 0 as depth, replies_count = 0 as goes
         from comments where id = $1 and deleted_at is null
         union all
         select above.id, above.parent_id, chain.depth + 1, above.deleted_at is not null and above.replies_count = 1
         from chain join comments above on above.id = chain.parent_id where chain.goes
       )
       select c.id, c.parent_id as "parentId", c.replies_count as "repliesCount",
              c.deleted_at is not null as "isTombstone", chain.depth
       from chain join comments c on c.id = chain.id order by c.id for no key update of c`,
      [id],
    );
    return links.sort((one, other) => one.depth - other.depth);
  }

  async makeTombstone(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      'update comments set content = $2, user_id = null, edited_at = null, deleted_at = now() where id = $1',
      [id, TOMBSTONE],
    );
  }

  async remove(tx: Transaction, ids: readonly number[]): Promise<void> {
    await tx.query('delete from comments where id = any($1)', [ids]);
  }

  async changeRepliesCount(tx: Transaction, id: number, by: 1 | -1): Promise<void> {
    await tx.query('update comments set replies_count = replies_count + $2 where id = $1', [id, by]);
  }

  /** Adds `by` to the score of each comment and returns the new scores by id. */
  changeScores(tx: Transaction, changes: readonly ScoreChange[]): Promise<ReadonlyMap<number, number>> {
    return changeScores(tx, 'comments', changes);
  }

  /** The ids of up to `limit` comments of a user. */
  async findIdsOf(tx: Transaction, userId: number, limit: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      'select id from comments where user_id = $1 order by id limit $2',
      [userId, limit],
    );
    return rows.map((row) => row.id);
  }
}
