/** A page that only somebody with an account can have. */
export class LogInFirst extends Error {
  override readonly name = 'LogInFirst';

  constructor() {
    super('Please log in first.');
  }
}
