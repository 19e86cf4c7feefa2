import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { InvalidFieldsError } from '../errors/domain-error';
import { PostMediaRepository } from './post-media.repository';
import { readPostReference } from './post-reference';
import { derivePostListing, derivePostStatus } from './post.rules';

/**
 * The media of posts, and what a post's row derives from them (`media_count`, `moderation_status`, `listing`). Every method
 * takes part in its caller's transaction. Locks are taken in one order everywhere: media, then posts by id.
 */
@Injectable()
export class PostMediaService {
  constructor(private readonly repository: PostMediaRepository) {}

  /**
   * Adds a media at the end of its uploader's post, given by slug or numeric id. Throws `InvalidFieldsError` on
   * `post_id` where the post is unknown, somebody else's or full.
   */
  async attach(
    tx: Transaction,
    postReference: string,
    mediaId: number,
    userId: number | null,
  ): Promise<void> {
    const reference = readPostReference(postReference);
    const post = reference && (await this.repository.lockPost(tx, reference));
    if (!post || userId === null || post.userId !== userId) {
      throw new InvalidFieldsError({ post_id: ['The selected post_id is invalid.'] });
    }
    if (post.mediaCount >= MAX_POST_MEDIA) {
      throw new InvalidFieldsError({ post_id: [`The post may not have more than ${MAX_POST_MEDIA} media.`] });
    }
    await this.repository.append(tx, post.id, mediaId);
    await this.derive(tx, post.id);
  }

  /** Takes a media out of every post; to be called before its row goes. */
  async detachEverywhere(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.repository.lockPostsOfMedia(tx, mediaId);
    await this.repository.removeMedia(tx, mediaId);
    for (const postId of postIds) await this.derive(tx, postId);
  }

  /** Derives the status of every post that a media is in; to be called after the media's own has changed. */
  async deriveStatusesOfMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.repository.lockPostsOfMedia(tx, mediaId);
    for (const postId of postIds) await this.derive(tx, postId);
  }

  /** Derives a post's columns anew; its row must be locked, so that of two changes at once the later sees both. */
  async derive(tx: Transaction, postId: number): Promise<void> {
    const facts = await this.repository.findStatusFacts(tx, postId);
    await this.repository.recordDerived(tx, postId, derivePostStatus(facts), derivePostListing(facts));
  }
}
