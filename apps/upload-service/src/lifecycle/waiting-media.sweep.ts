import { Injectable } from '@nestjs/common';
import { MediaService } from '@vitrine/domain';
import { UploadConfig } from '../upload.config';
import type { Sweep } from './sweeper';

/** Announces again what has waited too long for its variants or its decision, so that nothing is ever stuck. */
@Injectable()
export class WaitingMediaSweep implements Sweep {
  readonly name = 'waiting media';
  readonly intervalSeconds: number;

  constructor(
    private readonly config: UploadConfig,
    private readonly media: MediaService,
  ) {
    this.intervalSeconds = config.sweepIntervalSeconds;
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const due = { firstAfterSeconds: this.config.reannounceAfterSeconds };
    const unprocessed = await this.media.announceUnprocessed(due, this.config.processingAttempts);
    const undecided = await this.media.announceUndecided(due);
    return {
      'announced as uploaded': unprocessed.announced,
      'given up': unprocessed.failed,
      'announced as processed': undecided.announced,
    };
  }
}
