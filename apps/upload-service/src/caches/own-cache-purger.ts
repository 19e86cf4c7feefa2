import type { PurgedMedia } from '@vitrine/domain';
import { CachePurger } from './cache-purger';
import { addressesOf } from './purge-request';

/** Caches of our own, of one kind: each URL names one or, by several addresses, several. All are told at the same time. */
export abstract class OwnCachePurger extends CachePurger {
  constructor(
    private readonly urls: readonly string[],
    private readonly timeoutSeconds: number,
  ) {
    super();
  }

  /** Rejects with the first error after all have ended. */
  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.timeoutSeconds * 1000)]);
    await allEnded(
      this.urls.map(async (url) => {
        const addresses = await addressesOf(url);
        await allEnded(addresses.map((address) => this.tell(media, { url, address, signal })));
      }),
    );
  }

  /** Tells the cache at one address. */
  protected abstract tell(media: readonly PurgedMedia[], cache: ToldCache): Promise<void>;
}

/** One cache, and what ends the requests to it. */
export interface ToldCache {
  readonly url: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason as Error;
}
