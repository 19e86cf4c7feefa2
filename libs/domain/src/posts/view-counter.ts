import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { TransactionRunner } from '@vitrine/database';
import { errorMessage } from '@vitrine/runtime';
import { PostRepository } from './post.repository';

/** Views wait at most this long; `view_count` may lag 5 s (decisions, "Post"). */
const FLUSH_MS = 2_000;

/** Posts of which views are kept at most while the database is away: some 10 MB. */
const MOST_POSTS = 100_000;

/** Posts that one statement changes. */
const BATCH = 5_000;

/**
 * Counts views in memory and adds them up in the database now and then: a post that is read a thousand times a second
 * has its row written every two. What a flush can't write is kept for the next.
 */
@Injectable()
export class ViewCounter implements OnApplicationShutdown {
  private readonly logger = new Logger(ViewCounter.name);
  private counts = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: PostRepository,
  ) {}

  /** A post was seen. */
  count(postId: number): void {
    if (!this.add(postId, 1)) return;
    this.schedule();
  }

  /** Writes all views counted so far. Views that couldn't be written stay counted. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.writeAll());
    return this.flushing;
  }

  /** By then no request is under way any more. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.flush();
    if (this.counts.size > 0) this.logger.error(`Views of ${this.counts.size} posts are lost`);
  }

  private add(postId: number, views: number): boolean {
    const known = this.counts.get(postId);
    if (known === undefined && this.counts.size >= MOST_POSTS) return false;
    this.counts.set(postId, (known ?? 0) + views);
    return true;
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
    this.counts = new Map();
    for (let done = 0; done < taken.length; done += BATCH) {
      try {
        const batch = new Map(taken.slice(done, done + BATCH));
        await this.transactions.run((tx) => this.repository.addViews(tx, batch));
      } catch (error) {
        this.logger.warn(`Views were not written and will be later: ${errorMessage(error)}`);
        for (const [postId, views] of taken.slice(done)) this.add(postId, views);
        this.schedule();
        return;
      }
    }
  }
}
