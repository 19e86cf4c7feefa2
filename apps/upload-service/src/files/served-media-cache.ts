import type { MediaEntity } from '@vitrine/domain';

/** Withdrawal must hold within a second; half of it is left for everything else. */
const FRESH_MS = 500;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly until: number;
  readonly media: Promise<MediaEntity | null>;
}

/** Keeps what the database said of a slug for half a second: a hot file costs two queries a second, not thousands. */
export class ServedMediaCache {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly load: (slug: string) => Promise<MediaEntity | null>) {}

  find(slug: string): Promise<MediaEntity | null> {
    const now = performance.now();
    const known = this.entries.get(slug);
    if (known && known.until > now) return known.media;
    const media = this.load(slug);
    // A media whose variants have just come must be seen at once, and an outage not last longer.
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
