import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  BannedHashError,
  BannedHashesService,
  type Caller,
  DomainError,
  MediaDeletion,
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
interface CheckedFile {
  /** The bytes to store. */
  readonly file: ScratchFile;
  readonly received: ReceivedFile;
  readonly media: Omit<NewMedia, 'slug'>;
}

/** A new media item, and the post that was created of it, if one was asked for. */
export interface UploadedMedia extends MediaView {
  readonly post: OwnPost | null;
}

/** Makes media from received files: checks, scrubs, stores and registers them. */
@Injectable()
export class IntakeService {
  constructor(
    private readonly inspector: FileInspector,
    private readonly media: MediaUploads,
    private readonly deletion: MediaDeletion,
    private readonly posts: PostEditingService,
    private readonly bannedHashes: BannedHashesService,
    private readonly room: UploadRoom,
    private readonly storage: ObjectStorage,
    private readonly config: UploadConfig,
  ) {}

  /**
   * Makes media of received files: either all become media or none. Throws the refusals of upload-errors.ts, of
   * `UploadRoom` and of `MediaUploads.register`.
   */
  async createMedia(
    received: readonly ReceivedFile[],
    uploader: Uploader,
  ): Promise<readonly UploadedMedia[]> {
    const checked: CheckedFile[] = [];
    const created: UploadedMedia[] = [];
    try {
      for (const file of received) checked.push(await this.check(file, uploader));
      const sizes = checked.map(({ media }) => media.bytes);
      if (sizes.length > 1) await this.room.assertFiles(uploader.caller, sizes);
      for (const file of checked) created.push(await this.storeAndRegister(file, uploader));
      return created;
    } catch (error) {
      // After the checks only the quota, the account or the database can refuse a file. No list has shown the others.
      const { caller } = uploader;
      if (caller) await Promise.all(created.map(({ media }) => this.deletion.remove(media.slug, caller)));
      throw error;
    } finally {
      for (const { file, received } of checked) if (file !== received.scratch) file.discardSoon();
    }
  }

  /** Checks and scrubs a received file. The caller must discard the scrubbed copy. */
  private async check(received: ReceivedFile, uploader: Uploader): Promise<CheckedFile> {
    await this.assertNotBanned(received.sha256);
    const { facts, rewrite } = await this.inspect(received.scratch, uploader.quota);
    const { file, sha256 } = await scrub({ file: received.scratch, sha256: received.sha256 }, rewrite, () =>
      this.storage.scratchDirectory(),
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

  private async assertNotBanned(sha256: Buffer): Promise<void> {
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) throw new BannedHashError();
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

  /** Stores the bytes before the row, so that a row never lacks its file. */
  private storeAndRegister(
    { file, received, media }: CheckedFile,
    uploader: Uploader,
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
