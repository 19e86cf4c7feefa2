import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { FeedCountsService } from '../../posts/feeds/feed-counts.service';
import { NotificationsService } from '../notifications/notifications.service';

/** The number of followers who are looked at in one transaction. It takes tens of milliseconds. */
const BATCH = 1000;

/**
 * Notifies followers of new posts, in batches of short transactions. A batch that is interrupted is done again; nobody is
 * notified of a post twice. Several processes may work at the same time, on different posts.
 */
@Injectable()
export class Announcements {
  constructor(
    private readonly database: Database,
    private readonly feeds: FeedCountsService,
    private readonly notifications: NotificationsService,
  ) {}

  /** Notifies followers while `mayContinue` returns true and posts are announced. Returns the number of finished posts. */
  async runDue(mayContinue: () => boolean, batch = BATCH): Promise<number> {
    let done = 0;
    while (mayContinue()) {
      const step = await this.database.transaction(async (tx) => {
        const announced = await this.feeds.takeAnnouncement(tx);
        if (!announced) return 'none';
        const { postId, afterFollowId } = announced;
        const last = await this.notifications.announce(tx, postId, afterFollowId, batch);
        await this.feeds.recordAnnouncement(tx, postId, last);
        return last === null ? 'finished' : 'more';
      });
      if (step === 'none') break;
      if (step === 'finished') done++;
    }
    return done;
  }
}
