import { Injectable } from '@nestjs/common';
import { MAX_POST_MEDIA, MAX_POSTS_OF_MEDIA, postUpdated } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import type { PostStatusChange } from './post.entity';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { RanksService } from '../feeds/ranks.service';
import { type PlacedMedia, PostMediaRepository, type PostStanding } from './post-media.repository';
import { readPostReference } from './post-reference';
import { derivePostListing, derivePostStatus, isContentChange, isEmptyPost } from './post.rules';
import { PostRepository } from './post.repository';

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
    private readonly ranks: RanksService,
  ) {}

  /**
   * Adds media at the end of their uploader's post, given by slug or numeric id. Throws `InvalidFieldsError` on `post_id`
   * if the post is unknown or of another user, or has no room for all of them.
   */
  async attach(
    tx: Transaction,
    postReference: string,
    mediaIds: readonly number[],
    userId: number | null,
  ): Promise<void> {
    const reference = readPostReference(postReference);
    const post = reference && (await this.posts.lock(tx, reference));
    if (!post || userId === null || post.userId !== userId) {
      throw new InvalidFieldsError({ post_id: ['The selected post_id is invalid.'] });
    }
    if (post.mediaCount + mediaIds.length > MAX_POST_MEDIA) {
      throw new InvalidFieldsError({ post_id: [`The post may not have more than ${MAX_POST_MEDIA} media.`] });
    }
    await this.repository.append(tx, post.id, mediaIds);
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

  /**
   * Adds locked media that aren't in a locked post at its end, in the given order. Throws `InvalidFieldsError` for each
   * media item that is already in `MAX_POSTS_OF_MEDIA` posts: a change of its status changes each of them.
   */
  async append(tx: Transaction, postId: number, mediaIds: readonly number[]): Promise<void> {
    const counts = await this.repository.countPosts(tx, mediaIds);
    assertNoItem(
      mediaIds,
      (id) => (counts.get(id) ?? 0) >= MAX_POSTS_OF_MEDIA,
      (item) => `The selected ${item} is already in ${MAX_POSTS_OF_MEDIA} posts.`,
    );
    await this.repository.append(tx, postId, mediaIds);
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
    await this.deriveAndPublishAll(tx, postIds, ['media']);
  }

  /**
   * Derives the status of every post that contains a media item; to be called after the media item's status has
   * changed.
   */
  async deriveStatusesOfMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.posts.lockPostsOfMedia(tx, [mediaId]);
    await this.deriveAndPublishAll(tx, postIds, []);
  }

  /**
   * Starts a new revision of every post that contains a media item. To be called under the lock of the media item
   * when its texts or tags have changed, which are content of these posts.
   */
  async reviseForMedia(tx: Transaction, mediaId: number): Promise<void> {
    const postIds = await this.posts.lockPostsOfMedia(tx, [mediaId]);
    const lapsed = await this.posts.revise(tx, postIds);
    for (const post of await this.deriveAndPublishAll(tx, lapsed, [])) await this.logLapse(tx, post);
  }

  /**
   * Derives the columns of the next `batch` posts of a user, after the one with the id `after`. Returns the id of the
   * last one; null if there are none.
   */
  async relist(tx: Transaction, userId: number, after: number, batch: number): Promise<number | null> {
    const ids = await this.posts.lockNextOf(tx, userId, after, batch);
    await this.deriveAll(tx, ids, false);
    return ids.at(-1) ?? null;
  }

  /** Locks up to `limit` posts of a user; returns how many. */
  async lockOf(tx: Transaction, userId: number, limit: number): Promise<number> {
    return (await this.posts.lockNextOf(tx, userId, 0, limit)).length;
  }

  /** As `MediaListings.give`, for posts. */
  async give(tx: Transaction, fromId: number, toId: number): Promise<number> {
    const ids = await this.posts.give(tx, fromId, toId);
    await this.ranks.relist(tx, 'posts', ids);
    return ids.length;
  }

  /** Derives a post's columns. Its row must be locked, so that the later of two simultaneous changes sees both. */
  async derive(tx: Transaction, postId: number): Promise<DerivedPost> {
    return only(await this.deriveAll(tx, [postId], false));
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
    return only(await this.deriveAndPublishAll(tx, [postId], changed));
  }

  /** Like `deriveAndPublish`. Only ended rulings take one statement each; the others are as many for all posts as for one. */
  private async deriveAndPublishAll(
    tx: Transaction,
    postIds: readonly number[],
    changed: readonly string[],
  ): Promise<readonly DerivedPost[]> {
    if (postIds.length === 0) return [];
    const lapsed = isContentChange(changed) ? await this.posts.revise(tx, postIds) : [];
    const derived = await this.deriveAll(tx, postIds, changed.length > 0);
    const events = derived.flatMap(({ id, slug, visibility, from, to }) => {
      const all = from === to ? changed : [...changed, 'moderation_status'];
      return all.length > 0 ? [{ post_id: id, slug, changed: all, visibility, moderation_status: to }] : [];
    });
    await this.outbox.addAll(
      tx,
      events.map((event) => buildEnvelope(postUpdated, event)),
    );
    for (const post of derived.filter(({ id }) => lapsed.includes(id))) await this.logLapse(tx, post);
    return derived;
  }

  /** The log records why a post no longer has the status that a moderator gave it. */
  private async logLapse(tx: Transaction, { id, slug, revision, from, to }: DerivedPost): Promise<void> {
    await this.decisions.append(tx, {
      subject: 'post',
      subjectId: id,
      slug,
      decidedBy: 'system',
      decidedByUserId: null,
      from,
      to,
      reason: 'content_changed',
      revision,
    });
  }

  private async deriveAll(
    tx: Transaction,
    postIds: readonly number[],
    byOwner: boolean,
  ): Promise<readonly DerivedPost[]> {
    if (postIds.length === 0) return [];
    const standings = await this.repository.findStandings(tx, postIds);
    const derived = standings.map((standing) => ({
      ...standing,
      from: standing.moderationStatus,
      to: derivePostStatus(standing),
    }));
    const columns = derived.map((post) => ({
      id: post.id,
      status: post.to,
      listing: derivePostListing(post),
      empty: isEmptyPost(post),
    }));
    await this.posts.recordDerived(tx, columns, byOwner);
    const relisted = columns.filter(({ listing }, at) => listing !== standings[at]?.listing);
    await this.ranks.relist(
      tx,
      'posts',
      relisted.map(({ id }) => id),
    );
    return derived;
  }
}

/** A post whose columns were derived. */
export type DerivedPost = PostStanding & PostStatusChange;

function only([post]: readonly DerivedPost[]): DerivedPost {
  if (!post) throw new Error('A locked post does not exist');
  return post;
}

/** Throws `InvalidFieldsError` for each of `media_ids` for which `isBad` returns true. */
export function assertNoItem(
  mediaIds: readonly number[],
  isBad: (id: number, place: number) => boolean,
  sentence: (item: string) => string,
): void {
  const bad = mediaIds.flatMap((id, place) => (isBad(id, place) ? [`media_ids.${place}`] : []));
  if (bad.length === 0) return;
  throw new InvalidFieldsError(Object.fromEntries(bad.map((item) => [item, [sentence(item)]])));
}
