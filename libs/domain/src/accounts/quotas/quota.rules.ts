import { InsufficientStorageError } from '../../base/errors/domain-error';
import type { StoredAmount, StorageUse } from './quota.types';

/** Throws `InsufficientStorageError` if `used` and `more` together exceed the limits. */
export function assertFits({ used, limits }: StorageUse, more: StoredAmount): void {
  if (limits.files !== null && used.files + more.files > limits.files) {
    throw new InsufficientStorageError('quota_files');
  }
  if (limits.bytes === null) return;
  // Nothing fits into a quota that is used up, not even a file of unknown size.
  const isUsedUp = more.files > 0 && used.bytes >= limits.bytes;
  if (isUsedUp || used.bytes + more.bytes > limits.bytes) throw new InsufficientStorageError('quota_bytes');
}
