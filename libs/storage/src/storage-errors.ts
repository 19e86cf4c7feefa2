import { OutageError } from '@vitrine/runtime';

/** There is no object under this key. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(key: string) {
    super(`No object ${key}`);
  }
}

/** The held version of an object has been replaced or removed, so its bytes can no longer be read. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
  constructor(key: string) {
    super(`Object ${key} has changed since it was opened`);
  }
}

/**
 * The storage is unavailable, full, too slow or refuses access. A write that fails with it may have happened; the caller must
 * treat it as not stored. The message names no credential and no address.
 */
export class StorageUnavailableError extends OutageError {
  override readonly name = 'StorageUnavailableError';
}

/** Error codes of a file system that mean an outage: disk or quota full, failing or missing disk, too many open files. */
const OUTAGE_CODES: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'ESTALE',
  'ETIMEDOUT',
  'EMFILE',
  'ENFILE',
]);

/** Whether an error of a file system is an outage, which ends by itself or which the operator must end, and not a bug. */
export const isFileOutage = (error: unknown): boolean =>
  error instanceof Error && OUTAGE_CODES.has((error as NodeJS.ErrnoException).code ?? '');

/** Runs work on files. An outage of the file system becomes a `StorageUnavailableError`. */
export async function reportingOutages<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isFileOutage(error)) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw new StorageUnavailableError(`The file system reports ${code} for ${syscall}`);
  }
}
