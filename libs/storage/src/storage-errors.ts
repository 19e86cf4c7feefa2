import { OutageError } from '@vitrine/runtime';

/** There is no object under this key. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(key: string) {
    super(`No object ${key}`);
  }
}

/** The object that was held has been replaced or removed, and its bytes can't be had any more. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
  constructor(key: string) {
    super(`Object ${key} is not the one that was held`);
  }
}

/**
 * The storage is away, full, too slow or refuses us. Nothing was stored, or it may have been: whoever wrote has to
 * take it for not stored. The message names no credential and no address.
 */
export class StorageUnavailableError extends OutageError {
  override readonly name = 'StorageUnavailableError';
}

/** Disk full, quota used up, failing or vanished disk, too many open files: what a folder says of an outage. */
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

/** Whether a file system's error is one that passes, or that the operator has to end, rather than a bug. */
export const isFileOutage = (error: unknown): boolean =>
  error instanceof Error && OUTAGE_CODES.has((error as NodeJS.ErrnoException).code ?? '');

/** Runs work on files; what a file system says of an outage becomes `StorageUnavailableError`. */
export async function namingOutages<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isFileOutage(error)) throw error;
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw new StorageUnavailableError(`The file system answers ${code} to ${syscall}`);
  }
}
