/**
 * A handler throws this for a message that would fail again: it becomes a dead letter immediately. The message of the error
 * becomes the reason of the dead letter.
 */
export class TerminalError extends Error {
  override readonly name: string = 'TerminalError';
}
