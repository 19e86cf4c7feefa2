import { Injectable } from '@nestjs/common';
import { Sweep } from '@vitrine/runtime';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';

/** Removes incomplete writes of killed processes from the storage itself; in a bucket, these are parts of large files. */
@Injectable()
export class StaleWritesSweep extends Sweep {
  readonly name = 'stale writes';
  readonly intervalSeconds: number;

  constructor(
    private readonly config: UploadConfig,
    private readonly storage: ObjectStorage,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(mayContinue: () => boolean): Promise<{ readonly removed: number }> {
    const before = new Date(Date.now() - this.config.orphanAgeSeconds * 1000);
    return { removed: await this.storage.abortStaleWrites(before, mayContinue) };
  }
}
