import { Injectable } from '@nestjs/common';
import { objectKeys } from '@vitrine/contracts';
import {
  BannedHashError,
  BannedHashesService,
  DomainError,
  MediaService,
  type MediaView,
  type NewMedia,
  randomSlug,
  SlugTakenError,
  type UploadQuota,
} from '@vitrine/domain';
import type { Inspection, MediaFacts } from '@vitrine/formats';
import { ObjectStorage } from '@vitrine/storage';
import { FileInspector } from './file-inspector';
import { hasTooManyPixels } from './intake.rules';
import type { ScratchFile } from './scratch-file';
import { scrub } from './scrub';
import { UploadConfig } from '../upload.config';
import { refusals } from './upload-errors';
import type { ReceivedFile } from './upload-receiver';

/** Slugs are drawn from 62^7: a second collision in a row means that something else is wrong. */
const SLUG_TRIES = 5;

/** How many files of its uploader's day a file costs that takes too long to read: it takes the time of as many others. */
const OVERRUN_FILES = 10;

/** Whose a new media is, and whose day it counts for. */
export interface Uploader {
  /** Null where the file came without a token, through the web site. */
  readonly userId: number | null;
  readonly quota: UploadQuota;
  /** The file comes from the site's upload page: it stays unlisted until it is in a public post. */
  readonly viaTicket: boolean;
}

/** Makes a media of a received file: checked, scrubbed, stored, and known to the database, in this order. */
@Injectable()
export class IntakeService {
  constructor(
    private readonly inspector: FileInspector,
    private readonly media: MediaService,
    private readonly bannedHashes: BannedHashesService,
    private readonly storage: ObjectStorage,
    private readonly config: UploadConfig,
  ) {}

  /** Throws the refusals of upload-errors.ts and those of `MediaService.register`, with nothing stored. */
  async takeIn(received: ReceivedFile, uploader: Uploader): Promise<MediaView> {
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
      return await this.store(file, received.postReference, uploader, {
        ...describe(facts),
        userId: uploader.userId,
        unlisted: uploader.viaTicket || received.unlisted,
        bytes: file.size,
        receivedSha256: received.sha256,
        storedSha256: sha256,
      });
    } finally {
      if (file !== received.scratch) file.discardSoon();
    }
  }

  private async assertNotBanned(sha256: Buffer): Promise<void> {
    if (await this.bannedHashes.isBannedSha256(sha256.toString('hex'))) throw new BannedHashError();
  }

  private async inspect(file: ScratchFile, quota: UploadQuota): Promise<Inspection> {
    const outcome = await this.inspector.inspect(quota.subject, file.path);
    if ('refusal' in outcome && outcome.refusal === 'overran')
      await this.media.countRefused(quota, OVERRUN_FILES);
    if ('refusal' in outcome) throw refusals[outcome.refusal]();
    const { inspection } = outcome;
    if (inspection.facts.kind === 'video' && !this.config.acceptVideos) throw refusals.noVideos();
    if (hasTooManyPixels(inspection.facts)) throw refusals.tooManyPixels();
    return inspection;
  }

  /** Bytes first, row last. */
  private async store(
    file: ScratchFile,
    postReference: string | null,
    { quota }: Uploader,
    media: Omit<NewMedia, 'slug'>,
  ): Promise<MediaView> {
    for (let attempt = 1; ; attempt++) {
      const slug = randomSlug();
      const key = objectKeys.original(slug, media.ext);
      try {
        if (!(await this.storage.addNew(file.path, key))) throw new SlugTakenError();
        return await this.media.register({ ...media, slug }, quota, postReference).catch(async (error) => {
          // After any other failure the row may be committed all the same: the sweeper will know.
          if (error instanceof DomainError || error instanceof SlugTakenError)
            await this.storage.delete([key]);
          throw error;
        });
      } catch (error) {
        if (!(error instanceof SlugTakenError) || attempt === SLUG_TRIES) throw error;
      }
    }
  }
}

const describe = ({ kind, format, mime, ext, width, height, duration, frames }: MediaFacts) => ({
  kind,
  format,
  mime,
  ext,
  width,
  height,
  duration,
  frames,
});
