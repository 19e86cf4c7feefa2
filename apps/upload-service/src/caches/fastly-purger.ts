import type { PurgedMedia } from '@vitrine/domain';
import type { CdnAccount } from '../config/caches.config';
import { CachePurger } from './cache-purger';
import { refusalOf } from './cdn-answers';
import { sendPurge } from './purge-request';

/** Tells Fastly by `Surrogate-Key`. */
export class FastlyPurger extends CachePurger {
  readonly name = 'fastly';
  /** The largest number of keys in one request. */
  readonly batch = 256;

  constructor(
    private readonly service: CdnAccount,
    private readonly timeoutSeconds: number,
  ) {
    super();
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const { apiUrl, id, token } = this.service;
    const answer = await sendPurge(
      `${apiUrl}/service/${id}/purge`,
      {
        method: 'POST',
        headers: { 'Fastly-Key': token, 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ surrogate_keys: media.map(({ slug }) => slug) }),
      },
      AbortSignal.any([stop, AbortSignal.timeout(this.timeoutSeconds * 1000)]),
    );
    if (answer.status !== 200) throw refusalOf('Fastly', answer);
  }
}
