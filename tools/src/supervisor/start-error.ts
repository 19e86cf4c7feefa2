/** The start can't go on for a reason that the person at the terminal can see to: shown as one message, no stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
