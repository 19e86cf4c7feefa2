import { Injectable } from '@nestjs/common';
import { MediaUploads } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../config/upload.config';

/** Only today's uploads count. Two more days are kept so that the operator can explain a refusal. */
const KEPT_DAYS = 2;

/** Deletes the upload counts of past days, with their addresses. */
@Injectable()
export class UploadCountsSweep extends Sweep {
  readonly name = 'upload counts';
  readonly intervalSeconds: number;

  constructor(
    config: UploadConfig,
    private readonly media: MediaUploads,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(): Promise<{ readonly removed: number }> {
    return { removed: await this.media.forgetUploadCounts(KEPT_DAYS) };
  }
}
