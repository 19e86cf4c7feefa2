import { Injectable } from '@nestjs/common';
import {
  type EventDefinition,
  type FeedQuery,
  mediaDeleted,
  mediaFailed,
  type MediaFailed,
  mediaProcessed,
  type MediaProcessed,
  mediaUploaded,
  type MediaUploaded,
  type ModerationStatus,
  objectKeys,
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
import type { MediaView } from './media.presenter';
import { MediaViewRepository } from './media-view.repository';
import { MediaRepository } from './media.repository';
import { canSeeMedia, ownsMedia, secondsToMidnightUtc, type Viewer } from './media.rules';
import type {
  AnnouncementsDue,
  LockedMedia,
  MediaBacklog,
  MediaChanges,
  MediaPage,
  MediaStatusChange,
  NewMedia,
  Recorded,
  UploadQuota,
} from './media.types';
import { UploadCountRepository } from './upload-count.repository';

/** Media that one transaction of a sweep takes on. */
const SWEEP_BATCH = 100;
const MOST_COUNTED = 100_000;

/** The slug is another media's: take a new one. */
export class SlugTakenError extends Error {
  override readonly name = 'SlugTakenError';
}

/** Use cases of media: taken in, read, changed, processed, decided, removed. */
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
  ) {}

  /** Throws `TooManyRequestsError` where the day's files are used up; to be asked before a body is read. */
  async assertWithinQuota(quota: UploadQuota): Promise<void> {
    const files = await this.uploadCounts.findToday(quota.subject);
    if (files >= quota.filesPerDay) throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
  }

  /**
   * Makes a media of a file whose bytes are stored already: its row, its place in a post, the day's count and
   * `media.uploaded` commit together. Throws `SlugTakenError`, `TooManyRequestsError`, and `InvalidFieldsError`
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
        // Last, so that the row on which one account's uploads wait for each other is held the shortest.
        if (!(await this.uploadCounts.countOne(tx, quota.subject, quota.filesPerDay))) {
          throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
        }
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

  /** Changes texts and tags of one's own media. Throws `NotFoundError`, `ForbiddenError`. */
  async update(slug: string, caller: NonNullable<Viewer>, { tags, ...texts }: MediaChanges): Promise<void> {
    await this.transactions.run(async (tx) => {
      const media = await this.lockOwn(tx, slug, caller);
      await this.repository.changeTexts(tx, media.id, texts);
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

  /** Takes over what the media-processor made. A media that has failed for good stays failed. */
  async recordProcessed(event: MediaProcessed): Promise<Recorded> {
    return this.transactions.run(async (tx) => {
      const media = await this.repository.lockById(tx, event.media_id);
      if (!media) return 'unknown';
      if (media.processingError !== null) return 'ignored';
      await this.repository.recordProcessed(tx, event);
      return 'recorded';
    });
  }

  /** Records that a media can't be processed. One that is processed already stays so. */
  async recordFailed(event: MediaFailed): Promise<Recorded> {
    return this.transactions.run(async (tx) => {
      const media = await this.repository.lockById(tx, event.media_id);
      if (!media) return 'unknown';
      if (media.processed || media.processingError !== null) return 'ignored';
      await this.repository.recordFailed(tx, media.id, event.reason);
      return 'recorded';
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

  /**
   * Sends a locked media through processing once more within the caller's transaction, even one that has failed for
   * good; what was decided on it stays.
   */
  async processAgain(tx: Transaction, media: MediaEntity): Promise<void> {
    await this.repository.resetProcessing(tx, media.id);
    await this.outbox.add(tx, mediaUploaded, uploadedEvent(media));
  }

  /**
   * Announces again, through the outbox, one batch of media that have waited too long for their variants; returns
   * how many. However often that was, they aren't given up here: whether a file is at fault or the processor is
   * away, only the processor can tell. Safe in many processes at once, as are the two below.
   */
  announceUnprocessed(due: AnnouncementsDue): Promise<number> {
    return this.transactions.run(async (tx) => {
      const waiting = await this.repository.lockUnprocessed(tx, due, SWEEP_BATCH);
      return this.announce(tx, waiting, mediaUploaded, uploadedEvent);
    });
  }

  /** What waits for its variants; counted up to 100,000, which is a matter of milliseconds. */
  findBacklog(): Promise<MediaBacklog> {
    return this.repository.findBacklog(MOST_COUNTED);
  }

  /** Announces again one batch of processed media that have waited too long for a decision; returns how many. */
  announceUndecided(due: AnnouncementsDue): Promise<number> {
    return this.transactions.run(async (tx) => {
      const waiting = await this.repository.lockUndecided(tx, due, SWEEP_BATCH);
      return this.announce(tx, waiting, mediaProcessed, processedEvent);
    });
  }

  /** Announces again one batch of failed media that have waited too long for their rejection; returns how many. */
  announceFailed(due: AnnouncementsDue): Promise<number> {
    return this.transactions.run(async (tx) => {
      const waiting = await this.repository.lockFailedUndecided(tx, due, SWEEP_BATCH);
      return this.announce(tx, waiting, mediaFailed, failedEvent);
    });
  }

  /** Forgets the counts of uploads of days that lie more than `days` back; returns how many. */
  forgetUploadCounts(days: number): Promise<number> {
    return this.transactions.run((tx) => this.uploadCounts.removeBefore(tx, days));
  }

  /** Which of these slugs are in use. */
  findExistingSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findExistingSlugs(slugs);
  }

  private async announce<Data>(
    tx: Transaction,
    waiting: readonly MediaEntity[],
    event: EventDefinition<string, Data>,
    dataOf: (media: MediaEntity) => Data,
  ): Promise<number> {
    for (const media of waiting) {
      await this.repository.recordAnnouncement(tx, media.id, media.announcements + 1);
      await this.outbox.add(tx, event, dataOf(media));
    }
    return waiting.length;
  }

  private async removeLocked(
    tx: Transaction,
    media: readonly Pick<LockedMedia, 'id' | 'slug'>[],
  ): Promise<void> {
    const ids = media.map(({ id }) => id);
    await this.postMedia.detachEverywhere(tx, ids);
    await this.repository.removeAll(tx, ids);
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

const uploadedEvent = (media: MediaEntity): MediaUploaded => ({
  media_id: media.id,
  slug: media.slug,
  kind: media.kind,
  format: media.format,
  mime: media.mime,
  ext: media.ext,
  key: objectKeys.original(media.slug, media.ext),
  bytes: media.bytes,
  width: media.width,
  height: media.height,
  frames: media.frames,
  duration: media.duration,
});

const processedEvent = (media: MediaEntity): MediaProcessed => ({
  media_id: media.id,
  slug: media.slug,
  variants: media.variants,
  thumbhash: media.thumbhash ?? '',
  width: media.width,
  height: media.height,
  duration: media.duration,
  hashes: media.hashes,
  frames: media.frameKeys,
  took_ms: 0,
});

const failedEvent = (media: MediaEntity): MediaFailed => ({
  media_id: media.id,
  slug: media.slug,
  reason: media.processingError ?? '',
});
