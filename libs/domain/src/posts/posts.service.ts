import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { ForbiddenError, NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import type { PostEntity } from './post.entity';
import { readPostReference } from './post-reference';
import { PostRepository } from './post.repository';
import { canSeePost, canTakePart } from './post.rules';
import type { VisiblePost } from './post.types';

/** Use cases of posts. A post is named by its slug or its numeric id wherever a `reference` is asked for. */
@Injectable()
export class PostsService {
  constructor(private readonly repository: PostRepository) {}

  /** A post that `viewer`, or whoever has its `key`, may see. Throws `NotFoundError` for any other. */
  async requireVisible(reference: string, viewer: Viewer, key: string | null): Promise<VisiblePost> {
    const named = readPostReference(reference);
    const post = named && (await this.repository.findAccess(named));
    if (!post || !canSeePost(post, viewer, key)) throw new NotFoundError();
    return toVisible(post);
  }

  /**
   * As `requireVisible`, and locks the post's row until the caller's transaction ends, so that it neither changes nor
   * goes. Media are locked before posts, comments after.
   */
  async lockVisible(
    tx: Transaction,
    reference: string,
    viewer: Viewer,
    key: string | null,
  ): Promise<VisiblePost> {
    return toVisible(await this.lock(tx, reference, viewer, key));
  }

  /**
   * As `lockVisible`, for commenting and voting. Throws `ForbiddenError` too, where a moderator who sees a private
   * post has no key to it.
   */
  async lockToTakePart(
    tx: Transaction,
    reference: string,
    viewer: Viewer,
    key: string | null,
  ): Promise<VisiblePost> {
    const post = await this.lock(tx, reference, viewer, key);
    if (!canTakePart(post, viewer, key)) throw new ForbiddenError();
    return toVisible(post);
  }

  /** Locks a post's row, whoever may see it. Returns whether it is still there. */
  async hold(tx: Transaction, postId: number): Promise<boolean> {
    return (await this.repository.lock(tx, { id: postId })) !== null;
  }

  /** Comments were added to a post, or taken from it where `by` is below 0. The post's row must be locked. */
  changeCommentCount(tx: Transaction, postId: number, by: number): Promise<void> {
    return this.repository.changeCommentCount(tx, postId, by);
  }

  private async lock(
    tx: Transaction,
    reference: string,
    viewer: Viewer,
    key: string | null,
  ): Promise<PostEntity> {
    const named = readPostReference(reference);
    const post = named && (await this.repository.lock(tx, named));
    if (!post || !canSeePost(post, viewer, key)) throw new NotFoundError();
    return post;
  }
}

/** The access key goes no further. */
const toVisible = ({ id, slug, userId, title, visibility, moderationStatus }: VisiblePost): VisiblePost => ({
  id,
  slug,
  userId,
  title,
  visibility,
  moderationStatus,
});
