import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA, type ModerationStatus, postUpdated } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import type { PostStatusChange } from '../post-rows/post-row.types';
import { InvalidFieldsError } from '../errors/domain-error';
import { DecisionLog } from '../decisions/decision-log.service';
import { type PlacedMedia, PostMediaRepository, type PostStanding } from './post-media.repository';
import { readPostReference } from '../post-rows/post-reference';
import { derivePostListing, derivePostStatus, isContentChange, isEmptyPost } from '../post-rows/post.rules';
import { PostRepository } from '../post-rows/post.repository';

/**
 * The media of posts, and the columns of posts that are derived from them (`media_count`, `moderation_status`,
 * `listing`). Every method takes part in its caller's transaction. Locks are taken in one order everywhere: media,
 * then posts by id.
 */
@Injectable()
export class PostMediaService {
  constructor(
    private readonly repository: PostMediaRepository,
    private readonly posts: PostRepository,
    private readonly decisions: DecisionLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Adds a media item at the end of its uploader's post, given by slug or numeric id. Throws `InvalidFieldsError` on
   * `post_id` if the post is unknown, full or of another user.
   */
  async attach(
    tx: Transaction,
    postReference: string,
    mediaId: number,
    userId: number | null,
  ): Promise<void> {
    const reference = readPostReference(postReference);
    const post = reference && (await this.posts.lock(tx, reference));
    if (!post || userId === null || post.userId !== userId) {
      throw new InvalidFieldsError({ post_id: ['The selected post_id is invalid.'] });
    }
    if (post.mediaCount >= MAX_POST_MEDIA) {
      throw new InvalidFieldsError({ post_id: [`The post may not have more than ${MAX_POST_MEDIA} media.`] });
    }
    await this.repository.append(tx, post.id, [mediaId]);
    await this.deriveAndPublish(tx, post.id, ['media']);
  }

  /** The media of a post, in order. */
  findMedia(tx: Transaction, postId: number): Promise<readonly PlacedMedia[]> {
    return this.repository.findMedia(tx, postId);
  }

  /** Those of some media that are in a post. */
  findPlaced(tx: Transaction, mediaIds: readonly number[]): Promise<ReadonlySet<number>> {
    return this.repository.findPlaced(tx, mediaIds);
  }

  /** Adds media that aren't in a locked post at its end, in the given order. */
  append(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    return this.repository.append(tx, postId, mediaIds);
  }

  /** Removes a media item from a locked post. */
  detach(tx: Transaction, postId: number, mediaId: number): Promise<void> {
    return this.repository.removeOne(tx, postId, mediaId);
  }

  /** Puts all media of a locked post into the order of `mediaIds`. */
  reorder(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    return this.repository.reorder(tx, postId, mediaIds);
  }

  /**
   * Locks a post together with every post that contains some media, in the order of their ids; the media must be
   * locked.
   */
  async lockPosts(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    await this.posts.lockPostsOfMedia(tx, mediaIds, postId);
  }

  /** Removes media from every post; to be called before their rows are deleted. */
  async detachEverywhere(tx: Transaction, mediaIds: readonly number[]): Promise<void> {
    const postIds = await this.posts.lockPostsOfMedia(tx, mediaIds);
    await this.repository.removeMedia(tx, mediaIds);
    for (const postId of postIds) await this.deriveAndPublish(tx, postId, ['media']);
  }

  /**
   * Derives the status of every post that contains a media item; to be called after the media item's status has
   * changed.
   */
  async deriveStatusesOfMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.posts.lockPostsOfMedia(tx, [mediaId]);
    for (const postId of postIds) await this.deriveAndPublish(tx, postId, []);
  }

  /**
   * Starts a new revision of every post that contains a media item. To be called under the lock of the media item
   * when its texts or tags have changed, which are content of these posts.
   */
  async reviseForMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.posts.lockPostsOfMedia(tx, [mediaId]);
    const lapsed = await this.posts.revise(tx, postIds);
    for (const postId of lapsed) await this.logLapse(tx, postId, await this.deriveAndPublish(tx, postId, []));
  }

  /**
   * Derives the columns of the next `batch` posts of a user, after the one with the id `after`. Returns the id of the
   * last one; null if there are none.
   */
  async relist(tx: Transaction, userId: number, after: number, batch: number): Promise<number | null> {
    const ids = await this.posts.lockNextOf(tx, userId, after, batch);
    for (const id of ids) await this.derive(tx, id);
    return ids.at(-1) ?? null;
  }

  /** Derives a post's columns. Its row must be locked, so that the later of two simultaneous changes sees both. */
  async derive(tx: Transaction, postId: number): Promise<PostStatusChange> {
    const standing = await this.repository.findStanding(tx, postId);
    const to = await this.deriveFrom(tx, postId, standing, false);
    return { from: standing.moderationStatus, to };
  }

  /**
   * As `derive`, and publishes what has changed: the owner's changes, as `changed` names them, and the status if it
   * differs. A change of the content starts a new revision, which no earlier ruling of `approved` or `nsfw` covers.
   */
  async deriveAndPublish(
    tx: Transaction,
    postId: number,
    changed: readonly string[],
  ): Promise<PostStatusChange> {
    const lapsed = isContentChange(changed) ? await this.posts.revise(tx, [postId]) : [];
    const standing = await this.repository.findStanding(tx, postId);
    const { slug, visibility, moderationStatus: from } = standing;
    const to = await this.deriveFrom(tx, postId, standing, changed.length > 0);
    const all = from === to ? changed : [...changed, 'moderation_status'];
    if (all.length > 0) {
      const event = { post_id: postId, slug, changed: all, visibility, moderation_status: to };
      await this.outbox.add(tx, postUpdated, event);
    }
    if (lapsed.length > 0) await this.logLapse(tx, postId, { from, to });
    return { from, to };
  }

  /** The log records why a post no longer has the status that a moderator gave it. */
  private async logLapse(tx: Transaction, postId: number, { from, to }: PostStatusChange): Promise<void> {
    const { slug, revision } = await this.repository.findStanding(tx, postId);
    await this.decisions.append(tx, {
      subject: 'post',
      subjectId: postId,
      slug,
      decidedBy: 'system',
      decidedByUserId: null,
      from,
      to,
      reason: 'content_changed',
      revision,
    });
  }

  private async deriveFrom(
    tx: Transaction,
    postId: number,
    standing: PostStanding,
    byOwner: boolean,
  ): Promise<ModerationStatus> {
    const status = derivePostStatus(standing);
    const derived = { status, listing: derivePostListing(standing), empty: isEmptyPost(standing) };
    await this.posts.recordDerived(tx, postId, derived, byOwner);
    return status;
  }
}
