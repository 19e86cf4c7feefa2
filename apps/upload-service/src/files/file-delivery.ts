import { Injectable } from '@nestjs/common';
import { NotFoundError } from '@vitrine/domain';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { FileSender } from './file-sender';
import { FilesService, type ServedFile, VariantMissingError } from './files.service';
import { MissLimit } from './miss-limit';
import { VariantHolds } from './variant-holds';

/** Answers requests for files: finds the object, waits for it if it is being made, and has it sent. */
@Injectable()
export class FileDelivery {
  private readonly holdSeconds: number;

  constructor(
    private readonly files: FilesService,
    private readonly sender: FileSender,
    private readonly misses: MissLimit,
    private readonly holds: VariantHolds,
    config: UploadConfig,
  ) {
    this.holdSeconds = config.fileHoldSeconds;
  }

  /** Sends the file with this public name. A name that no file has counts as a miss of the client. */
  async deliver(name: string, request: Request, response: Response): Promise<void> {
    await this.misses.countAround(request, async () => {
      await this.sender.send(await this.find(name, request, response), request, response);
    });
  }

  /** Refuses a request for a path that no file can have; it counts as a miss too. */
  async refuse(request: Request): Promise<void> {
    await this.misses.countAround(request, () => Promise.reject(new NotFoundError()));
  }

  /** Waits for a variant that is being made. */
  private async find(name: string, request: Request, response: Response): Promise<ServedFile> {
    const until = performance.now() + this.holdSeconds * 1000;
    for (;;) {
      try {
        return await this.files.find(name);
      } catch (error) {
        if (!(error instanceof VariantMissingError)) throw error;
        // Looks up the row again if it was read for another request just before it changed.
        const seconds = Math.max(0, until - performance.now()) / 1000;
        if (!(await this.holds.hold(error.slug, seconds, request, response))) throw error;
      }
    }
  }
}
