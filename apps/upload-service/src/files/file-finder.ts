import { Injectable } from '@nestjs/common';
import { VariantRetention } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';
import type { FileExchange } from './file-sender';
import { FilesService, type ServedFile, VariantMissingError, VariantRemovedError } from './files.service';
import { RetentionConfig } from './retention.config';
import { VariantHolds } from './variant-holds';
import { VariantRemakes } from './variant-remakes';

/** How often a request looks for its file. A variant that is being removed must be gone before it can be made again. */
const MAX_ATTEMPTS = 6;

/** Finds the file that a request asks for, also if a variant must be made first or an object is missing. */
@Injectable()
export class FileFinder {
  private readonly holdSeconds: number;
  private readonly retentionDays: number;

  constructor(
    private readonly files: FilesService,
    private readonly holds: VariantHolds,
    private readonly remakes: VariantRemakes,
    private readonly retention: VariantRetention,
    private readonly storage: ObjectStorage,
    config: UploadConfig,
    { days }: RetentionConfig,
  ) {
    this.holdSeconds = config.fileHoldSeconds;
    this.retentionDays = days;
  }

  /**
   * Waits for a variant that must be made first, until the request has been held long enough. Throws `NotFoundError` if there
   * is no such file.
   */
  async find(exchange: FileExchange): Promise<ServedFile> {
    const { name, pictures } = exchange.asked;
    const until = performance.now() + this.holdSeconds * 1000;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.files.find(name, pictures);
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && (await this.waitForVariant(error, until, exchange))) continue;
        const instead = error instanceof VariantRemovedError ? error.instead : null;
        if (!instead) throw error;
        return instead;
      }
    }
  }

  /**
   * The file to send if the object of `file` is missing: a variant is made again, and an original may be stored under another
   * key since the row was read. Null if neither is so.
   */
  async findAgain(file: ServedFile, exchange: FileExchange): Promise<ServedFile | null> {
    const canBeRemade = await this.recordMissing(file);
    this.files.forget(file.slug);
    const again = await this.find(exchange);
    return canBeRemade || again.storedKey !== file.storedKey ? again : null;
  }

  /**
   * Waits for the variant whose absence is the `failure`. Returns whether the variant may be stored now: false if it isn't
   * at `until` (milliseconds as of `performance.now`), or if the failure has another cause.
   */
  private async waitForVariant(
    failure: unknown,
    until: number,
    { request, response }: FileExchange,
  ): Promise<boolean> {
    if (failure instanceof VariantRemovedError) return this.remakes.demand(failure, until, request, response);
    if (!(failure instanceof VariantMissingError)) return false;
    const seconds = Math.max(0, until - performance.now()) / 1000;
    const isMade = await this.holds.hold(failure.slug, seconds, request, response);
    // A statement of another request may have read the row just before the variant was recorded.
    this.files.forget(failure.slug);
    return isMade;
  }

  /**
   * Records that a variant is missing, and returns whether it can be made again: a process may have been killed, or a media
   * item processed again, while the variant was removed.
   */
  private async recordMissing({ slug, key: missing, variant }: ServedFile): Promise<boolean> {
    if (this.retentionDays === 0 || variant === null) return false;
    const isStored = async (key: string): Promise<boolean> => (await this.storage.head(key)) !== null;
    return this.retention.recordMissing(slug, missing, isStored);
  }
}
