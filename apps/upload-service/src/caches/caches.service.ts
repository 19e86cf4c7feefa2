import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  CachePurges,
  type ClaimedPurge,
  MediaFiles,
  type PurgeCause,
  type PurgedMedia,
} from '@vitrine/domain';
import { CachePurgeMetrics } from './cache-purge-metrics';
import { CachePurgeWorker } from './cache-purge-worker';
import { CachePurgers } from './cache-purgers';

/** Makes the caches in front of the file host forget media. Without configured caches it does nothing. */
@Injectable()
export class Caches implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly workers: readonly CachePurgeWorker[];

  constructor(
    private readonly queue: CachePurges,
    private readonly media: MediaFiles,
    private readonly purgers: CachePurgers,
    metrics: CachePurgeMetrics,
  ) {
    const purgedLate = async (cache: string, late: readonly ClaimedPurge[]): Promise<void> => {
      const others = purgers.names.filter((name) => name !== cache);
      for (const cause of ['withdrawn', 'replaced'] as const)
        await this.request(
          others,
          late.filter((purge) => purge.cause === cause),
          cause,
        );
    };
    this.workers = purgers.all.map((purger) => new CachePurgeWorker(purger, queue, metrics, purgedLate));
  }

  get areConfigured(): boolean {
    return this.purgers.names.length > 0;
  }

  /** Resolves when the request is recorded; the caches are told at once, and again later. */
  async forget(media: readonly PurgedMedia[], cause: PurgeCause): Promise<void> {
    await this.request(this.purgers.names, media, cause);
  }

  /** As `forget`, for a media item whose variants were replaced; nothing if it is deleted. */
  async forgetReplaced(slug: string): Promise<void> {
    if (!this.areConfigured) return;
    const files = await this.media.find(slug);
    if (files) await this.forget([files], 'replaced');
  }

  /** As `forget`, for all media of an account. */
  async forgetAccount(userId: number): Promise<void> {
    if (!this.areConfigured) return;
    for await (const page of this.media.findOfAccount(userId)) await this.forget(page, 'withdrawn');
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers) worker.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
  }

  private async request(
    caches: readonly string[],
    media: readonly PurgedMedia[],
    cause: PurgeCause,
  ): Promise<void> {
    await this.queue.request(caches, media, cause);
    for (const worker of this.workers) worker.wake();
  }
}
