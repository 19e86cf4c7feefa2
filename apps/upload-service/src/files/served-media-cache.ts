import type { ServedMedia } from '@vitrine/domain';
import { LRUCache } from 'lru-cache';

/** A rejection must take effect within a second; the other half of it is left for everything else. */
const FRESH_MS = 500;
/** Twice as often, so that the decision on a popular file doesn't expire while it is read again. */
const REFRESH_EVERY_MS = 250;
const MAX_ENTRIES = 10_000;
/** Media that one statement reads again; the decisions on further ones expire. */
const MAX_REFRESHED = 1000;

/** Reads the rows of media that are served. */
export interface ServedMediaReads {
  /** One media item; null unless it is served. */
  find(slug: string): Promise<ServedMedia | null>;
  /** Those of these media that are served. */
  findAll(slugs: readonly string[]): Promise<ReadonlyMap<string, ServedMedia>>;
}

interface Decision {
  readonly media: Promise<ServedMedia | null>;
  /** The result, once there is one. */
  known?: ServedMedia | null;
  /** When its statement was requested: it sees every change that was committed before. */
  readonly since: number;
  /** Whether it may be renewed: the media item is processed. Null results and failures expire. */
  isLasting: boolean;
  wasUsed: boolean;
}

/**
 * Remembers which media may be served, for half a second from the moment at which their rows were requested. The
 * decisions that were used meanwhile are renewed together by one statement, so that a popular file costs no query of its
 * own. If the database doesn't answer, the decisions expire. Events (`forget`) only make it faster: they reach one
 * process of several, and may be late.
 */
export class ServedMediaCache {
  private readonly decisions = new LRUCache<string, Decision>({ max: MAX_ENTRIES });
  private refresh: NodeJS.Timeout | undefined;

  constructor(private readonly reads: ServedMediaReads) {}

  find(slug: string): Promise<ServedMedia | null> {
    return this.use(slug)?.media ?? this.load(slug);
  }

  /** The result if it is known without a statement; otherwise null. */
  findKnown(slug: string): ServedMedia | null {
    return this.use(slug)?.known ?? null;
  }

  /** Makes the next request read the row again, even if a statement is in progress that may not see its last change. */
  forget(slug: string): void {
    this.decisions.delete(slug);
  }

  /** Stops renewing decisions. */
  close(): void {
    clearTimeout(this.refresh);
  }

  private use(slug: string): Decision | null {
    const decision = this.decisions.get(slug);
    if (!decision || performance.now() - decision.since >= FRESH_MS) return null;
    decision.wasUsed = true;
    if (decision.isLasting) this.refreshLater();
    return decision;
  }

  private load(slug: string): Promise<ServedMedia | null> {
    const since = performance.now();
    const media = this.reads.find(slug);
    const decision: Decision = { media, since, isLasting: false, wasUsed: false };
    this.decisions.set(slug, decision);
    // New variants must be served immediately, and a failure must not be repeated from the cache after an outage has ended.
    const drop = (): void => {
      if (this.decisions.peek(slug) === decision) this.decisions.delete(slug);
    };
    media.then((found) => {
      decision.known = found;
      if (found && !found.processed) drop();
      else decision.isLasting = found !== null;
    }, drop);
    return media;
  }

  private refreshLater(): void {
    this.refresh ??= setTimeout(() => {
      this.renewUsed().finally(() => (this.refresh = undefined));
    }, REFRESH_EVERY_MS).unref();
  }

  private async renewUsed(): Promise<void> {
    const since = performance.now();
    const used: [string, Decision][] = [];
    // The most recently used ones come first.
    for (const [slug, decision] of this.decisions.entries()) {
      if (used.length === MAX_REFRESHED) break;
      if (decision.wasUsed && decision.isLasting) used.push([slug, decision]);
    }
    // Requests that come later see the failure themselves, when the decisions have expired.
    const found = await this.reads.findAll(used.map(([slug]) => slug)).catch(() => null);
    if (!found) return;
    for (const [slug, decision] of used) {
      // Something has forgotten or replaced the decision meanwhile.
      if (this.decisions.peek(slug) !== decision) continue;
      const media = found.get(slug) ?? null;
      const isLasting = media?.processed === true;
      if (media && !isLasting) this.decisions.delete(slug);
      else {
        const renewed = { media: Promise.resolve(media), known: media, since, isLasting, wasUsed: false };
        this.decisions.set(slug, renewed);
      }
    }
  }
}
