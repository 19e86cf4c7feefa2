import { Injectable } from '@nestjs/common';
import type { Ruling } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { PostMediaService } from '../rows/post-media.service';
import type { PostEntity, PostStatusChange } from '../rows/post.entity';
import type { PostReference } from '../rows/post-reference';
import { PostRepository } from '../rows/post.repository';

/** Changes a post by a moderator's ruling. Every method takes part in its caller's transaction. */
@Injectable()
export class PostRulings {
  constructor(
    private readonly repository: PostRepository,
    private readonly postMedia: PostMediaService,
  ) {}

  /** Locks a post for a ruling; null if there is no such post. */
  lock(tx: Transaction, post: PostReference): Promise<PostEntity | null> {
    return this.repository.lock(tx, post);
  }

  /**
   * Records a ruling on a locked post (`pending` removes all rulings), derives the status and publishes its change.
   * Returns the status before and after.
   */
  async record(tx: Transaction, postId: number, status: Ruling): Promise<PostStatusChange> {
    if (status === 'pending') await this.repository.removeRulings(tx, postId);
    else await this.repository.recordRuling(tx, postId, status);
    return this.postMedia.deriveAndPublish(tx, postId, []);
  }
}
