import { parseArgs } from 'node:util';
import { UsageError } from './admin-command';

/**
 * Reads a command's arguments: positional ones, options (a name with a value) and flags (only a name). Throws
 * `UsageError` when an argument is missing, unknown or superfluous.
 */
export function readArguments<
  const Position extends string,
  const Option extends string,
  const Flag extends string = never,
>(
  args: readonly string[],
  {
    positions,
    options,
    flags = [],
  }: {
    readonly positions: readonly Position[];
    readonly options: readonly Option[];
    readonly flags?: readonly Flag[];
  },
): Readonly<Record<Position, string>> &
  Readonly<Partial<Record<Option, string>>> &
  Readonly<Partial<Record<Flag, boolean>>> {
  const { positionals, values } = parse(args, options, flags);
  const missing = positions[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = positionals[positions.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
  const named = positions.map((position, index) => [position, positionals[index]]);
  return { ...Object.fromEntries(named), ...values };
}

function parse(args: readonly string[], options: readonly string[], flags: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries([
        ...options.map((option) => [option, { type: 'string' as const }]),
        ...flags.map((flag) => [flag, { type: 'boolean' as const }]),
      ]),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
