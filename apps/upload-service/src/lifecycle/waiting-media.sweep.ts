import { Injectable } from '@nestjs/common';
import {
  type EventDefinition,
  mediaLongProcessingRequested,
  mediaVariantsStored,
  mediaProcessingRequested,
} from '@vitrine/contracts';
import { type AnnouncementsDue, MediaProcessingService, ProcessingTurns } from '@vitrine/domain';
import { MessageTransport, queuesOf } from '@vitrine/messaging';
import { Sweep } from '@vitrine/runtime';
import { UploadConfig } from '../config/upload.config';

/** Longest interval between two requests for one media item. */
const MAX_WAIT_SECONDS = 3600;

/** Requests media again that have waited too long for their variants or their decision, so that none waits forever. */
@Injectable()
export class WaitingMediaSweep extends Sweep {
  readonly name = 'waiting media';
  readonly intervalSeconds: number;
  private readonly due: AnnouncementsDue;

  constructor(
    config: UploadConfig,
    private readonly media: MediaProcessingService,
    private readonly turns: ProcessingTurns,
    private readonly bus: MessageTransport,
  ) {
    super();
    this.intervalSeconds = config.sweepIntervalSeconds;
    const firstAfterSeconds = config.reannounceAfterSeconds;
    this.due = { firstAfterSeconds, atMostSeconds: Math.max(firstAfterSeconds, MAX_WAIT_SECONDS) };
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    // During an outage of the bus no message is lost, and none published now would arrive.
    if (!this.bus.healthy()) return {};
    await this.turns.sweep();
    return {
      'requested again': await this.unlessQueued(mediaProcessingRequested, () =>
        this.turns.requestOverdue('quick', this.due),
      ),
      'requested again as long work': await this.unlessQueued(mediaLongProcessingRequested, () =>
        this.turns.requestOverdue('long', this.due),
      ),
      'announced as processed': await this.unlessQueued(mediaVariantsStored, () =>
        this.media.announceUndecided(this.due),
      ),
    };
  }

  /** Runs `announce` unless the event's queues have a backlog, which probably contains these media already. */
  private async unlessQueued(
    event: EventDefinition<string, unknown>,
    announce: () => Promise<number>,
  ): Promise<number> {
    for (const { name } of queuesOf([event])) {
      if ((await this.bus.depth(name)).waiting > 0) return 0;
    }
    return announce();
  }
}
