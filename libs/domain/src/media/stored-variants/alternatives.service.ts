import { Injectable } from '@nestjs/common';
import {
  type AlternativeRecord,
  type MediaAlternativesMade,
  type MediaAlternativesRequested,
  possibleAlternatives,
} from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { type AlternativesBacklog, AlternativesRepository } from './alternatives.repository';
import { assertPlausibleAlternatives, type Photograph, savedBytes, sourcesOf } from './alternatives.rules';
import { processingRequest } from '../rows/media-events';
import type { MediaEntity } from '../rows/media.entity';
import { MediaRepository } from '../rows/media.repository';
import type { Recorded } from '../rows/media-row.types';
import { assertSlug } from '../rows/processing-result.rules';
import { VariantRetentionRepository } from './variant-retention.repository';

/** Requests at a time: few, so that a stop or an outage doesn't delay many. */
const AT_ONCE = 4;
/** Until a media item is requested again that met busy media-processors. */
const BUSY_SECONDS = 30;
const MAX_COUNTED = 100_000;

/** What was done with an answer. */
export interface RecordedAlternatives {
  readonly outcome: Recorded;
  /** By how many bytes the new copies are smaller than their variants. */
  readonly savedBytes: number;
}

/**
 * Has variants of pictures made in other formats too, when media-processors have nothing else to do. Uploaders take
 * turns.
 */
@Injectable()
export class Alternatives {
  constructor(
    private readonly database: Database,
    private readonly repository: AlternativesRepository,
    private readonly media: MediaRepository,
    private readonly retention: VariantRetentionRepository,
  ) {}

  /** Makes a processed media item wait for its alternatives; does nothing if it can't have any. */
  async enqueue(slug: string): Promise<void> {
    const media = await this.media.findBySlug(slug);
    if (media && sourcesOf(media).length > 0) await this.repository.enqueue(media.id);
  }

  /** Makes all media wait that may get alternatives and have none yet; returns how many. */
  enqueueAll(): Promise<number> {
    return this.database.transaction((tx) => this.repository.enqueueAll(tx));
  }

  /** The next requests, which the caller must publish. */
  async takeRequests(): Promise<readonly MediaAlternativesRequested[]> {
    return this.database.transaction(async (tx) => {
      const taken = await this.repository.takeNext(tx, AT_ONCE);
      const turns = await this.repository.lockTaken(tx, taken);
      const isLocked = (id: number): boolean => turns.some((turn) => turn.id === id);
      await this.repository.postpone(
        tx,
        taken.filter((id) => !isLocked(id)),
        BUSY_SECONDS,
      );
      const requests = turns.map((turn) => ({
        ...processingRequest(turn),
        variants: sourcesOf(turn),
        attempt: turn.attempt,
      }));
      // Their variants are removed, or can't have alternatives: `enqueueAll` looks only at columns.
      const empty = requests.filter(({ variants }) => variants.length === 0);
      await this.repository.remove(
        tx,
        empty.map(({ media_id }) => media_id),
      );
      return requests.filter(({ variants }) => variants.length > 0);
    });
  }

  /** Ends the wait of all media, because none will be requested; returns how many waited. */
  forgetWaiting(): Promise<number> {
    return this.repository.removeWaiting(MAX_COUNTED);
  }

  /** Takes back a request that could not be published. */
  async abandon({ media_id, attempt }: MediaAlternativesRequested): Promise<void> {
    await this.database.transaction(async (tx) => {
      if ((await this.repository.lockRequest(tx, media_id)) === attempt)
        await this.repository.postpone(tx, [media_id], BUSY_SECONDS);
    });
  }

  /**
   * Ignores the answer to an open request for a locked media item, and has the objects of its alternatives deleted,
   * because its variants are replaced. The caller removes the records. An object that becomes a variant stays
   * (`VariantRetention.takeOverRemovals`).
   */
  async discard(tx: Transaction, media: MediaEntity): Promise<void> {
    const recorded = await this.repository.findKeys(tx, media.id);
    // The work may have stored copies, or store them before the removal.
    const unrecorded = (await this.repository.endRequest(tx, media.id)) ? possibleKeysOf(media) : [];
    const keys = [...new Set([...recorded, ...unrecorded])];
    await this.retention.recordStale(
      tx,
      keys.map((key) => ({ id: media.id, key })),
    );
  }

  /**
   * Records an answer of a media-processor. Ignores one that is late. Throws
   * `ImplausibleResultError` if the message can't be about this media item.
   */
  async record(event: MediaAlternativesMade): Promise<RecordedAlternatives> {
    assertSlug(event);
    return this.database.transaction(async (tx) => {
      const media = await this.media.lockById(tx, event.media_id);
      if (!media) return { outcome: 'unknown', savedBytes: 0 };
      assertPlausibleAlternatives(event, media);
      const ignored = { outcome: 'ignored', savedBytes: 0 } as const;
      if ((await this.repository.lockRequest(tx, media.id)) !== event.attempt) return ignored;
      if (event.outcome === 'busy') {
        await this.repository.postpone(tx, [media.id], BUSY_SECONDS);
        return ignored;
      }
      await this.recordMade(tx, media.id, event.alternatives);
      return { outcome: 'recorded', savedBytes: savedBytes(event.alternatives, media) };
    });
  }

  /** Records what is stored for a locked media item, which then waits no longer. Earlier alternatives stay. */
  private async recordMade(
    tx: Transaction,
    mediaId: number,
    alternatives: readonly AlternativeRecord[],
  ): Promise<void> {
    await this.media.addAlternatives(tx, mediaId, alternatives);
    await this.repository.remove(tx, [mediaId]);
  }

  /**
   * Gives up media whose requests got no answer, and has the objects deleted that their work may have stored; those
   * that are recorded stay (`VariantRetention.takeOverRemovals`). Returns how many.
   */
  async giveUp(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const given = await this.repository.lockGivenUp(tx, limit);
      await this.retention.recordStale(
        tx,
        given.flatMap((media) => possibleKeysOf(media).map((key) => ({ id: media.id, key }))),
      );
      await this.repository.remove(
        tx,
        given.map(({ id }) => id),
      );
      return given.length;
    });
  }

  /** Counts the media that wait for alternatives, up to 100,000. */
  findBacklog(): Promise<AlternativesBacklog> {
    return this.repository.findBacklog(MAX_COUNTED);
  }
}

/** Every object that the work on a media item may have stored. */
const possibleKeysOf = (media: Photograph): readonly string[] => [
  ...possibleAlternatives(sourcesOf(media)).keys(),
];
