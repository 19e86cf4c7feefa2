import type { Outcome } from './vitrine-client';

/** An upload that was answered with 201: from then on Vitrine answers for it. */
export interface LedgerEntry {
  readonly id: number;
  readonly slug: string;
  /** SHA-256 of the bytes that were sent, hexadecimal. */
  readonly sentSha256: string;
  readonly decodable: boolean;
  /** Whether a deletion was asked for, and whether it was confirmed. */
  deletion: 'none' | 'asked' | 'confirmed';
}

/** Every 201, and what else the clients saw. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  /** What came of requests, e.g. `upload 503`, with how often. */
  readonly outcomes = new Map<string, number>();
  /** Answers that must not be, whatever is being broken. */
  readonly offences: string[] = [];

  /** The slowest answer of each kind of request, milliseconds. */
  readonly slowest = new Map<string, number>();

  enter(request: string, { status, took }: Outcome<unknown>): void {
    const outcome = `${request} ${status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.slowest.set(request, Math.max(took, this.slowest.get(request) ?? 0));
  }
}
