import type { PurgedMedia } from '@vitrine/domain';
import { forAllAddresses } from './all-addresses';
import { CachePurgeError, CachePurger } from './cache-purger';
import { sendPurge } from './purge-request';

/** The values of `$vitrine_pictures` in docker/nginx/cache.conf: which picture formats a client accepts. */
export const PICTURE_CLASSES = ['plain', 'webp', 'avif', 'avif-only'] as const;

/** Requests to one nginx at the same time. */
const AT_ONCE = 8;

/**
 * Tells nginx by cache key, because it knows no tags: the module cache-purge removes one file of the cache for each key.
 * docker/nginx/cache.conf makes the keys of names and of classes of `Accept`, never of queries, so there are no others.
 */
export class NginxPurger extends CachePurger {
  readonly name = 'nginx';
  /** A media item has up to about a hundred keys. */
  readonly batch = 20;

  constructor(
    private readonly urls: readonly string[],
    private readonly timeoutSeconds: number,
  ) {
    super();
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.timeoutSeconds * 1000)]);
    const keys = media.flatMap(({ fileNames }) => fileNames.flatMap(keysOf));
    await forAllAddresses(this.urls, async (url, address) => {
      const left = keys.values();
      const work = async (): Promise<void> => {
        for (const key of left) await this.purgeKey(`${url}/${key}`, address, signal);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    });
  }

  private async purgeKey(url: string, address: string, signal: AbortSignal): Promise<void> {
    const { status, headers } = await sendPurge(url, { method: 'PURGE', address }, signal);
    // 404: the key is not in the cache. Any other server may answer 404 too, so the header shows that it is ours.
    if ((status !== 200 && status !== 404) || headers['vitrine-purged'] === undefined)
      throw new CachePurgeError(`${address}: nginx answered ${status}, not as docker/nginx/cache.conf`);
  }
}

/** Sizes are negotiated, originals are not. */
const keysOf = (name: string): readonly string[] =>
  name.includes('_') ? PICTURE_CLASSES.map((pictures) => `${name}:${pictures}`) : [`${name}:plain`];
