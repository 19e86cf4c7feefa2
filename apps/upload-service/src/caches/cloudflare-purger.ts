import type { PurgedMedia } from '@vitrine/domain';
import type { CdnAccount } from '../config/caches.config';
import { CachePurgeError, CachePurger } from './cache-purger';
import { refusalOf } from './cdn-answers';
import { type PurgeAnswer, sendPurge } from './purge-request';

/** Tags that one request may contain, on every plan. */
const PER_REQUEST = 100;

/** Tells Cloudflare by `Cache-Tag`. */
export class CloudflarePurger extends CachePurger {
  readonly name = 'cloudflare';
  readonly batch = PER_REQUEST;

  constructor(
    private readonly zone: CdnAccount,
    private readonly timeoutSeconds: number,
  ) {
    super();
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const { apiUrl, id, token } = this.zone;
    const answer = await sendPurge(
      `${apiUrl}/zones/${id}/purge_cache`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ tags: media.map(({ slug }) => slug) }),
      },
      AbortSignal.any([stop, AbortSignal.timeout(this.timeoutSeconds * 1000)]),
    );
    if (answer.status !== 200) throw refusalOf('Cloudflare', answer);
    if (!saysSuccess(answer)) throw new CachePurgeError('Cloudflare answered 200 without success');
  }
}

/** Every answer of the API says in its body whether it succeeded. */
function saysSuccess({ text }: PurgeAnswer): boolean {
  try {
    return (JSON.parse(text) as { success?: unknown } | null)?.success === true;
  } catch {
    return false;
  }
}
