/**
 * Thrown by a handler for a message that no further try can help: it goes to the dead letters at once.
 * The message of the error becomes the dead letter's reason.
 */
export class TerminalError extends Error {
  override readonly name: string = 'TerminalError';
}
