import { Injectable } from '@nestjs/common';
import {
  mediaFailed,
  type MediaOverran,
  mediaProcessed,
  type MediaProcessingFailed,
  type MediaProgressed,
  mediaVariantsStored,
  type MediaVariantsStored,
} from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { Alternatives } from '../stored-variants/alternatives.service';
import { mediaEvent, processedEvent, recordedResult } from '../rows/media-events';
import type { MediaEntity } from '../rows/media.entity';
import { MediaRepository } from '../rows/media.repository';
import type { AnnouncementsDue, MediaState, Recorded } from '../rows/media-row.types';
import {
  assertPlausibleFailure,
  assertPlausibleProgress,
  assertPlausibleResult,
  assertSameMedia,
  assertSlug,
} from '../rows/processing-result.rules';
import { ProcessingTurns, STAFF } from '../processing-turns/processing-turns.service';

/** The id and the slug of a media item in a message. */
type NamedMedia = Pick<MediaVariantsStored, 'media_id' | 'slug'>;

/** Largest number of media items in one transaction of a sweep. */
const SWEEP_BATCH = 100;

/**
 * The processing of media: records the results of media-processor and requests processing again. Every message of
 * media-processor is checked, because a decoder that a hostile file has taken over may send anything.
 */
@Injectable()
export class MediaProcessingService {
  constructor(
    private readonly database: Database,
    private readonly repository: MediaRepository,
    private readonly turns: ProcessingTurns,
    private readonly alternatives: Alternatives,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Records a result of media-processor and ends the file's turn. A media item that has failed permanently stays
   * failed. Throws `ImplausibleResultError` if media-processor can't have made this result.
   */
  async recordProcessed(event: MediaVariantsStored): Promise<Recorded> {
    assertSlug(event);
    return this.record(event.media_id, async (tx) => {
      const media = await this.repository.lockById(tx, event.media_id);
      if (!media) return 'unknown';
      assertPlausibleResult(event, media);
      const recorded = media.processingError === null;
      if (recorded && media.processed) await this.alternatives.discard(tx, media);
      const facts = recorded ? await this.repository.recordProcessed(tx, event) : null;
      if (facts) await this.outbox.add(tx, mediaProcessed, processedEvent(media, facts, event));
      await this.turns.end(tx, media.id);
      return recorded ? 'recorded' : 'ignored';
    });
  }

  /**
   * Records that a media item can't be processed, and ends its turn. `reject` decides on it in the same transaction. A media item
   * that is processed already stays processed. Throws `ImplausibleResultError` if the message can't be about this media item.
   */
  async recordFailed(
    event: MediaProcessingFailed,
    reject: (tx: Transaction, media: MediaEntity) => Promise<void>,
  ): Promise<Recorded> {
    assertPlausibleFailure(event);
    return this.record(event.media_id, async (tx) => {
      const media = await this.repository.lockById(tx, event.media_id);
      if (!media) return 'unknown';
      assertSameMedia(event, media);
      const recorded = !media.processed && media.processingError === null;
      if (recorded) {
        const facts = await this.repository.recordFailed(tx, media.id, event.reason);
        await this.outbox.add(tx, mediaFailed, { ...mediaEvent(media, facts), reason: event.reason });
        await reject(tx, media);
      }
      await this.turns.end(tx, media.id, { overran: event.overran === true });
      return recorded ? 'recorded' : 'ignored';
    });
  }

  /**
   * Records that a file took longer than quick work may, so that it waits for a turn of long work. Returns `ignored`
   * if it was not in progress as quick work. Throws `ImplausibleResultError` if the message can't be about this media
   * item.
   */
  async recordOverrun(event: MediaOverran): Promise<Recorded> {
    assertSlug(event);
    return this.record(event.media_id, async (tx) => {
      const media = await this.repository.lockById(tx, event.media_id);
      if (!media) return 'unknown';
      assertSameMedia(event, media);
      return (await this.turns.lengthen(tx, media.id)) ? 'recorded' : 'ignored';
    });
  }

  /** Records how much is done. Throws `ImplausibleResultError` if media-processor can't have said this. */
  async recordProgress(event: MediaProgressed): Promise<void> {
    assertPlausibleProgress(event);
    await this.repository.recordProgress(event);
  }

  /**
   * Runs a transaction that ends a file's turn. If it fails, the file no longer holds up its uploader's other files.
   */
  private async record(mediaId: number, work: (tx: Transaction) => Promise<Recorded>): Promise<Recorded> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      // If the database is down, this fails too; then the sweeper requests the file again.
      await this.turns.setAside(mediaId).catch(() => undefined);
      throw error;
    }
  }

  /**
   * What is recorded about the media item of a message; null if it is deleted. Throws `ImplausibleResultError` if the id
   * and the slug of the message belong to different media items.
   */
  async findNamed({ media_id, slug }: NamedMedia): Promise<MediaState | null> {
    const state = await this.repository.findState(media_id);
    if (state) assertSameMedia({ slug }, state);
    return state;
  }

  /**
   * Requests the processing of a locked media item again within the caller's transaction, even if it has failed
   * permanently. Decisions on it stay.
   */
  async processAgain(tx: Transaction, media: MediaEntity): Promise<void> {
    await this.repository.resetProcessing(tx, media.id);
    await this.outbox.addAll(tx, await this.turns.enqueue(tx, [media], STAFF));
  }

  /**
   * Announces again one batch of processed media that have waited too long for a decision; returns how many. Safe in
   * several processes at once.
   */
  announceUndecided(due: AnnouncementsDue): Promise<number> {
    return this.database.transaction(async (tx) => {
      const waiting = await this.repository.lockUndecided(tx, due, SWEEP_BATCH);
      for (const media of waiting) {
        await this.repository.recordAnnouncement(tx, media.id, media.announcements + 1);
        await this.outbox.add(tx, mediaVariantsStored, recordedResult(media));
      }
      return waiting.length;
    });
  }
}
