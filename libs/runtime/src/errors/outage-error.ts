/**
 * Something that this process depends on is unreachable or full. The request itself is valid and may succeed later:
 * clients get 503 with `Retry-After`, and a message whose handler throws this is delivered again, which doesn't count
 * as an attempt.
 */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}
