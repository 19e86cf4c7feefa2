import type { MediaUrls } from '@vitrine/client';
import type { RequestOutcome } from './client';

export interface Deletable {
  /** Whether a deletion was requested, and whether it was confirmed. */
  deletion: 'none' | 'asked' | 'confirmed';
}

/** An upload that was accepted: Vitrine must not lose it. */
export interface LedgerEntry extends Deletable {
  readonly id: number;
  readonly slug: string;
  readonly urls: MediaUrls;
  /** SHA-256 of the bytes that were sent, hexadecimal. */
  readonly sentSha256: string;
  readonly decodable: boolean;
}

/** Records every accepted upload and the answers to all requests. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** How often each outcome occurred; the keys are like `upload done` and `upload 503`. */
  readonly outcomes = new Map<string, number>();
  /** Answers that no fault excuses, one sentence each. */
  readonly violations: string[] = [];

  /** The slowest answer to each kind of request, in milliseconds. */
  readonly slowest = new Map<string, number>();

  enter(request: string, { status, took }: RequestOutcome): void {
    const outcome = `${request} ${status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.slowest.set(request, Math.max(took, this.slowest.get(request) ?? 0));
  }

  /** The number of answers so far, or of those whose description `pattern` matches. */
  count(pattern = /./): number {
    return [...this.outcomes].reduce((sum, [outcome, count]) => sum + (pattern.test(outcome) ? count : 0), 0);
  }
}
