import type { PurgedMedia } from '@vitrine/domain';
import { forAllAddresses } from './all-addresses';
import { CachePurgeError, CachePurger } from './cache-purger';
import { sendPurge } from './purge-request';

/** Tells Varnish by slug: docker/varnish/files.vcl bans all answers whose `Surrogate-Key` is one of them. */
export class VarnishPurger extends CachePurger {
  readonly name = 'varnish';
  /** The header with them stays far below Varnish's limit of 8 KiB. */
  readonly batch = 200;

  constructor(
    private readonly urls: readonly string[],
    private readonly timeoutSeconds: number,
  ) {
    super();
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(this.timeoutSeconds * 1000)]);
    const slugs = media.map(({ slug }) => slug).join('|');
    await forAllAddresses(this.urls, async (url, address) => {
      const request = { method: 'PURGE', headers: { 'Vitrine-Slugs': slugs }, address };
      const { status, headers } = await sendPurge(url, request, signal);
      // Another server may answer 200 to anything.
      if (status !== 200 || headers['vitrine-purged'] === undefined)
        throw new CachePurgeError(`${address}: Varnish answered ${status}, not as docker/varnish/files.vcl`);
    });
  }
}
