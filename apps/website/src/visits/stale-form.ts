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
