/** What is stored. */
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

/** The number of wrong counts by table. */
export interface StorageCountDifferences {
  readonly accounts: number;
  readonly total: number;
}
