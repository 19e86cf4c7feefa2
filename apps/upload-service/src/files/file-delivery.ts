import { Injectable } from '@nestjs/common';
import { NotFoundError, VariantRetention } from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { throwFailedLookUp } from './failed-look-ups';
import { FileSender, ObjectMissingError } from './file-sender';
import { FilesService, type ServedFile, VariantMissingError, VariantRemovedError } from './files.service';
import { MissLimit } from './miss-limit';
import { type PictureClass, pictureClassOf } from './picture-class';
import { RetentionConfig } from './retention.config';
import { VariantRemakes } from './variant-remakes';
import { VariantHolds } from './variant-holds';

/** How often a request asks for a removed variant. A variant that is being removed must be gone before it can be made. */
const MAX_DEMANDS = 5;

/** Answers requests for files: finds the object, waits for it if it is being made, and has it sent. */
@Injectable()
export class FileDelivery {
  private readonly holdSeconds: number;
  private readonly retentionDays: number;

  constructor(
    private readonly files: FilesService,
    private readonly sender: FileSender,
    private readonly misses: MissLimit,
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

  /** Sends the file with this public name. A name that no file has counts as a miss of the client. */
  async deliver(name: string, request: Request, response: Response): Promise<void> {
    throwFailedLookUp(request);
    // A download has the type of its name, because it is stored under it.
    const pictures = 'download' in request.query ? null : pictureClassOf(request.headers.accept);
    await this.misses.countAround(request, () => this.send(name, pictures, request, response));
  }

  /** Refuses a request for a path that no file can have; it counts as a miss too. */
  async refuse(request: Request): Promise<void> {
    await this.misses.countAround(request, () => Promise.reject(new NotFoundError()));
  }

  private async send(
    name: string,
    pictures: PictureClass | null,
    request: Request,
    response: Response,
  ): Promise<void> {
    const file = await this.find(name, pictures, request, response);
    try {
      await this.sender.send(file, request, response);
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      // Every variant is complete without its alternatives.
      if (file.isAlternative) return this.send(name, 'plain', request, response);
      const again = await this.findAgain(file, () => this.find(name, pictures, request, response));
      if (!again) throw error;
      await this.sender.send(again, request, response);
    }
  }

  /**
   * Where a file is whose object is missing: it is made again, or is stored under another key since the row was read;
   * else null.
   */
  private async findAgain(file: ServedFile, find: () => Promise<ServedFile>): Promise<ServedFile | null> {
    if (await this.isRecoverable(file)) return find();
    this.files.forget(file.slug);
    const found = await find();
    return found.storedKey === file.storedKey ? null : found;
  }

  /**
   * Whether a missing object can be made again: a process may have been killed, or a media item processed again, while a
   * variant was removed.
   */
  private async isRecoverable({ slug, key: missing, variant }: ServedFile): Promise<boolean> {
    if (this.retentionDays === 0 || variant === null) return false;
    const isMarked = await this.retention.recordMissing(
      slug,
      missing,
      async (key) => (await this.storage.head(key)) !== null,
    );
    this.files.forget(slug);
    return isMarked;
  }

  /** Waits for a variant that is being made. */
  private async find(
    name: string,
    pictures: PictureClass | null,
    request: Request,
    response: Response,
  ): Promise<ServedFile> {
    const until = performance.now() + this.holdSeconds * 1000;
    for (let demands = 0; ;) {
      try {
        return await this.files.find(name, pictures);
      } catch (error) {
        if (error instanceof VariantRemovedError) {
          if (++demands > MAX_DEMANDS) throw error;
          if (await this.remakes.demand(error, until, request, response)) continue;
          if (error.instead) return error.instead;
        }
        if (!(error instanceof VariantMissingError)) throw error;
        // Looks up the row again if it was read for another request just before it changed.
        const seconds = Math.max(0, until - performance.now()) / 1000;
        if (!(await this.holds.hold(error.slug, seconds, request, response))) throw error;
      }
    }
  }
}
