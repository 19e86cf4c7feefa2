import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller';

/** How old an answer of the database may be: half of what a revocation may take to hold everywhere. */
const MAX_AGE_MS = 500;
/** About 5 MB. */
const MAX_BEARERS = 10_000;

interface Question {
  readonly askedAt: number;
  readonly answer: Promise<Caller | null>;
}

/**
 * Who the bearers of the secrets in use are, by secret: what a request has just brought is kept for half a second. An
 * answer's age counts from when the database was asked, on the monotonic clock, so that no answer shows what was true
 * longer ago. That a secret is nobody's is never kept: a token works everywhere as soon as it is made.
 */
@Injectable()
export class BearerCache {
  private readonly known = new LRUCache<string, Caller>({
    max: MAX_BEARERS,
    ttl: MAX_AGE_MS,
    // One clock for both: what `start` is measured on.
    perf: { now: () => performance.now() },
  });
  private readonly asking = new Map<string, Question>();

  /** The bearer of a secret where it is known. */
  get(secret: string): Caller | undefined {
    return this.known.get(secret);
  }

  /** The bearer of a secret. Requests at once share one question to the database, which `ask` puts. */
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
      // What has been forgotten meanwhile, or asked anew, is not this answer's to say.
      if (caller && this.asking.get(secret) === question) this.known.set(secret, caller, { start: now });
      return caller;
    } finally {
      if (this.asking.get(secret) === question) this.asking.delete(secret);
    }
  }

  /** Forgets the bearers that `changed` picks, and what the database was asked before now. */
  forget(changed: (caller: Caller) => boolean): void {
    for (const [secret, caller] of [...this.known.entries()]) if (changed(caller)) this.known.delete(secret);
    this.asking.clear();
  }
}
