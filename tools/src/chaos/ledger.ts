/** An upload that was answered with 201: from then on Vitrine answers for it. */
export interface LedgerEntry {
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
  /** Answers that must not be, whatever is being killed. */
  readonly offences: string[] = [];

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }
}
