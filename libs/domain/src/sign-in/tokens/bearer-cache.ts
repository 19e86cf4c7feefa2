import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../base/access/caller';

/** The largest age of an answer of the database: half of the time after which a revocation must hold everywhere. */
const MAX_AGE_MS = 500;
/** About 5 MB. */
const MAX_BEARERS = 10_000;

interface Question {
  readonly askedAt: number;
  readonly answer: Promise<Caller | null>;
}

/**
 * Caches the callers of secrets for half a second. The age of an answer counts from the time when the database was
 * asked, on the monotonic clock. An unknown secret isn't cached, so a new token works everywhere at once.
 */
@Injectable()
export class BearerCache {
  private readonly known = new LRUCache<string, Caller>({
    max: MAX_BEARERS,
    ttl: MAX_AGE_MS,
    // The clock that `start` uses too.
    perf: { now: () => performance.now() },
  });
  private readonly asking = new Map<string, Question>();

  /** The cached caller of a secret; undefined if there is none. */
  get(secret: string): Caller | undefined {
    return this.known.get(secret);
  }

  /** The caller of a secret, from the cache or from `ask`. Simultaneous requests share one call of `ask`. */
  async find(secret: string, ask: () => Promise<Caller | null>): Promise<Caller | null> {
    const known = this.known.get(secret);
    if (known) return known;
    const now = performance.now();
    const pending = this.asking.get(secret);
    if (pending && now - pending.askedAt < MAX_AGE_MS) return pending.answer;
    const question: Question = { askedAt: now, answer: ask() };
    this.asking.set(secret, question);
    try {
      const caller = await question.answer;
      // If the caller was forgotten or asked for again in the meantime, this answer may be outdated.
      if (caller && this.asking.get(secret) === question) this.known.set(secret, caller, { start: now });
      return caller;
    } finally {
      if (this.asking.get(secret) === question) this.asking.delete(secret);
    }
  }

  /** Removes the callers that match `changed`, and ignores answers of the database to earlier questions. */
  forget(changed: (caller: Caller) => boolean): void {
    for (const [secret, caller] of [...this.known.entries()]) if (changed(caller)) this.known.delete(secret);
    this.asking.clear();
  }
}
