import { FFmpegError, PosixError } from 'node-av/lib';

const TRY_AGAIN = FFmpegError.AVERROR(PosixError.EAGAIN);

/** An error that ends the program, with its message on stderr and its exit code. */
export class ToolError extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Returns a result of the libraries that isn't negative; throws `ToolError` with the libraries' text for others. */
export function checked(result: number, what: string): number {
  if (result < 0) throw new ToolError(`${what}: ${FFmpegError.strerror(result)}`);
  return result;
}

/** Whether a result means that there is no output until there is more input. */
export const isTryAgain = (result: number): boolean => result === TRY_AGAIN;

/** Writes a line of errors. `runTool` reads it for the reason of a failure. */
export const complain = (line: string): void => void process.stderr.write(`${line}\n`);
