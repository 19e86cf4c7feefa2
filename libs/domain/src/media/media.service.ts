import { Injectable } from '@nestjs/common';
import {
  isSlug,
  readNumericId,
  mediaDeleted,
  mediaUploaded,
  type ModerationStatus,
} from '@vitrine/contracts';
import type { FeedQuery, UserListQuery } from '@vitrine/contracts/api';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { owns, type Viewer } from '../access/viewer';
import { secondsToMidnightUtc } from '../daily-counts/utc-day';
import { ForbiddenError, NotFoundError, TooManyRequestsError } from '../errors/domain-error';
import { FeedRequests, type RequestedPage } from '../feeds/feed-requests';
import { RelationsService } from '../relations/relations.service';
import { QuotasService } from '../quotas/quotas.service';
import { PostMediaService } from '../post-media/post-media.service';
import { AuthorsService } from '../authors/authors.service';
import { TagsService } from '../tags/tags.service';
import { opensDeletion, readDeletionCode } from './deletion-key';
import type { MediaEntity } from './media.entity';
import { uploadedEvent } from './media-events';
import type { MediaView } from './media.presenter';
import { MediaViewRepository } from './media-view.repository';
import { MediaRepository } from './media.repository';
import { MediaStatuses } from './media-statuses';
import {
  canFindMediaById,
  canSeeMedia,
  changesContent,
  changesListing,
  isMediaShownInList,
} from './media.rules';
import type {
  LockedMedia,
  MediaChanges,
  MediaPage,
  MediaStatusChange,
  NewMedia,
  ServedMedia,
  UploadQuota,
} from './media.types';
import { ServedMediaRepository } from './served-media.repository';
import { ProcessingTurns } from './processing-turns.service';
import { SlugTakenError } from '../identifiers/fresh-slug';
import { UploadCountRepository } from './upload-count.repository';
import type { Reading } from '../access/reading';

/** Use cases of media: uploading, reading, changing, deciding, removing; `MediaProcessingService` has the technical ones. */
@Injectable()
export class MediaService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: MediaRepository,
    private readonly views: MediaViewRepository,
    private readonly served: ServedMediaRepository,
    private readonly statuses: MediaStatuses,
    private readonly uploadCounts: UploadCountRepository,
    private readonly postMedia: PostMediaService,
    private readonly authors: AuthorsService,
    private readonly tags: TagsService,
    private readonly feedRequests: FeedRequests,
    private readonly relations: RelationsService,
    private readonly outbox: Outbox,
    private readonly turns: ProcessingTurns,
    private readonly quotas: QuotasService,
  ) {}

  /**
   * Throws `TooManyRequestsError` if so many more files would exceed the daily limit. To be called before a body is
   * read.
   */
  async assertWithinQuota(quota: UploadQuota, files = 1): Promise<void> {
    const sent = await this.uploadCounts.findToday(quota.subject);
    if (sent + files > quota.filesPerDay) throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
  }

  /** Counts a rejected file as `files` files of its uploader's day, because its inspection cost as much. */
  async countRefused({ subject }: UploadQuota, files: number): Promise<void> {
    await this.uploadCounts.countMore(subject, files);
  }

  /**
   * Creates the media item of a file whose bytes are stored already: its row, its place in a post, the daily count and its
   * events. Throws `SlugTakenError`, `TooManyRequestsError`, `InsufficientStorageError`, `InvalidFieldsError` on `post_id`,
   * and `UnauthenticatedError` if the account has been deleted in the meantime.
   */
  async register(media: NewMedia, quota: UploadQuota, postReference: string | null): Promise<MediaView> {
    const { view } = await this.registerAndPlace(media, quota, async (tx, mediaId) => {
      if (postReference === null) return;
      await this.postMedia.attach(tx, postReference, mediaId, media.userId);
      await this.repository.deriveListings(tx, [mediaId]);
    });
    return view;
  }

  /**
   * As `register`, but `place` puts the media item into posts, in the same transaction. Also throws what `place` throws;
   * then nothing is registered.
   */
  async registerAndPlace<Placed>(
    media: NewMedia,
    quota: UploadQuota,
    place: (tx: Transaction, mediaId: number) => Promise<Placed>,
  ): Promise<{ readonly view: MediaView; readonly placed: Placed }> {
    try {
      const { row, placed } = await this.transactions.run(async (tx) => {
        const row = await this.repository.insert(tx, media);
        await this.outbox.add(tx, mediaUploaded, uploadedEvent(row));
        const placed = await place(tx, row.id);
        if (media.userId !== null) await this.authors.holdLiving(tx, media.userId);
        if (media.tags?.length) await this.tags.setMediaTags(tx, row.id, media.tags);
        // Last, because uploads of one account wait for each other on these locks.
        if (!(await this.uploadCounts.countOne(tx, quota.subject, quota.filesPerDay))) {
          throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
        }
        await this.quotas.claim(tx, media.userId);
        await this.turns.enqueue(tx, row, quota.subject);
        return { row, placed };
      });
      return { view: await this.view(row), placed };
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'media_slug_key') throw new SlugTakenError('media');
      throw error;
    }
  }

  /**
   * A media item by slug or numeric id. Throws `NotFoundError` if it doesn't exist or the viewer may not see it, by its
   * id not even if it is unlisted.
   */
  async findForViewer(reference: string, viewer: Viewer): Promise<MediaView> {
    const id = readNumericId(reference);
    const slug = id === null ? reference : await this.repository.findSlug(id);
    const view = slug !== null && isSlug(slug) ? await this.views.findBySlug(slug) : null;
    if (!view || !canSeeMedia(view.media, view.ownerRestriction, viewer)) throw new NotFoundError();
    if (id !== null && !canFindMediaById(view.media, viewer)) throw new NotFoundError();
    await this.relations.assertVisible(viewer, view.media.userId);
    return view;
  }

  /** The ids of media that are given by ids or slugs, in their order; 0, which no item has, for an unknown slug. */
  async findIds(named: readonly (number | string)[]): Promise<readonly number[]> {
    const slugs = named.filter((name) => typeof name === 'string');
    const ids = slugs.length === 0 ? new Map<string, number>() : await this.repository.findIdsBySlug(slugs);
    return named.map((name) => (typeof name === 'number' ? name : (ids.get(name) ?? 0)));
  }

  /**
   * The media with these slugs, in their order. Unknown ones, and those that the viewer may not see, are left out.
   */
  async findForViewerBySlugs(slugs: readonly string[], viewer: Viewer): Promise<readonly MediaView[]> {
    const views = await Promise.all(slugs.filter(isSlug).map((slug) => this.views.findBySlug(slug)));
    const visible = views
      .filter((view) => view !== null)
      .filter(({ media, ownerRestriction }) => canSeeMedia(media, ownerRestriction, viewer));
    const blocked = await this.relations.findBlockedAmong(
      viewer,
      visible.map(({ media }) => media.userId),
    );
    return visible.filter(({ media }) => media.userId === null || !blocked.has(media.userId));
  }

  /** The media with these ids, in their order; deleted ones are left out. */
  async findViews(
    ids: readonly number[],
    { mayLag = false }: Pick<Reading, 'mayLag'> = {},
  ): Promise<readonly MediaView[]> {
    const views = await this.views.findByIds(ids, mayLag);
    return ids.flatMap((id) => views.get(id) ?? []);
  }

  /** A page of the feed of all media. */
  async findFeedPage(query: FeedQuery, reading: Reading): Promise<MediaPage> {
    const page = await this.feedRequests.findPage('media', query, reading);
    // The feed shows the same to everybody, except for people whom the viewer doesn't see.
    const { items, ...rest } = await this.showPage(page, { ...reading, viewer: null });
    const owner = ({ media }: MediaView): number | null => media.userId;
    return { ...rest, items: await this.relations.removeHidden(items, page.hidden, reading.viewer, owner) };
  }

  /** A page of a user's media, for the profile. Throws `NotFoundError` for an unknown username. */
  async findProfilePage(username: string, query: UserListQuery, reading: Reading): Promise<MediaPage> {
    return this.showPage(await this.feedRequests.findProfilePage('media', username, query, reading), reading);
  }

  /** A page of the caller's own media. */
  async findOwnPage(caller: NonNullable<Viewer>, query: UserListQuery): Promise<MediaPage> {
    const page = await this.feedRequests.findOwnPage('media', caller.userId, query);
    return this.showPage(page, { viewer: caller });
  }

  /** The media item that the file host serves under this slug; null if there is none. */
  async findServed(slug: string): Promise<ServedMedia | null> {
    return isSlug(slug) ? this.served.findOneServed(slug) : null;
  }

  /** Those of the media with these slugs that the file host serves, by slug. */
  findAllServed(slugs: readonly string[]): Promise<ReadonlyMap<string, ServedMedia>> {
    return this.served.findServed(slugs);
  }

  /** Of these slugs, those of media that are served and still wait for their variants. */
  findUnprocessed(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findUnprocessed(slugs);
  }

  /** Of these slugs, those of media whose processing or automatic check is due. */
  findInProgress(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findInProgress(slugs);
  }

  /**
   * Changes texts, tags, listing and the owner's mark as adult content of a media item of the caller, given by slug or
   * numeric id. Changed texts or tags start a new revision of every post that contains it. Throws `NotFoundError`,
   * and `ForbiddenError`, also for `isNsfw` if a moderator rejected the media item.
   */
  async update(reference: string, caller: NonNullable<Viewer>, changes: MediaChanges): Promise<void> {
    const { tags, isNsfw, ...fields } = changes;
    await this.transactions.run(async (tx) => {
      const media = await this.lockOwn(tx, reference, caller);
      await this.repository.change(tx, media.id, {
        ...fields,
        ...(tags !== undefined && { tags: tags ?? [] }),
      });
      if (isNsfw !== undefined) await this.statuses.mark(tx, media, caller, isNsfw);
      if (changesListing(media, changes)) await this.repository.deriveListings(tx, [media.id]);
      if (changesContent(media, changes)) await this.postMedia.reviseForMedia(tx, media.id);
      if (tags !== undefined) await this.tags.setMediaTags(tx, media.id, tags ?? []);
    });
  }

  /**
   * Deletes a media item of the caller, given by slug or numeric id. `media.deleted` leads to the removal of its files.
   * Throws `NotFoundError`, `ForbiddenError`.
   */
  async remove(reference: string, caller: NonNullable<Viewer>): Promise<void> {
    await this.transactions.run(async (tx) => {
      const media = await this.lockOwn(tx, reference, caller);
      await this.removeLocked(tx, [media]);
    });
  }

  /** Whether a text has the form of a deletion code. */
  isDeletionCode(text: string): boolean {
    return readDeletionCode(text) !== null;
  }

  /**
   * Deletes a media item for anyone who has its deletion code: its slug and its deletion key. Throws `NotFoundError`,
   * also for a wrong key.
   */
  async removeWithCode(code: string): Promise<void> {
    const { slug, key } = readDeletionCode(code) ?? { slug: '', key: '' };
    await this.transactions.run(async (tx) => {
      const media = isSlug(slug) ? await this.repository.lockBySlug(tx, slug) : null;
      if (!media || !opensDeletion(media.deletionSha256, key)) throw new NotFoundError();
      // A suspended account can't act, in no way.
      if (media.ownerRestriction === 'suspended') throw new NotFoundError();
      await this.removeLocked(tx, [media]);
    });
  }

  /** Deletes those of some media that are in no post, within the caller's transaction. The media must be locked. */
  async removeUnplaced(tx: Transaction, ids: readonly number[]): Promise<void> {
    const placed = await this.postMedia.findPlaced(tx, ids);
    const unplaced = ids.filter((id) => !placed.has(id));
    await this.removeLocked(tx, await this.repository.lockAll(tx, unplaced));
  }

  /**
   * Deletes up to `batch` media of a deleted account; `media.deleted` leads to the removal of their files. Returns
   * the number found: 0 if none are left.
   */
  eraseMediaOf(userId: number, batch: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const found = await this.repository.findIdsOf(tx, userId, batch);
      await this.removeLocked(tx, await this.repository.lockAll(tx, found));
      return found.length;
    });
  }

  /**
   * Records a decision on a media item within the caller's transaction: its status, which may be the same as before,
   * and the status of every post that contains it. Returns null if the media item is deleted.
   */
  async changeModerationStatus(
    tx: Transaction,
    mediaId: number,
    status: ModerationStatus,
  ): Promise<MediaStatusChange | null> {
    const media = await this.repository.lockById(tx, mediaId);
    return media && this.statuses.change(tx, media, status);
  }

  /** Locks a media item within the caller's transaction, for a decision on it; null if it is deleted. */
  lock(tx: Transaction, mediaId: number): Promise<MediaEntity | null> {
    return this.repository.lockById(tx, mediaId);
  }

  /** Locks several media for a change of the posts that contain them; deleted ones are left out. */
  lockAll(tx: Transaction, ids: readonly number[]): Promise<readonly LockedMedia[]> {
    return this.repository.lockAll(tx, ids);
  }

  /**
   * Derives which feeds show some media, after the posts that contain them, or the visibility of these posts, have
   * changed. The media must be locked.
   */
  deriveListings(tx: Transaction, ids: readonly number[]): Promise<void> {
    return this.repository.deriveListings(tx, ids);
  }

  /**
   * Derives which feeds show the next `batch` media of a user, after the one with the id `after`. Returns the id of
   * the last one; null if there are none.
   */
  async relist(tx: Transaction, userId: number, after: number, batch: number): Promise<number | null> {
    const ids = await this.repository.findIdsOf(tx, userId, batch, after);
    await this.repository.lockAll(tx, ids);
    await this.repository.deriveListings(tx, ids);
    return ids.at(-1) ?? null;
  }

  /** As `lock`, by slug. */
  lockBySlug(tx: Transaction, slug: string): Promise<MediaEntity | null> {
    return this.repository.lockBySlug(tx, slug);
  }

  /**
   * Makes a media item pending again, with its automated decision due, and derives its posts' statuses, within the
   * caller's transaction. Returns null if the media item is deleted.
   */
  async awaitDecision(tx: Transaction, mediaId: number): Promise<MediaStatusChange | null> {
    const change = await this.changeModerationStatus(tx, mediaId, 'pending');
    await this.repository.resetDecision(tx, mediaId);
    return change;
  }

  /** Removes the owner's mark as adult content from a locked media item, because a moderator's ruling replaces it. */
  async clearMark(tx: Transaction, mediaId: number): Promise<void> {
    await this.repository.change(tx, mediaId, { ownerNsfw: false });
  }

  /** Removes the counts of uploads that are more than `days` days old; returns how many. */
  forgetUploadCounts(days: number): Promise<number> {
    return this.transactions.run((tx) => this.uploadCounts.removeBefore(tx, days));
  }

  /** Those of `slugs` that are in use. */
  findExistingSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findExistingSlugs(slugs);
  }

  private async removeLocked(
    tx: Transaction,
    media: readonly Pick<LockedMedia, 'id' | 'slug'>[],
  ): Promise<void> {
    const ids = media.map(({ id }) => id);
    await this.postMedia.detachEverywhere(tx, ids);
    // Turns are locked after the posts, as in `register`.
    await this.turns.removing(tx, ids, () => this.repository.removeAll(tx, ids));
    for (const { id, slug } of media) await this.outbox.add(tx, mediaDeleted, { media_id: id, slug });
  }

  private async showPage({ ids, total, seed }: RequestedPage, reading: Reading): Promise<MediaPage> {
    const views = await this.findViews(ids, reading);
    const items = views.filter(({ media, ownerRestriction }) =>
      isMediaShownInList(media, ownerRestriction, reading.viewer),
    );
    return { items, total, seed };
  }

  /** A media item that its owner has just uploaded. */
  private async view(media: MediaEntity): Promise<MediaView> {
    if (media.userId === null) return { media, owner: null, ownerRestriction: null };
    const authors = await this.authors.findAuthors([media.userId]);
    return { media, owner: authors.get(media.userId) ?? null, ownerRestriction: null };
  }

  private async lockOwn(
    tx: Transaction,
    reference: string,
    caller: NonNullable<Viewer>,
  ): Promise<MediaEntity> {
    const id = readNumericId(reference);
    const media =
      id !== null
        ? await this.repository.lockById(tx, id)
        : isSlug(reference)
          ? await this.repository.lockBySlug(tx, reference)
          : null;
    if (!media || !canSeeMedia(media, media.ownerRestriction, caller)) throw new NotFoundError();
    if (id !== null && !canFindMediaById(media, caller)) throw new NotFoundError();
    if (!owns(media, caller)) throw new ForbiddenError();
    return media;
  }
}
