/** Thrown if a page or form needs an account and nobody is logged in. */
export class LogInRequiredError extends Error {
  override readonly name = 'LogInRequiredError';

  constructor() {
    super('Please log in first.');
  }
}
