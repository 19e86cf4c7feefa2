import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  BannedHashError,
  BannedHashesService,
  type Caller,
  DomainError,
  MediaUploads,
  type MediaView,
  type NewMedia,
  OVERRUN_UPLOADS,
  type OwnPost,
  PostEditingService,
  SlugTakenError,
  UnauthenticatedError,
  type UploadQuota,
  withFreshSlug,
} from '@vitrine/domain';
import type { Inspection, MediaFacts } from '@vitrine/formats';
import { ObjectStorage } from '@vitrine/storage';
import { UploadRoom } from './upload-room';
import { FileInspector } from '../inspection/file-inspector';
import { hasTooManyPixels } from './intake.rules';
import type { ScratchFile } from '../scratch/scratch-file';
import { scrub } from '../scratch/scrub';
import { UploadConfig } from '../config/upload.config';
import { refusals } from '../receiving/upload-errors';
import type { ReceivedFile } from '../receiving/upload-receiver';

/** Who owns a new media item, and whose daily quota it counts for. */
export interface Uploader {
  /** Null if the file came through the web site without a token. */
  readonly caller: Caller | null;
  readonly quota: UploadQuota;
  /** The file was uploaded with a ticket, so it stays unlisted until it is in a public post. */
  readonly viaTicket: boolean;
}

/** A file that may become a media item: checked, scrubbed, and not stored yet. */
export interface CheckedFile {
  /** The bytes to store. */
  readonly file: ScratchFile;
  readonly received: ReceivedFile;
  readonly media: Omit<NewMedia, 'slug'>;
}

/** A new media item, and the post that was created of it, if one was asked for. */
export interface UploadedMedia extends MediaView {
  readonly post: OwnPost | null;
}

/** Makes a media item from a received file: checks it, scrubs it, stores it and registers it in the database. */
@Injectable()
export class IntakeService {
  constructor(
    private readonly inspector: FileInspector,
    private readonly media: MediaUploads,
    private readonly posts: PostEditingService,
    private readonly bannedHashes: BannedHashesService,
    private readonly room: UploadRoom,
    private readonly storage: ObjectStorage,
    private readonly config: UploadConfig,
  ) {}

  /** Throws the refusals of upload-errors.ts, of `UploadRoom` and of `MediaUploads.register`; then nothing is stored. */
  async createMedia(received: ReceivedFile, uploader: Uploader): Promise<UploadedMedia> {
    const checked = await this.check(received, uploader);
    try {
      return await this.keep(checked, uploader);
    } finally {
      this.discardSoon(checked);
    }
  }

  /**
   * Checks and scrubs a received file. Throws the refusals of upload-errors.ts and of `UploadRoom`. The caller must call `discardSoon`
   * afterwards.
   */
  async check(received: ReceivedFile, uploader: Uploader): Promise<CheckedFile> {
    await this.assertNotBanned(received.sha256);
    const { facts, rewrite } = await this.inspect(received.scratch, uploader.quota);
    const scratchDirectory = await this.storage.scratchDirectory();
    const { file, sha256 } = await scrub(
      { file: received.scratch, sha256: received.sha256 },
      rewrite,
      scratchDirectory,
    );
    try {
      if (rewrite) await this.assertNotBanned(sha256);
      // Not even stored if it doesn't fit. `MediaUploads.register` decides.
      await this.room.assertFiles(uploader.caller, [file.size]);
      const { alt_text: altText, ...texts } = received.texts;
      const media = {
        ...factsOf(facts),
        ...texts,
        ...(altText !== undefined && { altText }),
        userId: uploader.caller?.userId ?? null,
        unlisted: uploader.viaTicket || received.unlisted,
        ownerNsfw: received.isNsfw,
        bytes: file.size,
        receivedSha256: received.sha256,
        deletionSha256: received.deletionSha256,
        storedSha256: sha256,
      };
      return { file, received, media };
    } catch (error) {
      if (file !== received.scratch) file.discardSoon();
      throw error;
    }
  }

  /** Stores and registers a checked file. Throws as `MediaUploads.register` does; then nothing is stored. */
  keep({ file, received, media }: CheckedFile, uploader: Uploader): Promise<UploadedMedia> {
    return this.storeAndRegister(file, received, uploader, media);
  }

  /** Discards the scrubbed copy of a checked file; the received one stays. */
  discardSoon({ file, received }: CheckedFile): void {
    if (file !== received.scratch) file.discardSoon();
  }

  private async assertNotBanned(sha256: Buffer): Promise<void> {
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) throw new BannedHashError();
  }

  private async inspect(file: ScratchFile, quota: UploadQuota): Promise<Inspection> {
    const outcome = await this.inspector.inspect(quota.subject, file.path);
    if ('refusal' in outcome && outcome.refusal === 'overran')
      await this.media.countRefused(quota, OVERRUN_UPLOADS);
    if ('refusal' in outcome) throw refusals[outcome.refusal]();
    const { inspection } = outcome;
    if (inspection.facts.kind === 'video' && !this.config.acceptVideos) throw refusals.noVideos();
    if (hasTooManyPixels(inspection.facts)) throw refusals.tooManyPixels();
    return inspection;
  }

  /** Stores the bytes before the row, so that a row never lacks its file. */
  private storeAndRegister(
    file: ScratchFile,
    received: ReceivedFile,
    uploader: Uploader,
    media: Omit<NewMedia, 'slug'>,
  ): Promise<UploadedMedia> {
    return withFreshSlug('media', async (slug) => {
      const key = objectKeys.original(slug, media.ext);
      if (!(await this.storage.addNew(file.path, key))) throw new SlugTakenError('media');
      return this.register({ ...media, slug }, received, uploader).catch(async (error) => {
        // After any other error the row may be committed nevertheless; the orphan sweep finds out.
        if (error instanceof DomainError || error instanceof SlugTakenError) await this.storage.delete([key]);
        throw error;
      });
    });
  }

  private async register(
    media: NewMedia,
    { post, postReference }: ReceivedFile,
    { caller, quota }: Uploader,
  ): Promise<UploadedMedia> {
    if (!post) return { ...(await this.media.register(media, quota, postReference)), post: null };
    if (!caller) throw new UnauthenticatedError();
    const created = await this.posts.createFromUpload(caller, media, quota, post);
    return { ...created.view, post: created.post };
  }
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
