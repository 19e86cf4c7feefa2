import type { PurgedMedia } from '@vitrine/domain';
import { CachePurger } from './cache-purger';
import { refusalOf } from './cdn-answers';
import { sendPurge } from './purge-request';

export interface FastlyService {
  readonly apiUrl: string;
  readonly service: string;
  readonly token: string;
  readonly timeoutSeconds: number;
}

/** Tells Fastly by `Surrogate-Key`. */
export class FastlyPurger extends CachePurger {
  readonly name = 'fastly';
  /** The largest number of keys in one request. */
  readonly batch = 256;

  constructor(private readonly fastly: FastlyService) {
    super();
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const { apiUrl, service, token, timeoutSeconds } = this.fastly;
    const answer = await sendPurge(
      `${apiUrl}/service/${service}/purge`,
      {
        method: 'POST',
        headers: { 'Fastly-Key': token, 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ surrogate_keys: media.map(({ slug }) => slug) }),
      },
      AbortSignal.any([stop, AbortSignal.timeout(timeoutSeconds * 1000)]),
    );
    if (answer.status !== 200) throw refusalOf('Fastly', answer);
  }
}
