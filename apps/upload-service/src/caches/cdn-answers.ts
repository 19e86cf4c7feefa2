import { CachePurgeError } from './cache-purger';
import type { PurgeAnswer } from './purge-request';

/** The longest pause that a CDN can ask for, in seconds. */
const MAX_PAUSE = 3600;

/** The error for an answer of a CDN that is no success. It contains the status only, because the rest is not ours. */
export function refusalOf(cdn: string, { status, headers }: PurgeAnswer): CachePurgeError {
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
