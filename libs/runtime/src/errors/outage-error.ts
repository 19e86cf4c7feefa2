/**
 * Something that this process depends on is unreachable or full. The request itself is valid and may succeed later:
 * clients get 503 with `Retry-After`, and a message whose handler throws this is delivered again without losing a try.
 */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}
