import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { Shares } from '@vitrine/concurrency';
import { objectKeys } from '@vitrine/contracts';
import {
  BannedHashError,
  BannedHashesService,
  type Caller,
  DomainError,
  ForbiddenError,
  GuestUploadsConfig,
  LoadShedError,
  MediaUploads,
  type MediaView,
  type NewMedia,
  OVERRUN_UPLOADS,
  type OwnPost,
  PendingFiles,
  PostEditingService,
  QuotasService,
  SlugTakenError,
  TooManyRequestsError,
  UnauthenticatedError,
  type UploadQuota,
  withFreshSlugs,
} from '@vitrine/domain';
import type { Inspection, MediaFacts } from '@vitrine/formats';
import {
  assertAccess,
  canonicalParts,
  CREATE_POST_ACCESS,
  Idempotency,
  Overload,
  type RequestAccess,
  requestDigest,
  UPLOAD_ACCESS,
} from '@vitrine/http';
import { Outbox } from '@vitrine/outbox';
import { ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { FileInspector } from '../inspection/file-inspector';
import type { RemoteUpload } from '../receiving/remote-receiver';
import { ClientGoneError, refusals } from '../receiving/upload-errors';
import { type ReceivedFile, UploadReceiver } from '../receiving/upload-receiver';
import { type DiskClaim, DiskReserve } from '../scratch/disk-reserve';
import type { ScratchFile } from '../scratch/scratch-file';
import { scrub } from '../scratch/scrub';
import { hasTooManyPixels } from './intake.rules';
import { UploadMetrics } from './upload-metrics';

/** Base64 is a third longer than the file, and in urlencoded forms some of its characters are escaped. */
export const BASE64_FACTOR = 1.5;
/** Texts and headers of parts that a body holds besides its files have fewer bytes than this, unless they are unusual. */
const TEXTS_BYTES = 32 * 1024;
/** Seconds after which an upload slot is probably free. */
const RETRY_AFTER = 5;

/** One upload request. Its body is not read by Nest, because most refusals must not wait for it. */
export interface UploadExchange {
  readonly access: RequestAccess;
  readonly request: Request;
  readonly response: Response;
}

/** Who owns a new media item, and whose daily quota it counts for. */
export interface Uploader {
  /** Null if the file came through the website without a token. */
  readonly caller: Caller | null;
  readonly quota: UploadQuota;
  /** The file was uploaded with a ticket, so it stays unlisted until it is in a public post. */
  readonly viaTicket: boolean;
}

/** Reads a body that names its file. `subject`: whose upload it is. */
export type ReadRemoteUpload = (
  disk: DiskClaim,
  subject: string,
  assertMayPost: () => void,
) => Promise<RemoteUpload>;

/** A new media item, and the post that was created of it, if one was asked for. */
export interface UploadedMedia extends MediaView {
  readonly post?: OwnPost;
}

/** A file that may become a media item: checked, scrubbed, and not stored yet. */
interface CheckedFile {
  /** The bytes to store. */
  readonly file: ScratchFile;
  readonly media: Omit<NewMedia, 'slug'>;
}

/**
 * The steps of every upload. `upload` is the route of the API. The dialects, which read other bodies and write other
 * answers, call the same public steps in the same order.
 */
@Injectable()
export class Uploads {
  private readonly logger = new Logger(Uploads.name);
  /** Neither disk nor memory runs out, and a caller has no more slots than are free, so another caller always finds one. */
  private readonly slots: Shares;

  constructor(
    private readonly idempotency: Idempotency,
    private readonly guests: GuestUploadsConfig,
    private readonly overload: Overload,
    private readonly disk: DiskReserve,
    private readonly receiver: UploadReceiver,
    private readonly inspector: FileInspector,
    private readonly media: MediaUploads,
    private readonly pendingFiles: PendingFiles,
    private readonly posts: PostEditingService,
    private readonly quotas: QuotasService,
    private readonly bannedHashes: BannedHashesService,
    private readonly outbox: Outbox,
    private readonly storage: ObjectStorage,
    private readonly metrics: UploadMetrics,
    private readonly config: UploadConfig,
  ) {
    this.slots = new Shares({
      limit: config.maxConcurrentUploads,
      each: config.maxConcurrentUploadsPerCaller,
      leavesRoom: true,
    });
  }

  /**
   * Uploads the file of a multipart body, or of one that `readRemote` reads. Returns what `present` makes of the new media
   * item, or the stored response of an earlier request with the same idempotency key; undefined if the client closed the
   * connection. Throws the refusals of upload-errors.ts and of the steps below, and as `Idempotency` does.
   */
  async upload<Answer>(
    { access, request, response }: UploadExchange,
    present: (uploaded: UploadedMedia) => Answer,
    readRemote?: ReadRemoteUpload,
  ): Promise<Answer | string | undefined> {
    let leaveSlot: (() => void) | undefined;
    let disk: DiskClaim | undefined;
    let file: ReceivedFile | undefined;
    try {
      const uploader = this.uploaderOf(access);
      const key = this.idempotency.keyOf(request);
      await this.admit(uploader, request).catch(async (refusal: unknown) => {
        // A stored response is returned even if its upload was the last one that the quota allowed.
        if (!key || !(await this.idempotency.knows(key))) throw refusal;
      });
      leaveSlot = this.takeSlot(access, uploader);
      disk = await this.claimDisk(access, uploader, request, { isElsewhere: readRemote !== undefined });
      askForBody(request, response);
      const assertMayPost = (): void => assertAccess(CREATE_POST_ACCESS, access);
      const body = readRemote
        ? await readRemote(disk, uploader.quota.subject, assertMayPost)
        : (file = await this.receiver.receive(request, disk, assertMayPost));
      const create = async (): Promise<Answer> => {
        const received = 'fetch' in body ? (file = await body.fetch()) : body;
        return present((await this.createMedia([received], uploader))[0]!);
      };
      if (!key) return await create();
      const digest = requestDigest(request.method, request.originalUrl, canonicalParts(body.digests));
      // `Idempotency` ends the transaction of `create` with a statement that marks the key, so both commit together.
      return await this.idempotency.respond(response, key, { digest, secretive: false }, create);
    } catch (error) {
      return this.fail(error);
    } finally {
      file?.scratch.discardSoon();
      disk?.release();
      leaveSlot?.();
    }
  }

  /**
   * Checks `UPLOAD_ACCESS`, and `GUEST_UPLOADS` for guests. Uploads of guests count for their client key, so that one
   * client can't get more by becoming several guests. Throws `UnauthenticatedError` and `ForbiddenError`.
   */
  uploaderOf(access: RequestAccess): Uploader {
    assertAccess(UPLOAD_ACCESS, access);
    const { caller, clientKey } = access;
    if (caller?.isGuest && !this.guests.guestUploads) throw new ForbiddenError();
    const subject = caller && !caller.isGuest ? `user:${caller.userId}` : `ip:${clientKey}`;
    return {
      caller,
      quota: { subject, filesPerDay: this.config.uploadsPerDay, ...(caller && { tokenId: caller.tokenId }) },
      viaTicket: caller?.kind === 'ticket',
    };
  }

  /**
   * Refuses what can be refused without the body, by its `Content-Length` if it has one. `MediaUploads.registerAll` decides.
   * `mayBeBase64`: its files may be written as text. Throws `TooManyRequestsError` and `InsufficientStorageError`.
   */
  async admit({ caller, quota }: Uploader, request: IncomingMessage, mayBeBase64 = false): Promise<void> {
    await this.media.assertWithinQuota(quota);
    const body = announcedBytes(request) ?? 0;
    const isForm = !/^(?:image|video)\//i.test(request.headers['content-type'] ?? '');
    const bytes = (isForm ? body - TEXTS_BYTES : body) / (isForm && mayBeBase64 ? BASE64_FACTOR : 1);
    await this.quotas.assertRoom(caller?.userId ?? null, { files: 1, bytes: Math.max(0, Math.floor(bytes)) });
  }

  /**
   * Takes an upload slot of the uploader, or of the address if the uploader is not known yet; returns the function that
   * gives the slot back. Throws `LoadShedError` if no slot is free, and `TooManyRequestsError` if the caller has its share.
   */
  takeSlot({ clientKey }: RequestAccess, uploader: Uploader | null): () => void {
    const subject = uploader?.quota.subject ?? `ip:${clientKey}`;
    const refusal = this.slots.refusalOf(subject);
    if (refusal === 'share') throw new TooManyRequestsError(RETRY_AFTER);
    if (refusal === null) return this.slots.take(subject);
    this.overload.countShed();
    throw new LoadShedError(RETRY_AFTER);
  }

  /**
   * Claims disk for the body, or for the `most` bytes of it that are read before its uploader is known. With `claim`, which
   * belongs to the address so far, its uploader has become known. `isElsewhere`: the body does not hold the file. Throws as `DiskReserve.claim` does.
   */
  async claimDisk(
    { clientKey }: RequestAccess,
    uploader: Uploader | null,
    request: IncomingMessage,
    {
      most = this.config.maxFileBytes,
      claim,
      isElsewhere = false,
    }: { most?: number; claim?: DiskClaim; isElsewhere?: boolean } = {},
  ): Promise<DiskClaim> {
    const claimant = { address: clientKey, account: uploader?.quota.subject ?? null };
    const announced = isElsewhere ? null : announcedBytes(request);
    const bytes = Math.min(announced ?? most, most, this.config.maxFileBytes);
    if (!claim) return this.disk.claim(claimant, bytes);
    await claim.replace(claimant, bytes);
    return claim;
  }

  /**
   * Makes media of received files: either all become media or none. Their processing begins after the answers of all
   * uploads whose bodies have arrived, or half a second later. Throws the refusals of upload-errors.ts, and as `admit` and
   * `MediaUploads.registerAll` do.
   */
  async createMedia(files: readonly ReceivedFile[], uploader: Uploader): Promise<readonly UploadedMedia[]> {
    if (files.length > 1) await this.media.assertWithinQuota(uploader.quota, files.length);
    const created = await this.outbox.answerFirst(() => this.createAll(files, uploader));
    for (const { scratch } of files) this.metrics.countAccepted(scratch.size);
    return created;
  }

  /** Counts how an upload failed. Returns undefined if the client closed the connection; otherwise throws the error. */
  fail(error: unknown): undefined {
    this.metrics.countFailure(error);
    if (!(error instanceof ClientGoneError)) throw error;
    this.logger.debug('The client closed the connection before its upload was complete');
    return undefined;
  }

  private async createAll(
    received: readonly ReceivedFile[],
    uploader: Uploader,
  ): Promise<readonly UploadedMedia[]> {
    const checked: CheckedFile[] = [];
    const copies: ScratchFile[] = [];
    try {
      for (const file of received) checked.push(await this.check(file, uploader, copies));
      return await this.storeAndRegister(checked, received[0]!, uploader);
    } finally {
      for (const copy of copies) copy.discardSoon();
    }
  }

  /** Checks and scrubs a received file. A scrubbed copy is added to `copies`, which the caller must discard. */
  private async check(
    received: ReceivedFile,
    { caller, quota, viaTicket }: Uploader,
    copies: ScratchFile[],
  ): Promise<CheckedFile> {
    await this.assertNotBanned(received.sha256);
    const { facts, rewrite } = await this.inspect(received.scratch, quota);
    const { file, sha256 } = await scrub({ file: received.scratch, sha256: received.sha256 }, rewrite, () =>
      this.storage.scratchDirectory(),
    );
    if (file !== received.scratch) copies.push(file);
    if (rewrite) await this.assertNotBanned(sha256);
    const { alt_text: altText, ...texts } = received.texts;
    const media = {
      ...factsOf(facts),
      ...texts,
      ...(altText !== undefined && { altText }),
      userId: caller?.userId ?? null,
      unlisted: viaTicket || received.unlisted,
      ownerNsfw: received.isNsfw,
      bytes: file.size,
      receivedSha256: received.sha256,
      deletionSha256: received.deletionSha256,
      storedSha256: sha256,
    };
    return { file, media };
  }

  private async inspect(file: ScratchFile, quota: UploadQuota): Promise<Inspection> {
    const outcome = await this.inspector.inspect(quota.subject, file.path);
    if ('refusal' in outcome && outcome.refusal === 'overran')
      await this.media.countRefused(quota, OVERRUN_UPLOADS);
    if ('sentence' in outcome) throw refusals.unsupported(outcome.sentence);
    if ('refusal' in outcome) throw refusals[outcome.refusal]();
    const { inspection } = outcome;
    if (inspection.facts.kind === 'video' && this.config.videoTools === 'none') throw refusals.noVideos();
    if (hasTooManyPixels(inspection.facts)) throw refusals.tooManyPixels();
    return inspection;
  }

  /** Stores the bytes before the rows, so that a row never lacks its file. All files of a body have the same post. */
  private storeAndRegister(
    checked: readonly CheckedFile[],
    { post, postReference }: ReceivedFile,
    { caller, quota }: Uploader,
  ): Promise<readonly UploadedMedia[]> {
    return withFreshSlugs('media', checked.length, async (slugs) => {
      const media = checked.map((one, at) => ({ ...one.media, slug: slugs[at]! }));
      const keys = await this.storeAll(checked, media);
      try {
        if (!post) return await this.media.registerAll(media, quota, postReference);
        if (!caller) throw new UnauthenticatedError();
        // Only the route of the API creates posts, and its bodies have one file.
        return [await this.posts.createFromUpload(caller, media[0]!, quota, post)];
      } catch (error) {
        // After any other error the rows may be committed nevertheless; `PendingFilesSweep` finds out.
        if (error instanceof DomainError || error instanceof SlugTakenError) await this.discard(slugs, keys);
        throw error;
      }
    });
  }

  /** Stores the originals of new media, or none of them after an error; returns their keys. Throws `SlugTakenError`. */
  private async storeAll(
    checked: readonly CheckedFile[],
    media: readonly Pick<NewMedia, 'slug' | 'ext'>[],
  ): Promise<readonly string[]> {
    const stored: string[] = [];
    await this.pendingFiles.record(
      media.map(({ slug }) => slug),
      this.config.orphanAgeSeconds,
    );
    try {
      for (const [at, { slug, ext }] of media.entries()) {
        const key = objectKeys.original(slug, ext);
        if (!(await this.storage.addNew(checked[at]!.file.path, key))) throw new SlugTakenError('media');
        stored.push(key);
      }
      return stored;
    } catch (error) {
      // The slugs stay recorded: one that is taken may be that of another upload in progress.
      await this.storage.delete(stored);
      throw error;
    }
  }

  /** Deletes what was stored for media that can't be registered, so that nothing of them is left to the sweep. */
  private async discard(slugs: readonly string[], keys: readonly string[]): Promise<void> {
    await this.storage.delete(keys);
    await this.pendingFiles.forget(slugs);
  }

  private async assertNotBanned(sha256: Buffer): Promise<void> {
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) throw new BannedHashError();
  }
}

/** Tells a client that waits for it to send the body. */
export function askForBody({ headers }: IncomingMessage, response: Response): void {
  if (/100-continue/i.test(headers.expect ?? '')) response.writeContinue();
}

/** The request's `Content-Length`; null without one. */
function announcedBytes({ headers }: IncomingMessage): number | null {
  const length = Number(headers['content-length'] ?? NaN);
  return Number.isSafeInteger(length) ? length : null;
}

const factsOf = ({ kind, format, mime, ext, width, height, duration, frames }: MediaFacts) => ({
  kind,
  format,
  mime,
  ext,
  width,
  height,
  duration,
  frames,
});
