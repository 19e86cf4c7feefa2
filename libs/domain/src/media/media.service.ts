import { Injectable } from '@nestjs/common';
import {
  type FeedQuery,
  mediaDeleted,
  mediaUploaded,
  type ModerationStatus,
  type UserListQuery,
} from '@vitrine/contracts';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { ForbiddenError, NotFoundError, TooManyRequestsError } from '../errors/domain-error';
import { FeedRequests, type RequestedPage } from '../feeds/feed-requests';
import { PostMediaService } from '../posts/post-media.service';
import { AuthorsService } from '../users/authors.service';
import { isSlug } from '../slugs/slug';
import { TagsService } from '../tags/tags.service';
import type { MediaEntity } from './media.entity';
import { uploadedEvent } from './media-events';
import type { MediaView } from './media.presenter';
import { MediaViewRepository } from './media-view.repository';
import { MediaRepository } from './media.repository';
import {
  canSeeMedia,
  changesContent,
  changesListing,
  ownsMedia,
  secondsToMidnightUtc,
  type Viewer,
} from './media.rules';
import type {
  LockedMedia,
  MediaChanges,
  MediaPage,
  MediaStatusChange,
  NewMedia,
  UploadQuota,
} from './media.types';
import { ProcessingTurns } from './processing-turns.service';
import { UploadCountRepository } from './upload-count.repository';

/** The slug is another media's: take a new one. */
export class SlugTakenError extends Error {
  override readonly name = 'SlugTakenError';
}

/**
 * Use cases of media: uploading, reading, changing, deciding, removing; `MediaProcessingService` has the technical ones.
 */
@Injectable()
export class MediaService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: MediaRepository,
    private readonly views: MediaViewRepository,
    private readonly uploadCounts: UploadCountRepository,
    private readonly postMedia: PostMediaService,
    private readonly authors: AuthorsService,
    private readonly tags: TagsService,
    private readonly feedRequests: FeedRequests,
    private readonly outbox: Outbox,
    private readonly turns: ProcessingTurns,
  ) {}

  /** Throws `TooManyRequestsError` where the day's files are used up; to be asked before a body is read. */
  async assertWithinQuota(quota: UploadQuota): Promise<void> {
    const files = await this.uploadCounts.findToday(quota.subject);
    if (files >= quota.filesPerDay) throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
  }

  /** Counts a refused file as `files` files of its uploader's day, because it cost as much as these. */
  async countRefused({ subject }: UploadQuota, files: number): Promise<void> {
    await this.uploadCounts.countMore(subject, files);
  }

  /**
   * Makes a media item of a file whose bytes are stored already: its row, its place in a post, the day's count,
   * `media.uploaded` and the request to process it (where it is its uploader's turn) commit together. Throws `SlugTakenError`, `TooManyRequestsError`, and `InvalidFieldsError`
   * on `post_id`, and `UnauthenticatedError` where the account has been deleted meanwhile.
   */
  async register(media: NewMedia, quota: UploadQuota, postReference: string | null): Promise<MediaView> {
    try {
      const registered = await this.transactions.run(async (tx) => {
        const row = await this.repository.insert(tx, media);
        if (postReference !== null) {
          await this.postMedia.attach(tx, postReference, row.id, media.userId);
          await this.repository.deriveListings(tx, [row.id]);
        }
        if (media.userId !== null) await this.authors.holdLiving(tx, media.userId);
        await this.outbox.add(tx, mediaUploaded, uploadedEvent(row));
        // Last, so that the locks on which one account's uploads wait for each other are held as briefly as possible.
        if (!(await this.uploadCounts.countOne(tx, quota.subject, quota.filesPerDay))) {
          throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
        }
        await this.turns.enqueue(tx, row, quota.subject);
        return row;
      });
      return await this.view(registered);
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'media_slug_key') throw new SlugTakenError();
      throw error;
    }
  }

  /** Throws `NotFoundError` where there is no such media, or `viewer` may not know of it. */
  async findForViewer(slug: string, viewer: Viewer): Promise<MediaView> {
    const view = isSlug(slug) ? await this.views.findBySlug(slug) : null;
    if (!view || !canSeeMedia(view.media, viewer)) throw new NotFoundError();
    return view;
  }

  /** The media with these slugs, in their order; those that are unknown, or not for `viewer`, are left out. */
  async findForViewerBySlugs(slugs: readonly string[], viewer: Viewer): Promise<readonly MediaView[]> {
    const views = await Promise.all(slugs.filter(isSlug).map((slug) => this.views.findBySlug(slug)));
    return views.filter((view) => view !== null).filter(({ media }) => canSeeMedia(media, viewer));
  }

  /** The media with these ids, in their order; those that are gone are left out. */
  async findViews(ids: readonly number[], mayLag = false): Promise<readonly MediaView[]> {
    const views = await this.views.findByIds(ids, mayLag);
    return ids.flatMap((id) => views.get(id) ?? []);
  }

  /** A page of the feed of media, of what everybody can find. For `mayLag` see `Feed`. */
  async findFeedPage(query: FeedQuery, mayLag = false): Promise<MediaPage> {
    return this.showPage(await this.feedRequests.findPage('media', query, mayLag), null, mayLag);
  }

  /**
   * A page of an account's media, as its profile shows them. For `mayLag` see `Feed`. Throws `NotFoundError` where
   * there is no such account.
   */
  async findProfilePage(
    username: string,
    viewer: Viewer,
    query: UserListQuery,
    mayLag = false,
  ): Promise<MediaPage> {
    const page = await this.feedRequests.findProfilePage('media', username, viewer, query, mayLag);
    return this.showPage(page, viewer, mayLag);
  }

  /** A page of all media of the caller's own. */
  async findOwnPage(caller: NonNullable<Viewer>, query: UserListQuery): Promise<MediaPage> {
    return this.showPage(await this.feedRequests.findOwnPage('media', caller.userId, query), caller, false);
  }

  /** The media that the file host serves under this slug; null where there is none to serve. */
  async findServed(slug: string): Promise<MediaEntity | null> {
    const media = isSlug(slug) ? await this.repository.findBySlug(slug) : null;
    return media && media.moderationStatus !== 'rejected' && media.processingError === null ? media : null;
  }

  /**
   * Changes texts, tags and listing of the caller's own media item. Changed texts or tags are a new revision of every
   * post that it is in. Throws `NotFoundError`, `ForbiddenError`.
   */
  async update(slug: string, caller: NonNullable<Viewer>, changes: MediaChanges): Promise<void> {
    const { tags, ...fields } = changes;
    await this.transactions.run(async (tx) => {
      const media = await this.lockOwn(tx, slug, caller);
      await this.repository.change(tx, media.id, fields);
      if (changesListing(media, changes)) await this.repository.deriveListings(tx, [media.id]);
      if (changesContent(media, changes)) await this.postMedia.reviseForMedia(tx, media.id);
      if (tags !== undefined) await this.tags.setMediaTags(tx, media.id, tags ?? []);
    });
  }

  /** Deletes one's own media; its files follow with `media.deleted`. Throws `NotFoundError`, `ForbiddenError`. */
  async remove(slug: string, caller: NonNullable<Viewer>): Promise<void> {
    await this.transactions.run(async (tx) => {
      const media = await this.lockOwn(tx, slug, caller);
      await this.removeLocked(tx, [media]);
    });
  }

  /**
   * Deletes one batch of the media of a deleted account; their files follow. Returns how many were found: 0 once
   * there are none.
   */
  eraseMediaOf(userId: number, batch: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const found = await this.repository.findIdsOf(tx, userId, batch);
      await this.removeLocked(tx, await this.repository.lockAll(tx, found));
      return found.length;
    });
  }

  /**
   * Records that a decision fell on a media: its status (the same one too, where it stays as it is and waits for a
   * moderator) and that of every post it is in, within the caller's transaction. Null where the media is gone.
   */
  async changeModerationStatus(
    tx: Transaction,
    mediaId: number,
    status: ModerationStatus,
  ): Promise<MediaStatusChange | null> {
    const media = await this.repository.lockById(tx, mediaId);
    if (!media) return null;
    const { slug, moderationStatus: from } = media;
    await this.repository.recordDecision(tx, mediaId, status);
    if (from !== status) {
      await this.repository.deriveListings(tx, [mediaId]);
      await this.postMedia.deriveStatusesOfMedia(tx, mediaId);
    }
    return { mediaId, slug, from, to: status };
  }

  /** Locks a media within the caller's transaction, for a decision on it; null where it is gone. */
  lock(tx: Transaction, mediaId: number): Promise<MediaEntity | null> {
    return this.repository.lockById(tx, mediaId);
  }

  /** Locks several media for a change of the posts they are in; those that are gone are left out. */
  lockAll(tx: Transaction, ids: readonly number[]): Promise<readonly LockedMedia[]> {
    return this.repository.lockAll(tx, ids);
  }

  /**
   * Derives anew which feeds show some media, after the posts they are in, or those posts' visibility, have changed.
   * The media must be locked.
   */
  deriveListings(tx: Transaction, ids: readonly number[]): Promise<void> {
    return this.repository.deriveListings(tx, ids);
  }

  /** As `lock`, by slug. */
  lockBySlug(tx: Transaction, slug: string): Promise<MediaEntity | null> {
    return this.repository.lockBySlug(tx, slug);
  }

  /**
   * Makes a media pending and its automated decision due once more, and derives its posts anew, within the caller's
   * transaction. Null where the media is gone.
   */
  async awaitDecision(tx: Transaction, mediaId: number): Promise<MediaStatusChange | null> {
    const change = await this.changeModerationStatus(tx, mediaId, 'pending');
    await this.repository.resetDecision(tx, mediaId);
    return change;
  }

  /** Forgets the counts of uploads of days that lie more than `days` back; returns how many. */
  forgetUploadCounts(days: number): Promise<number> {
    return this.transactions.run((tx) => this.uploadCounts.removeBefore(tx, days));
  }

  /** Which of these slugs are in use. */
  findExistingSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findExistingSlugs(slugs);
  }

  private async removeLocked(
    tx: Transaction,
    media: readonly Pick<LockedMedia, 'id' | 'slug'>[],
  ): Promise<void> {
    const ids = media.map(({ id }) => id);
    await this.postMedia.detachEverywhere(tx, ids);
    // After the posts, as uploads take their turns last.
    await this.turns.removing(tx, ids, () => this.repository.removeAll(tx, ids));
    for (const { id, slug } of media) await this.outbox.add(tx, mediaDeleted, { media_id: id, slug });
  }

  private async showPage(
    { ids, total, seed }: RequestedPage,
    viewer: Viewer,
    mayLag: boolean,
  ): Promise<MediaPage> {
    const views = await this.findViews(ids, mayLag);
    // One may have been rejected since the feed was read.
    return { items: views.filter(({ media }) => canSeeMedia(media, viewer)), total, seed };
  }

  private async view(media: MediaEntity): Promise<MediaView> {
    if (media.userId === null) return { media, owner: null };
    const authors = await this.authors.findAuthors([media.userId]);
    return { media, owner: authors.get(media.userId) ?? null };
  }

  private async lockOwn(tx: Transaction, slug: string, caller: NonNullable<Viewer>): Promise<MediaEntity> {
    const media = isSlug(slug) ? await this.repository.lockBySlug(tx, slug) : null;
    if (!media || !canSeeMedia(media, caller)) throw new NotFoundError();
    if (!ownsMedia(media, caller)) throw new ForbiddenError();
    return media;
  }
}
