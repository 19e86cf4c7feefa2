import { VitrineError } from '@vitrine/client';

/**
 * Waits for a deletion and ignores `not_found`: it may already have been deleted in another tab or by a second click.
 */
export async function ignoreNotFound(ending: Promise<unknown>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'not_found')) throw error;
  }
}
