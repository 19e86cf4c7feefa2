import { Injectable } from '@nestjs/common';
import {
  isSized,
  isSlug,
  type MediaVariantRemade,
  type MediaVariantRequested,
  objectKeys,
  type StoredVariant,
} from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { processingRequest } from '../rows/media-events';
import { MediaRepository } from '../rows/media.repository';
import type { Recorded } from '../rows/media-row.types';
import { assertSameMedia, ImplausibleResultError } from '../rows/processing-result.rules';
import { chooseRemovals, isQuicklyRemade, markRemade, markRemoved } from './variant-retention.rules';
import { VariantRetentionRepository, type VariantUse } from './variant-retention.repository';

const DAY_MS = 86_400_000;
/** Variants that are being made at a time, of all media: what two processor cores make while a reader waits. */
export const MAX_OPEN_REMAKES = 100;
/** More than the largest encoded picture of 1920 pixels. */
const MAX_BYTES = 2 ** 26;

/** The next step of a reader that requests a removed variant. */
export type RemakeStep =
  /** Look again: it is stored already, or the media item isn't served any longer. */
  | { readonly step: 'look' }
  /** Wait; the caller must publish the request, if there is one. */
  | { readonly step: 'wait'; readonly request?: MediaVariantRequested }
  /** Too many others are being made. */
  | { readonly step: 'busy' }
  /** It could not be made a short time ago. */
  | { readonly step: 'failed' };

/** Removes variants that nobody requests, and has them made again on demand. */
@Injectable()
export class VariantRetention {
  constructor(
    private readonly database: Database,
    private readonly repository: VariantRetentionRepository,
    private readonly media: MediaRepository,
  ) {}

  /** Records that variants were requested today; at most some thousands at a time. */
  async recordUses(uses: readonly VariantUse[]): Promise<void> {
    if (uses.length > 0) await this.repository.recordUses(uses);
  }

  /** Says that uses are being recorded, and returns since when they have been, without a break of days. */
  keepRecording(): Promise<Date> {
    return this.repository.keepRecording();
  }

  /**
   * Marks one batch of variants that nobody has requested for `days` days as removed. Returns the number of media that
   * were looked at and the keys of the objects, which the caller deletes when no process trusts the old rows any longer.
   * Safe in several processes at once.
   */
  removeUnused(
    days: number,
    batch: number,
  ): Promise<{ readonly looked: number; readonly keys: readonly string[] }> {
    const cutoff = new Date(Date.now() - days * DAY_MS);
    return this.database.transaction(async (tx) => {
      const found = await this.repository.lockUnused(tx, cutoff, batch);
      const requested = await this.repository.findRequested(
        tx,
        found.map(({ id }) => id),
      );
      const removals = found
        .filter(({ id }) => !requested.has(id))
        .map((media) => ({ id: media.id, ...chooseRemovals(media, cutoff) }));
      if (removals.length > 0) await this.media.recordRemovals(tx, removals);
      const objects = removals.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })));
      await this.repository.recordStale(tx, objects);
      return { looked: found.length, keys: objects.map(({ key }) => key) };
    });
  }

  /** Takes over removals that a killed process has left; returns the keys of the objects to delete. */
  takeOverRemovals(limit: number): Promise<readonly string[]> {
    return this.repository.takeOverRemovals(limit);
  }

  /** Records that the objects of removed variants are deleted. */
  async endRemovals(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.repository.endRemovals(keys);
  }

  /** Forgets requests that were lost; returns how many. */
  forgetStaleWork(): Promise<number> {
    return this.repository.forgetStaleWork();
  }

  /** What the reader of a removed variant does next. Of all simultaneous readers, in all processes, one gets a request. */
  async requestRemake(slug: string, key: string): Promise<RemakeStep> {
    const { mediaId, taken, inProgress, open } = await this.repository.beginMake(slug, key, MAX_OPEN_REMAKES);
    if (mediaId === null) return { step: 'look' };
    if (taken) {
      const media = await this.media.findBySlug(slug);
      const variant = media?.variants.find((record) => record.key === key);
      if (!media || !variant) return { step: 'look' };
      const { ext, width, height } = variant;
      return {
        step: 'wait',
        request: { ...processingRequest(media), variant: { key, ext, width, height } },
      };
    }
    if (inProgress === 'failed') return { step: 'failed' };
    // Without work in progress, another reader has begun it at the same moment, unless there is too much of it.
    return inProgress !== null || open < MAX_OPEN_REMAKES ? { step: 'wait' } : { step: 'busy' };
  }

  /** Takes back a request that could not be published. */
  abandonRemake(key: string): Promise<void> {
    return this.repository.abandonMake(key);
  }

  /** Of these keys, those of objects for which readers must still wait. */
  findInProgress(keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.findInProgress(keys);
  }

  /**
   * Records that a removed variant is stored again, or can't be made. Ignores one that isn't removed, or whose object
   * is being deleted. Throws `ImplausibleResultError` if the message can't be about this media item.
   */
  async recordRemade(event: MediaVariantRemade): Promise<Recorded> {
    const { media_id: id, key, bytes } = event;
    if (!isSlug(event.slug) || !isSize(bytes))
      throw new ImplausibleResultError('has no slug, or an impossible size');
    return this.database.transaction(async (tx) => {
      const media = await this.media.lockById(tx, id);
      if (!media) return 'unknown';
      assertSameMedia(event, media);
      const records = media.variants.filter(isSized).filter((variant) => variant.key === key);
      if (records.length === 0) throw new ImplausibleResultError('names an object that is no variant');
      const work = await this.repository.lockWork(tx, key);
      if (!records.some(({ removed }) => removed) || work === 'removal') return 'ignored';
      if (bytes === null) {
        await this.repository.recordFailure(tx, id, key);
      } else {
        const used = records.map(({ name }) => name);
        await this.media.recordRemade(tx, id, markRemade(media.variants, key, bytes));
        await this.repository.recordRemade(tx, id, { key, used });
      }
      return 'recorded';
    });
  }

  /**
   * Records that the object of a variant is missing in the storage, if it can be made again: if `isStored` says so of the
   * original. Returns whether the variant is marked as removed then.
   */
  async recordMissing(
    slug: string,
    key: string,
    isStored: (key: string) => Promise<boolean>,
  ): Promise<boolean> {
    const found = await this.media.findBySlug(slug);
    if (!found || key === objectKeys.original(slug, found.ext)) return false;
    // If the whole storage is unreachable, no row changes.
    if (!(await isStored(processingRequest(found).key))) return false;
    return this.database.transaction(async (tx) => {
      const media = await this.media.lockBySlug(tx, slug);
      const isVariant = (record: StoredVariant): boolean => record.key === key;
      if (!media?.processed || !isQuicklyRemade(media) || !media.variants.some(isVariant)) return false;
      await this.media.replaceVariants(tx, media.id, markRemoved(media.variants, [key]));
      return true;
    });
  }
}

const isSize = (bytes: number | null): boolean =>
  bytes === null || (Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MAX_BYTES);
