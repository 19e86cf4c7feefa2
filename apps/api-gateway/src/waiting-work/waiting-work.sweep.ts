import { Injectable } from '@nestjs/common';
import { type WaitingWork, WaitingWorkService } from '@vitrine/domain';
import { Sweep, Sweeper } from '@vitrine/runtime';
import { FeedFoldingSweep } from '../feed-sweeps/feed-folding.sweep';
import { RankingSweep } from '../feed-sweeps/ranking.sweep';
import { MailDelivery } from '../mails/mail-delivery';
import { AnnouncementSweep } from '../notifications/announcement.sweep';
import { StorageFoldingSweep } from '../quotas/storage-folding.sweep';
import { WebhookDelivery } from '../webhooks/webhook-delivery';

/**
 * Looks for the work of the other sweeps with one statement, and wakes those that have some. A call after the commits of
 * writes could not announce the writes of other processes, nor retries, which become due without a write.
 */
@Injectable()
export class WaitingWorkSweep extends Sweep {
  readonly name = 'waiting work';
  /** New work waits for at most this long, and for the interval of its sweep. */
  readonly intervalSeconds = 0.5;
  private readonly sweeps: Readonly<Record<keyof WaitingWork, Sweep>>;

  constructor(
    private readonly work: WaitingWorkService,
    private readonly sweeper: Sweeper,
    webhooks: WebhookDelivery,
    mails: MailDelivery,
    feedCounts: FeedFoldingSweep,
    ranks: RankingSweep,
    announcements: AnnouncementSweep,
    storageCounts: StorageFoldingSweep,
  ) {
    super();
    this.sweeps = { webhooks, mails, feedCounts, ranks, announcements, storageCounts };
  }

  /** Does not wait for the sweeps. */
  async runOnce(): Promise<Readonly<Record<string, number>>> {
    const waiting = await this.work.find();
    for (const kind of Object.keys(this.sweeps) as (keyof WaitingWork)[]) {
      if (waiting[kind]) this.sweeper.wake(this.sweeps[kind]);
    }
    return {};
  }
}
