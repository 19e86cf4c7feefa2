import { Injectable } from '@nestjs/common';
import { mediaUploaded } from '@vitrine/contracts';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { AuthorsService } from '../authors/authors.service';
import { secondsToMidnightUtc } from '../daily-counts/utc-day';
import { TooManyRequestsError } from '../errors/domain-error';
import { SlugTakenError } from '../identifiers/fresh-slug';
import { PostMediaService } from '../post-media/post-media.service';
import { QuotasService } from '../quotas/quotas.service';
import { TagsService } from '../tags/tags.service';
import { uploadedEvent } from '../media-rows/media-events';
import type { MediaEntity } from '../media-rows/media.entity';
import type { MediaView } from './media.presenter';
import { MediaRepository } from '../media-rows/media.repository';
import type { NewMedia } from '../media-rows/media-row.types';
import type { UploadQuota } from './media.types';
import { ProcessingTurns } from '../processing-turns/processing-turns.service';
import { UploadCounts } from '../processing-turns/upload-counts.service';

/** Registers uploaded files as media, within the daily limits of their uploaders. */
@Injectable()
export class MediaUploads {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: MediaRepository,
    private readonly uploadCounts: UploadCounts,
    private readonly postMedia: PostMediaService,
    private readonly authors: AuthorsService,
    private readonly tags: TagsService,
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

  /** Removes the counts of uploads that are more than `days` days old; returns how many. */
  forgetUploadCounts(days: number): Promise<number> {
    return this.uploadCounts.forget(days);
  }

  /** A media item that its owner has just uploaded. */
  private async view(media: MediaEntity): Promise<MediaView> {
    if (media.userId === null) return { media, owner: null, ownerRestriction: null };
    const authors = await this.authors.findAuthors([media.userId]);
    return { media, owner: authors.get(media.userId) ?? null, ownerRestriction: null };
  }
}
