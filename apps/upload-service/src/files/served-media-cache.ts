import type { MediaEntity } from '@vitrine/domain';

/** A rejection must take effect within a second; the other half of it is left for everything else. */
const FRESH_MS = 500;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly until: number;
  readonly media: Promise<MediaEntity | null>;
}

/** Keeps the row of a slug for half a second, so a popular file costs two queries per second instead of thousands. */
export class ServedMediaCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly load: (slug: string) => Promise<MediaEntity | null>) {}

  find(slug: string): Promise<MediaEntity | null> {
    const now = performance.now();
    const known = this.entries.get(slug);
    if (known && known.until > now) return known.media;
    const media = this.load(slug);
    // New variants must be served at once, and a failure must not be repeated from the cache after an outage has ended.
    const forget = (): void => {
      if (this.entries.get(slug)?.media === media) this.entries.delete(slug);
    };
    media.then((found) => (found && !found.processed ? forget() : undefined), forget);
    this.entries.delete(slug);
    this.entries.set(slug, { until: now + FRESH_MS, media });
    if (this.entries.size > MAX_ENTRIES) this.entries.delete(this.entries.keys().next().value!);
    return media;
  }
}
