import { Injectable } from '@nestjs/common';
import { PreparedReads, type Transaction } from '@vitrine/database';
import { PostEntity } from './post.entity';
import { type PostReference, referenceCondition } from './post-reference';
import type { PostAccess } from './post.rules';
import type { VisiblePost } from './post.types';

/** What says who may see a post, and what names it. */
export type PostAccessRow = VisiblePost & PostAccess;

/** Every query on the table `posts` but those of what derives from its media (`PostMediaRepository`). */
@Injectable()
export class PostRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** Who may see a post, without its media. */
  async findAccess(post: PostReference): Promise<PostAccessRow | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await this.reads.query<PostAccessRow>(
      `select id, slug, user_id as "userId", title, visibility, access_key as "accessKey",
              moderation_status as "moderationStatus"
       from posts where ${column} = $1`,
      [value],
    );
    return row ?? null;
  }

  /** Waits for whoever is changing the post; those who only refer to it go on. */
  lock(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    const [column, value] = referenceCondition(post);
    return tx
      .repository(PostEntity)
      .findOne({ where: { [column]: value }, lock: { mode: 'for_no_key_update' } });
  }

  async changeCommentCount(tx: Transaction, id: number, by: number): Promise<void> {
    await tx.query('update posts set comment_count = comment_count + $2 where id = $1', [id, by]);
  }
}
