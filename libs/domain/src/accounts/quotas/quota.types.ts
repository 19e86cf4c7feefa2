/** The use of the storage. */
export interface StoredAmount {
  readonly files: number;
  /** Of the originals, as stored. */
  readonly bytes: number;
}

/** How much an account may store; null: no limit. */
export interface StorageLimits {
  readonly files: number | null;
  readonly bytes: number | null;
}

/** What an account stores, and how much it may. */
export interface StorageUse {
  readonly used: StoredAmount;
  readonly limits: StorageLimits;
}

/** A change of an account's own quota: omitted fields stay unchanged, null restores the default. */
export interface QuotaChange {
  readonly bytes?: number | null | undefined;
  readonly files?: number | null | undefined;
}

/** The quota of an account for staff. */
export interface AccountQuota extends StorageUse {
  readonly username: string;
  /** What staff have set; null: the default applies. */
  readonly own: StorageLimits;
}

/** What all accounts store together. */
export interface StoredTotal extends StoredAmount {
  readonly variantBytes: number;
}

/** What all media of one kind store together. */
export interface StoredKind extends StoredTotal {
  readonly kind: 'image' | 'video';
}

/** By how much the stored amounts changed on a day. */
export interface StorageDay extends StoredTotal {
  /** Such as `2026-11-24`, in UTC. */
  readonly day: string;
}

/** One of the accounts and guests that store the most. */
export interface LargeAccount extends StoredTotal {
  readonly username: string;
  readonly isGuest: boolean;
  readonly limits: StorageLimits;
}

/** What is stored, for admins. */
export interface StorageOverview {
  readonly total: StoredTotal;
  readonly kinds: readonly StoredKind[];
  /** `QUOTA_BYTES_TOTAL`. */
  readonly bytesLimit: number | null;
  /** Oldest first, today last. */
  readonly days: readonly StorageDay[];
  /** Largest first. */
  readonly largest: readonly LargeAccount[];
}

/** The number of wrong counts by table. */
export interface StorageCountDifferences {
  readonly accounts: number;
  readonly kinds: number;
  readonly total: number;
}
