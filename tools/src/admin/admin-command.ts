/** Where a command's words go. */
export interface AdminOutput {
  /** A line for whoever, or whatever, reads the result. */
  print(line: string): void;
  /** A line for the operator's eyes. */
  complain(line: string): void;
}

/** One command of `npm run admin`. */
export interface AdminCommand {
  readonly name: string;
  /** What follows the name, e.g. `NAME [--role R]`. */
  readonly usage: string;
  readonly summary: string;
  /** Throws `UsageError` where the arguments make no sense, `CommandFailure` where they can't be obeyed. */
  run(args: readonly string[], output: AdminOutput): Promise<void>;
}

/** The command line can't be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and can't be carried out; the message says why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
