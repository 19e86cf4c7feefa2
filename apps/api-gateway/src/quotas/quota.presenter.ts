import type {
  AccountQuotaResource,
  StorageOverviewResource,
  StorageUseResource,
} from '@vitrine/contracts/api';
import type { AccountQuota, StorageOverview, StorageUse } from '@vitrine/domain';

/** The resource of what an account stores and may store. */
export const presentStorageUse = ({ used, limits }: StorageUse): StorageUseResource => ({
  bytes: used.bytes,
  bytes_limit: limits.bytes,
  files: used.files,
  files_limit: limits.files,
});

/** The resource of an account's quota, for staff. */
export const presentAccountQuota = (quota: AccountQuota): AccountQuotaResource => ({
  username: quota.username,
  bytes: quota.own.bytes,
  files: quota.own.files,
  storage: presentStorageUse(quota),
});

/** The resource of what is stored, for admins. */
export const presentStorageOverview = (overview: StorageOverview): StorageOverviewResource => ({
  files: overview.total.files,
  bytes: overview.total.bytes,
  variant_bytes: overview.total.variantBytes,
  kinds: overview.kinds.map(({ kind, files, bytes, variantBytes }) => ({
    kind,
    files,
    bytes,
    variant_bytes: variantBytes,
  })),
  bytes_limit: overview.bytesLimit,
  days: overview.days.map(({ day, files, bytes, variantBytes }) => ({
    day,
    files,
    bytes,
    variant_bytes: variantBytes,
  })),
  largest_accounts: overview.largest.map(({ username, isGuest, variantBytes, limits, ...used }) => ({
    username,
    guest: isGuest,
    variant_bytes: variantBytes,
    storage: presentStorageUse({ used, limits }),
  })),
});
