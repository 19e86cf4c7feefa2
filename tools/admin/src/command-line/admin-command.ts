/** The output of a command. */
export interface AdminOutput {
  /** Writes a line of the result, which programs may read. */
  print(line: string): void;
  /** Writes an error message for the operator. */
  complain(line: string): void;
}

/** One command of `npm run admin`. */
export interface AdminCommand {
  readonly name: string;
  /** What follows the name, e.g. `NAME [--role R]`. */
  readonly usage: string;
  readonly summary: string;
  /** Throws `UsageError` when the arguments are wrong, `CommandFailure` when the command can't be carried out. */
  run(args: readonly string[], output: AdminOutput): Promise<void>;
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command can't be carried out; the message says why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
