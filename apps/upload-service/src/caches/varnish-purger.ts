import type { PurgedMedia } from '@vitrine/domain';
import { CachePurgeError } from './cache-purger';
import { OwnCachePurger, type ToldCache } from './own-cache-purger';
import { sendPurge } from './purge-request';

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
