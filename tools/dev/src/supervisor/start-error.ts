/** The start fails for a reason that the user can fix: shown as one message without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
