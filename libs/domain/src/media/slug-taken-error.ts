/** The slug is in use; the caller should try another one. */
export class SlugTakenError extends Error {
  override readonly name = 'SlugTakenError';
}
