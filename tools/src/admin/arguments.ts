import { parseArgs } from 'node:util';
import { UsageError } from './admin-command';

/**
 * Reads a command's arguments: positional ones by number, options by name, each with a value. Throws `UsageError`
 * on anything missing, unknown or too much.
 */
export function readArguments<const Position extends string, const Option extends string>(
  args: readonly string[],
  { positions, options }: { readonly positions: readonly Position[]; readonly options: readonly Option[] },
): Readonly<Record<Position, string>> & Readonly<Partial<Record<Option, string>>> {
  const { positionals, values } = parse(args, options);
  const missing = positions[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = positionals[positions.length];
  if (extra !== undefined) throw new UsageError(`What is "${extra}" for?`);
  const named = positions.map((position, index) => [position, positionals[index]]);
  return { ...Object.fromEntries(named), ...values };
}

function parse(args: readonly string[], options: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
