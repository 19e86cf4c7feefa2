import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { Batches } from '@vitrine/concurrency';
import { type EventEnvelope, mediaUploaded } from '@vitrine/contracts';
import {
  Database,
  isRefusalOfValues,
  runLastStatement,
  type Transaction,
  violatedUniqueConstraint,
} from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { secondsToMidnightUtc } from '../../base/daily-counts/utc-day';
import { DomainError, TooManyRequestsError } from '../../base/errors/domain-error';
import { SlugTakenError } from '../../base/identifiers/fresh-slug';
import type { RequestContext } from '../../base/shared-transactions/shared-transactions';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { QuotasService } from '../../accounts/quotas/quotas.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { TagsService } from '../../posts/tags/tags.service';
import { uploadedEvent } from '../rows/media-events';
import type { MediaView, UploadQuota } from './media.types';
import { MediaRepository } from '../rows/media.repository';
import type { NewMedia } from '../rows/media-row.types';
import { ProcessingTurns } from '../processing-turns/processing-turns.service';
import { UploadCounts } from '../processing-turns/upload-counts.service';

/** Largest number of files in one transaction, which holds the locks of their account. */
const MAX_BATCH = 50;

/**
 * A file to register. `inContext` runs work with the correlation id, the trace and the idempotency key of its request, which
 * may have several files.
 */
interface Registration {
  readonly media: NewMedia;
  readonly quota: UploadQuota;
  readonly inContext: RequestContext;
}

/** Registers uploaded files as media, within the daily limits of their uploaders. */
@Injectable()
export class MediaUploads {
  /**
   * Simultaneous uploads of one account would wait for each other's locks, each with its own commit.
   * An upload keeps its upload slot while it waits for its batch, so at most `MAX_CONCURRENT_UPLOADS` uploads wait in a
   * process.
   */
  private readonly batches = new Batches<Registration, MediaView>(MAX_BATCH, (registrations) =>
    this.registerBatch(registrations),
  );

  constructor(
    private readonly database: Database,
    private readonly repository: MediaRepository,
    private readonly uploadCounts: UploadCounts,
    private readonly postMedia: PostMediaService,
    private readonly authors: AuthorsService,
    private readonly tags: TagsService,
    private readonly outbox: Outbox,
    private readonly turns: ProcessingTurns,
    private readonly quotas: QuotasService,
    private readonly tokens: TokensService,
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
   * Creates the media of a body's files, whose bytes are stored already: their rows, their places at the end of a post, the
   * daily count and their events; for all files or for none. Throws `SlugTakenError`, `TooManyRequestsError`,
   * `InsufficientStorageError`, `InvalidFieldsError` on `post_id`, and `UnauthenticatedError` if the account has been
   * deleted, or the token revoked, in the meantime.
   */
  async registerAll(
    files: readonly NewMedia[],
    quota: UploadQuota,
    postReference: string | null,
  ): Promise<readonly MediaView[]> {
    const [first, ...others] = registrationsOf(files, quota);
    if (!first) return [];
    const { userId, tags = [] } = first.media;
    if (others.length === 0 && postReference === null && tags.length === 0) {
      return [await this.batches.run(`${userId} ${quota.subject} ${quota.filesPerDay}`, first)];
    }
    const attach =
      postReference === null
        ? undefined
        : (tx: Transaction, ids: readonly number[]) => this.postMedia.attach(tx, postReference, ids, userId);
    return (await this.commit([first, ...others], attach)).views;
  }

  /** As `registerAll`, with one file. */
  async register(file: NewMedia, quota: UploadQuota, postReference: string | null): Promise<MediaView> {
    return (await this.registerAll([file], quota, postReference))[0]!;
  }

  /** As `register`, but `place` puts the media item into posts, in the same transaction. Also throws what `place` throws. */
  async registerAndPlace<Placed>(
    file: NewMedia,
    quota: UploadQuota,
    place: (tx: Transaction, mediaIds: readonly number[]) => Promise<Placed>,
  ): Promise<{ readonly view: MediaView; readonly placed: Placed }> {
    const { views, placed } = await this.commit(registrationsOf([file], quota), place);
    return { view: views[0]!, placed: placed! };
  }

  /**
   * Registers uploads that wait for the same account's locks, in one transaction. If one of them is refused, has a slug
   * that is taken, or values that PostgreSQL refuses, each gets a separate transaction.
   */
  private async registerBatch(
    registrations: readonly Registration[],
  ): Promise<readonly (MediaView | Error)[]> {
    try {
      return await this.commitInContext(registrations);
    } catch (error) {
      // After any other error, the transaction may have been committed.
      if (registrations.length === 1 || !isOfOneUpload(error)) throw error;
    }
    const outcomes: (MediaView | Error)[] = [];
    let failure: Error | undefined;
    for (const one of registrations) {
      const [outcome] = failure ? [failure] : await this.commitInContext([one]).catch(toErrors);
      // If the database doesn't answer, the others need not find out one after the other.
      if (outcome instanceof Error && !isOfOneUpload(outcome)) failure = outcome;
      outcomes.push(outcome!);
    }
    return outcomes;
  }

  /** `commit` in the context of the first upload. */
  private async commitInContext(registrations: readonly Registration[]): Promise<readonly MediaView[]> {
    return (await registrations[0]!.inContext(() => this.commit(registrations))).views;
  }

  /**
   * Registers files of one account and one subject in one transaction, which runs `place` with the ids of the media. Returns
   * the media as their owner sees them.
   */
  private async commit<Placed>(
    registrations: readonly Registration[],
    place?: (tx: Transaction, mediaIds: readonly number[]) => Promise<Placed>,
  ): Promise<{ readonly views: readonly MediaView[]; readonly placed: Placed | undefined }> {
    const files = registrations.map(({ media }) => media);
    const { userId } = files[0]!;
    const { quota } = registrations[0]!;
    try {
      return await this.database.transaction(async (tx) => {
        const rows = await this.repository.insert(tx, files);
        if (rows.length < files.length) throw new SlugTakenError('media');
        const mediaIds = rows.map(({ id }) => id);
        // The transaction is a part of the first upload's trace.
        const inTransaction = AsyncLocalStorage.snapshot();
        const inContextOf = new Map(
          mediaIds.map((id, at) => [id, at === 0 ? inTransaction : registrations[at]!.inContext]),
        );
        const events: EventEnvelope[] = rows.map((row) =>
          inContextOf.get(row.id)!(buildEnvelope, mediaUploaded, uploadedEvent(row)),
        );
        // Before the events of the posts.
        if (place) await this.outbox.addAll(tx, events.splice(0));
        const placed = await place?.(tx, mediaIds);
        const tokenIds = new Set(registrations.flatMap(({ quota: { tokenId } }) => tokenId ?? []));
        if (tokenIds.size > 0) await this.tokens.hold(tx, [...tokenIds]);
        const owner = userId === null ? null : await this.authors.holdLiving(tx, userId);
        for (const { id, tags } of rows) if (tags.length > 0) await this.tags.setMediaTags(tx, id, tags);
        // `Idempotency` marks the key of a request at the end of the transaction that carries the request out. `Database`
        // does so for the request in whose context it is called: the first one. The other requests of a batch do so here.
        const [, ...otherRequests] = new Set(registrations.map(({ inContext }) => inContext));
        for (const inContext of otherRequests) await inContext(runLastStatement, tx);
        // Last, because uploads of one account wait for each other on these locks.
        if (!(await this.uploadCounts.countWithin(tx, quota.subject, quota.filesPerDay, rows.length))) {
          throw new TooManyRequestsError(secondsToMidnightUtc(new Date()));
        }
        await this.quotas.claim(tx, userId);
        events.push(...(await this.turns.enqueue(tx, rows, quota.subject, inContextOf)));
        await this.outbox.addAll(tx, events);
        return { views: rows.map((media) => ({ media, owner, ownerRestriction: null })), placed };
      });
    } catch (error) {
      if (violatedUniqueConstraint(error) === 'media_slug_key') throw new SlugTakenError('media');
      throw error;
    }
  }

  /** Removes the counts of uploads that are more than `days` days old; returns how many. */
  forgetUploadCounts(days: number): Promise<number> {
    return this.uploadCounts.forget(days);
  }
}

/** The files of the request that is handled here. */
function registrationsOf(files: readonly NewMedia[], quota: UploadQuota): readonly Registration[] {
  const inContext = AsyncLocalStorage.snapshot();
  return files.map((media) => ({ media, quota, inContext }));
}

const toErrors = (error: unknown): Error[] => [error instanceof Error ? error : new Error(String(error))];

/**
 * Whether an error is caused by one upload. Nothing was committed then. After other errors, for example a lost connection,
 * this is unknown.
 */
const isOfOneUpload = (error: unknown): boolean =>
  error instanceof DomainError || error instanceof SlugTakenError || isRefusalOfValues(error);
