import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { OLDEST_DUE } from '../../outgoing/webhooks/due-deliveries-sql';

/** For each kind of periodic work, whether there is some to do now. */
export interface WaitingWork {
  /** Deliveries of webhooks are due. */
  readonly webhooks: boolean;
  /** Mails are due, or requests for new passwords must be resolved. */
  readonly mails: boolean;
  /** Changes of feeds must be folded into their counts. */
  readonly feedCounts: boolean;
  /** Votes and listings have changed ranks. */
  readonly ranks: boolean;
  /** Followers must be notified of new posts. */
  readonly announcements: boolean;
  /** Changes of what is stored must be folded into its counts. */
  readonly storageCounts: boolean;
}

/** One small statement instead of one or more for each kind of work. */
const LOOK = `
select (${OLDEST_DUE}) is not null as "webhooks",
       exists (select from mails where status = 'pending' and next_attempt_at <= now())
         or exists (select from reset_requests) as "mails",
       exists (select from feed_deltas) as "feedCounts",
       exists (select from rank_changes) as "ranks",
       exists (select from post_announcements) as "announcements",
       exists (select from storage_deltas) as "storageCounts"`;

/** The query on the work of all kinds. */
@Injectable()
export class WaitingWorkRepository {
  constructor(private readonly database: Database) {}

  async find(): Promise<WaitingWork> {
    const [found] = await this.database.read<WaitingWork & object>(LOOK);
    if (!found) throw new Error('A statement without a table has no row');
    return found;
  }
}
