import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA, type ModerationStatus, postUpdated } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { InvalidFieldsError } from '../errors/domain-error';
import { DecisionLog } from '../moderation/decision-log.service';
import { type PlacedMedia, PostMediaRepository, type PostStanding } from './post-media.repository';
import { readPostReference } from './post-reference';
import { changeContent, derivePostListing, derivePostStatus, isEmptyPost } from './post.rules';
import type { PostStatusChange } from './post.types';

/**
 * The media of posts, and what a post's row derives from them (`media_count`, `moderation_status`, `listing`). Every method
 * takes part in its caller's transaction. Locks are taken in one order everywhere: media, then posts by id.
 */
@Injectable()
export class PostMediaService {
  constructor(
    private readonly repository: PostMediaRepository,
    private readonly decisions: DecisionLog,
    private readonly outbox: Outbox,
  ) {}

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
    await this.repository.append(tx, post.id, [mediaId]);
    await this.deriveAndTell(tx, post.id, ['media']);
  }

  /** The media of a post, in order. */
  findMedia(tx: Transaction, postId: number): Promise<readonly PlacedMedia[]> {
    return this.repository.findMedia(tx, postId);
  }

  /** Puts media that aren't in it at the end of a locked post, in the order given. */
  append(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    return this.repository.append(tx, postId, mediaIds);
  }

  /** Takes a media out of a locked post. */
  detach(tx: Transaction, postId: number, mediaId: number): Promise<void> {
    return this.repository.removeOne(tx, postId, mediaId);
  }

  /** Gives the media of a locked post, all of them, the order of `mediaIds`. */
  reorder(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    return this.repository.reorder(tx, postId, mediaIds);
  }

  /** Takes media out of every post; to be called before their rows go. */
  async detachEverywhere(tx: Transaction, mediaIds: readonly number[]): Promise<void> {
    const postIds = await this.repository.lockPostsOfMedia(tx, mediaIds);
    await this.repository.removeMedia(tx, mediaIds);
    for (const postId of postIds) await this.deriveAndTell(tx, postId, ['media']);
  }

  /** Derives the status of every post that a media is in; to be called after the media's own has changed. */
  async deriveStatusesOfMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.repository.lockPostsOfMedia(tx, [mediaId]);
    for (const postId of postIds) await this.deriveAndTell(tx, postId, []);
  }

  /**
   * To be called under the lock of a media item when its texts or tags have changed: they are content of every post that
   * it is in.
   */
  async reviseForMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.repository.lockPostsOfMedia(tx, [mediaId]);
    const lapsed = await this.repository.revise(tx, postIds);
    for (const postId of lapsed) await this.logLapse(tx, postId, await this.deriveAndTell(tx, postId, []));
  }

  /** Derives a post's columns anew; its row must be locked, so that of two changes at once the later sees both. */
  async derive(tx: Transaction, postId: number): Promise<PostStatusChange> {
    const standing = await this.repository.findStanding(tx, postId);
    const to = await this.deriveFrom(tx, postId, standing, false);
    return { from: standing.moderationStatus, to };
  }

  /**
   * As `derive`, and tells the bus what has changed of the post: what the owner has, as `changed` names it, and the
   * status where it differs. A change of the content begins a new revision, which no earlier ruling of `approved` or
   * `nsfw` covers.
   */
  async deriveAndTell(
    tx: Transaction,
    postId: number,
    changed: readonly string[],
  ): Promise<PostStatusChange> {
    const lapsed = changeContent(changed) ? await this.repository.revise(tx, [postId]) : [];
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
      scores: null,
      note: null,
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
    await this.repository.recordDerived(tx, postId, derived, byOwner);
    return status;
  }
}
