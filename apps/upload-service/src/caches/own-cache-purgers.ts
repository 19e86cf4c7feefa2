import type { PurgedMedia } from '@vitrine/domain';
import { CachePurgeError, CachePurger } from './cache-purger';
import { addressesOf, sendPurge } from './purge-request';
import { PICTURE_CLASSES } from '../files/picture-class';

/** Caches of our own, of one kind: each URL names one or, by several addresses, several. All are told at the same time. */
abstract class OwnCachePurger extends CachePurger {
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
interface ToldCache {
  readonly url: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(works))
    if (result.status === 'rejected') throw result.reason as Error;
}

/** Tells Varnish by slug: docker/varnish/files.vcl bans all answers whose `Surrogate-Key` is one of them. */
export class VarnishPurger extends OwnCachePurger {
  readonly name = 'varnish';
  /** The header with them stays far below Varnish's limit of 8 KiB. */
  readonly batch = 200;

  protected async tell(media: readonly PurgedMedia[], { url, address, signal }: ToldCache): Promise<void> {
    const slugs = media.map(({ slug }) => slug).join('|');
    const request = { method: 'PURGE', headers: { 'Vitrine-Slugs': slugs }, address };
    const { status, headers } = await sendPurge(url, request, signal);
    // Another server may answer 200 to anything.
    if (status !== 200 || headers['vitrine-purged'] === undefined)
      throw new CachePurgeError(`${address}: Varnish answered ${status}, not as docker/varnish/files.vcl`);
  }
}

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
