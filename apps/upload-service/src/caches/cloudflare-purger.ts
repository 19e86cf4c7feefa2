import type { PurgedMedia } from '@vitrine/domain';
import { CachePurgeError, CachePurger } from './cache-purger';
import { refusalOf } from './cdn-answers';
import { type PurgeAnswer, sendPurge } from './purge-request';

/** Tags or addresses that one request may contain, on every plan. */
const PER_REQUEST = 100;

export interface CloudflareZone {
  readonly apiUrl: string;
  readonly zone: string;
  readonly token: string;
  readonly purgeBy: 'tag' | 'url';
  /** What precedes `/f/` in the addresses of files, for `purgeBy: 'url'`. */
  readonly hosts: readonly string[];
  /** For each request. */
  readonly timeoutSeconds: number;
}

/** Tells Cloudflare by `Cache-Tag`, or by each address. */
export class CloudflarePurger extends CachePurger {
  readonly name = 'cloudflare';
  readonly batch: number;

  constructor(private readonly zone: CloudflareZone) {
    super();
    this.batch = zone.purgeBy === 'tag' ? PER_REQUEST : 20;
  }

  async purge(media: readonly PurgedMedia[], stop: AbortSignal): Promise<void> {
    const isByTag = this.zone.purgeBy === 'tag';
    const all = isByTag
      ? media.map(({ slug }) => slug)
      : media.flatMap(({ fileNames }) => fileNames.flatMap((name) => this.addressesOf(name)));
    for (let from = 0; from < all.length; from += PER_REQUEST) {
      const part = all.slice(from, from + PER_REQUEST);
      await this.send(isByTag ? { tags: part } : { files: part }, stop);
    }
  }

  private addressesOf(name: string): readonly string[] {
    return this.zone.hosts.flatMap((host) => [`${host}/f/${name}`, `${host}/f/${name}?download`]);
  }

  private async send(body: object, stop: AbortSignal): Promise<void> {
    const { apiUrl, zone, token, timeoutSeconds } = this.zone;
    const answer = await sendPurge(
      `${apiUrl}/zones/${zone}/purge_cache`,
      {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      },
      AbortSignal.any([stop, AbortSignal.timeout(timeoutSeconds * 1000)]),
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
