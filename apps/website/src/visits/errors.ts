import { VitrineError } from '@vitrine/client';

/** Thrown if a page or form needs an account and nobody is logged in. */
export class LogInRequiredError extends Error {
  override readonly name = 'LogInRequiredError';

  constructor() {
    super('Please log in first.');
  }
}

/**
 * Thrown for a form that is not executed because it comes from another site, or from a page that is older than the
 * current session.
 */
export class StaleFormError extends Error {
  override readonly name = 'StaleFormError';

  constructor(readonly reason: 'elsewhere' | 'stale') {
    super('This form is out of date.');
  }
}

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
