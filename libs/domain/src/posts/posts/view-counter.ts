import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { CommitUnansweredError, Database } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { PostStatisticsRepository } from './post-statistics.repository';
import { PostRepository } from '../rows/post.repository';

/** Views are written after this time, in milliseconds; `view_count` may be 5 s late (see the API description). */
const FLUSH_MS = 2_000;

/** The largest number of posts whose views are kept while the database is down: about 10 MB. */
const MAX_POSTS = 100_000;

/** The number of sites that are counted for a post until its views are written. */
const MAX_HOSTS = 20;

/** The number of posts that one statement changes. */
const BATCH = 5_000;

/**
 * Counts views in memory and adds them to the database every two seconds, so that a popular post's row isn't written
 * for each view. Views that can't be written are kept for the next time, without the sites that they came from.
 */
@Injectable()
export class ViewCounter implements OnApplicationShutdown {
  private readonly logger = new Logger(ViewCounter.name);
  private counts = new Map<number, number>();
  /** For each post, the views that came from other sites. */
  private referred = new Map<number, Map<string, number>>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly repository: PostRepository,
    private readonly statistics: PostStatisticsRepository,
  ) {}

  /** Counts a view of a post. `referrer`: the host of the site that led to it; null if it is unknown or this site. */
  count(postId: number, referrer: string | null = null): void {
    if (!this.add(postId, 1)) return;
    if (referrer !== null) this.addReferrer(postId, referrer);
    this.schedule();
  }

  /** Writes all views counted so far. Views that couldn't be written stay counted. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.writeAll());
    return this.flushing;
  }

  /** Writes the remaining views. No request is in progress at this time. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.flush();
    if (this.counts.size > 0)
      this.logger.error(`Views of ${this.counts.size} posts could not be written and are lost`);
  }

  private add(postId: number, views: number): boolean {
    const known = this.counts.get(postId);
    if (known === undefined && this.counts.size >= MAX_POSTS) return false;
    this.counts.set(postId, (known ?? 0) + views);
    return true;
  }

  private addReferrer(postId: number, host: string): void {
    let hosts = this.referred.get(postId);
    if (!hosts) this.referred.set(postId, (hosts = new Map<string, number>()));
    if (hosts.has(host) || hosts.size < MAX_HOSTS) hosts.set(host, (hosts.get(host) ?? 0) + 1);
  }

  private schedule(): void {
    if (this.stopped || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.flush();
    }, FLUSH_MS).unref();
  }

  private async writeAll(): Promise<void> {
    const taken = [...this.counts];
    const { referred } = this;
    this.counts = new Map();
    this.referred = new Map();
    for (let done = 0; done < taken.length; done += BATCH) {
      try {
        const batch = new Map(taken.slice(done, done + BATCH));
        const sites = [...batch.keys()].flatMap((postId) =>
          [...(referred.get(postId) ?? [])].map(([host, views]) => ({ postId, host, views })),
        );
        await this.database.transaction(async (tx) => {
          await this.repository.addViews(tx, batch);
          await this.statistics.add(tx, batch, sites);
        });
      } catch (error) {
        this.logger.warn(`Writing views failed and will be tried again: ${errorMessage(error)}`);
        // A batch whose COMMIT has no answer yet counts as written: it was sent.
        const from = error instanceof CommitUnansweredError ? done + BATCH : done;
        for (const [postId, views] of taken.slice(from)) this.add(postId, views);
        this.schedule();
        return;
      }
    }
  }
}
