import type { PurgedMedia } from '@vitrine/domain';
import type { CdnAccount } from '../config/caches.config';
import { CachePurgeError, CachePurger } from './cache-purger';
import { type PurgeAnswer, sendPurge } from './purge-request';

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

/** The longest pause that a CDN can ask for, in seconds. */
const MAX_PAUSE = 3600;

/** The error for an answer of a CDN that is no success. It contains the status only, because the rest is not ours. */
function refusalOf(cdn: string, { status, headers }: PurgeAnswer): CachePurgeError {
  const isPause = status === 429 || status === 503;
  return new CachePurgeError(
    `${cdn} answered ${status}`,
    isPause ? secondsOf(headers['retry-after'], Date.now()) : undefined,
  );
}

/** Seconds of a header `Retry-After`, which is a number or a date; undefined if it is neither. At most an hour. */
function secondsOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MAX_PAUSE);
}
