import { Injectable } from '@nestjs/common';
import { DeletionHold, PendingFiles } from '@vitrine/domain';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../config/upload.config';
import { PurgeService } from './purge.service';

/** Slugs whose objects are deleted at the same time. */
const BATCH = 10;

/**
 * Deletes what uploads of killed processes have stored, and what was stored for media after their deletion. It reads no list
 * of the storage: `npm run admin -- sweep-orphans` compares all objects with the database.
 */
@Injectable()
export class PendingFilesSweep extends Sweep {
  readonly name = 'pending files';
  readonly intervalSeconds: number;

  constructor(
    private readonly config: UploadConfig,
    private readonly pending: PendingFiles,
    private readonly purges: PurgeService,
    private readonly hold: DeletionHold,
  ) {
    super();
    this.intervalSeconds = config.cleanupIntervalSeconds;
  }

  async runOnce(mayContinue: () => boolean): Promise<Readonly<Record<string, number>>> {
    if (await this.hold.isHeld()) return {};
    const seconds = this.config.orphanAgeSeconds;
    const givenUp = await this.pending.giveUp(seconds);
    let removed = 0;
    while (mayContinue()) {
      const slugs = await this.pending.takeGivenUp(BATCH, seconds);
      const counts = await Promise.all(slugs.map((slug) => this.purges.purge(slug)));
      await this.pending.end(slugs);
      removed += counts.reduce((sum, count) => sum + count, 0);
      if (slugs.length < BATCH) break;
    }
    return { 'given up': givenUp, removed };
  }
}
