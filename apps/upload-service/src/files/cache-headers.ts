import type { IncomingMessage } from 'node:http';
import { FILES_PREFIX } from './file-name';

/** For files that never change, in the browser. */
const YEAR = 31_536_000;
/** For an original that is served until its variant exists, in the browser. */
const TEMPORARY_SECONDS = 60;
/**
 * As before, in shared caches: long enough that a link that many people open at the same moment costs one request, and short
 * because the variant replaces it within seconds.
 */
const TEMPORARY_SHARED_SECONDS = 10;
/**
 * For a size that may still get alternatives, in shared caches: one that isn't purged must not keep the larger file
 * for long.
 */
const UNSETTLED_SHARED_SECONDS = 60;

/**
 * For alternatives: Cloudflare ignores `Vary: Accept`, and would send what one client accepts to all. It may keep
 * what plain clients get. Only Cloudflare reads this header.
 */
const NOT_IN_CLOUDFLARE = { 'Cloudflare-CDN-Cache-Control': 'no-store' } as const;

/** What the headers for caches depend on. */
export interface CachedFile {
  readonly slug: string;
  /** False if the original is served instead of a variant that does not exist yet. */
  readonly final: boolean;
  /** Whether the name that was asked for is one of `fileNamesOf`. */
  readonly isShared: boolean;
  /** Whether its type depends on the header `Accept`, now or later. */
  readonly isNegotiated: boolean;
  /** Whether clients of some class may get another type later. */
  readonly isUnsettled: boolean;
  /** Whether the object is a copy of the variant in another format. */
  readonly isAlternative: boolean;
}

/**
 * The headers of an answer that browsers and shared caches may keep. Tags name the media item, so that a cache can forget all
 * its files. Only answers at addresses that a purge names are for shared caches: a stranger who adds a query, or uses another
 * extension, gets the same file, but makes no cache keep it where a purge would not find it. `maxAgeSeconds` is the longest
 * time that a shared cache may keep a file.
 */
export function cacheHeaders(
  { slug, final, isShared, isNegotiated, isUnsettled, isAlternative }: CachedFile,
  request: Pick<IncomingMessage, 'url'>,
  name: string,
  maxAgeSeconds: number,
): Readonly<Record<string, string>> {
  const lasting = final ? `max-age=${YEAR}` : `max-age=${TEMPORARY_SECONDS}`;
  const end = final ? ', immutable' : '';
  const vary: Readonly<Record<string, string>> = {
    ...(isNegotiated && { Vary: 'Accept' }),
    ...(isAlternative && NOT_IN_CLOUDFLARE),
  };
  if (!isShared || !isPlainAddress(request.url, name))
    return { ...vary, 'Cache-Control': `private, ${lasting}${end}` };
  const most = final ? (isUnsettled ? UNSETTLED_SHARED_SECONDS : maxAgeSeconds) : TEMPORARY_SHARED_SECONDS;
  const shared = Math.min(maxAgeSeconds, most);
  return {
    ...vary,
    'Cache-Control': `public, ${lasting}, s-maxage=${shared}${end}`,
    'Cache-Tag': slug,
    'Surrogate-Key': slug,
  };
}

/** Whether a request's target is spelled exactly as the addresses that are purged. */
const isPlainAddress = (target: string | undefined, name: string): boolean =>
  target === FILES_PREFIX + name || target === `${FILES_PREFIX}${name}?download`;
