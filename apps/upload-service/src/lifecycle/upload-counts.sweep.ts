import { Injectable } from '@nestjs/common';
import { MediaService } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../upload.config';

/** Only today's uploads count; two more days are kept for whoever asks why somebody was refused. */
const KEPT_DAYS = 2;

/** Forgets how many files were uploaded on days long gone, and from which addresses. */
@Injectable()
export class UploadCountsSweep extends Sweep {
  readonly name = 'upload counts';
  readonly intervalSeconds: number;

  constructor(
    config: UploadConfig,
    private readonly media: MediaService,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    return { removed: await this.media.forgetUploadCounts(KEPT_DAYS) };
  }
}
