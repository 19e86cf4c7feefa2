import type { RequestOutcome } from './chaos-client';

/** An upload that was answered with 201: Vitrine must not lose it. */
export interface LedgerEntry {
  readonly id: number;
  readonly slug: string;
  /** SHA-256 of the bytes that were sent, hexadecimal. */
  readonly sentSha256: string;
  readonly decodable: boolean;
  /** Whether a deletion was requested, and whether it was confirmed. */
  deletion: 'none' | 'asked' | 'confirmed';
}

/** Records every accepted upload and the answers to all requests. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** How often each outcome occurred; the keys are like `upload 503`. */
  readonly outcomes = new Map<string, number>();
  /** Answers that no fault excuses, one sentence each. */
  readonly violations: string[] = [];

  /** The slowest answer to each kind of request, in milliseconds. */
  readonly slowest = new Map<string, number>();

  enter(request: string, { status, took }: RequestOutcome<unknown>): void {
    const outcome = `${request} ${status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.slowest.set(request, Math.max(took, this.slowest.get(request) ?? 0));
  }
}
