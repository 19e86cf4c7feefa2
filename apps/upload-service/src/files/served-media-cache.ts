import type { MediaEntity } from '@vitrine/domain';
import { LRUCache } from 'lru-cache';

/** A rejection must take effect within a second; the other half of it is left for everything else. */
const FRESH_MS = 500;
const MAX_ENTRIES = 10_000;

/** Keeps the row of a slug for half a second, so a popular file costs two queries per second instead of thousands. */
export class ServedMediaCache {
  private readonly rows = new LRUCache<string, Promise<MediaEntity | null>>({
    max: MAX_ENTRIES,
    ttl: FRESH_MS,
    // By default the library keeps a reading of the clock for a millisecond.
    ttlResolution: 0,
    perf: { now: () => performance.now() },
  });

  constructor(private readonly load: (slug: string) => Promise<MediaEntity | null>) {}

  find(slug: string): Promise<MediaEntity | null> {
    const known = this.rows.get(slug);
    if (known) return known;
    const media = this.load(slug);
    this.rows.set(slug, media);
    // New variants must be served immediately, and a failure must not be repeated from the cache after an outage has ended.
    const forget = (): void => {
      if (this.rows.peek(slug) === media) this.rows.delete(slug);
    };
    media.then((found) => (found && !found.processed ? forget() : undefined), forget);
    return media;
  }
}
