import type { PurgedMedia } from '@vitrine/domain';
import { PICTURE_CLASSES } from '../files/picture-class';
import { CachePurgeError } from './cache-purger';
import { OwnCachePurger, type ToldCache } from './own-cache-purger';
import { sendPurge } from './purge-request';

/** Requests to one nginx at the same time. */
const AT_ONCE = 8;

/**
 * Tells nginx by cache key, because it knows no tags: the module cache-purge removes one file of the cache for each key.
 * docker/nginx/cache.conf makes the keys of names and of classes of `Accept`, never of queries, so there are no others.
 */
export class NginxPurger extends OwnCachePurger {
  readonly name = 'nginx';
  /** A media item has up to about a hundred keys. */
  readonly batch = 20;

  protected async tell(media: readonly PurgedMedia[], cache: ToldCache): Promise<void> {
    const left = media.flatMap(({ fileNames }) => fileNames.flatMap(keysOf)).values();
    const work = async (): Promise<void> => {
      for (const key of left) await this.purgeKey(key, cache);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async purgeKey(key: string, { url, address, signal }: ToldCache): Promise<void> {
    const { status, headers } = await sendPurge(`${url}/${key}`, { method: 'PURGE', address }, signal);
    // 404: the key is not in the cache. Any other server may answer 404 too, so the header shows that it is ours.
    if ((status !== 200 && status !== 404) || headers['vitrine-purged'] === undefined)
      throw new CachePurgeError(`${address}: nginx answered ${status}, not as docker/nginx/cache.conf`);
  }
}

/** Sizes are negotiated, originals are not. */
const keysOf = (name: string): readonly string[] =>
  name.includes('_') ? PICTURE_CLASSES.map((pictures) => `${name}:${pictures}`) : [`${name}:plain`];
