/**
 * Something that this process depends on is away or full: nothing is wrong with what was asked, and the same may
 * well succeed later. Clients are asked to come again, and a message whose handler throws it waits without losing a
 * try.
 */
export class OutageError extends Error {
  override readonly name: string = 'OutageError';
}
