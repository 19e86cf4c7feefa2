import type { AccountQuotaResource, StorageUseResource } from '@vitrine/contracts/api';
import type { AccountQuota, StorageUse } from './quota.types';

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
