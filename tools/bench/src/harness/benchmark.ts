import { readArguments, UsageError } from '@vitrine/admin';

/** One figure of a benchmark, as text, and whether it is within its target. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

/** The range and the default of an option that takes a whole number. */
export interface NumberOption {
  readonly default: number;
  readonly least: number;
  readonly most?: number;
}

/**
 * Runs a benchmark as a program. The exit code is 1 when `measure` returns false (a target is missed) or throws, and 2 if the
 * command line is wrong.
 */
export function runBenchmark(name: string, measure: () => Promise<boolean>): void {
  measure().then(
    (met) => {
      if (!met) process.exitCode = 1;
    },
    (error: Error) => {
      const isUsage = error instanceof UsageError;
      process.stderr.write(isUsage ? `${error.message}\n` : `bench:${name} failed: ${error.stack}\n`);
      process.exitCode = isUsage ? 2 : 1;
    },
  );
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints the figures in a table and returns whether all of them are within their targets. */
export function report(figures: readonly Figure[]): boolean {
  const width = (column: 'what' | 'measured' | 'target'): number =>
    Math.max(...figures.map((figure) => figure[column].length));
  const [what, measured, target] = [width('what'), width('measured'), width('target')];
  for (const figure of figures) {
    print(
      `${figure.what.padEnd(what)}  ${figure.measured.padStart(measured)}   ` +
        `target ${figure.target.padEnd(target)}  ${figure.met ? 'met' : 'MISSED'}`,
    );
  }
  return figures.every(({ met }) => met);
}

/** A figure with an upper limit. `show` renders both numbers; `details` follow the measured one. */
export const atMost = (
  what: string,
  value: number,
  limit: number,
  show: (value: number) => string = times,
  details = '',
): Figure => ({
  what,
  measured: show(value) + details,
  target: `≤ ${show(limit)}`,
  met: value <= limit,
});

/** A figure with a lower limit. `details` follow the measured number. */
export const atLeast = (what: string, value: number, limit: number, details = ''): Figure => ({
  what,
  measured: times(value) + details,
  target: `≥ ${times(limit)}`,
  met: value >= limit,
});

export const times = (value: number): string => `${value.toFixed(2)} ×`;

/**
 * Reads `--name value` from the command line. Throws `UsageError`, whose message lists the options, when an option is unknown
 * or its number is out of its range, and for `--help`.
 */
export function readOptions<const NumberName extends string, const TextName extends string = never>(
  numbers: Readonly<Record<NumberName, NumberOption>>,
  texts: readonly TextName[] = [],
  args: readonly string[] = process.argv.slice(2),
): Readonly<Record<NumberName, number>> & Readonly<Partial<Record<TextName, string>>> {
  const names = Object.keys(numbers) as NumberName[];
  const usage = [
    ...names.map((name) => `--${name} N (default ${numbers[name].default})`),
    ...texts.map((name) => `--${name} …`),
  ].join(', ');
  const read = (name: NumberName, given: string | undefined): number => {
    const { default: usual, least, most } = numbers[name];
    const value = Number(given ?? usual);
    if (Number.isSafeInteger(value) && value >= least && value <= (most ?? value)) return value;
    const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new UsageError(`--${name} must be a whole number ${range}.`);
  };
  try {
    const options: readonly string[] = [...names, ...texts];
    const { help, ...values } = readArguments(args, { positions: [], options, flags: ['help'] });
    if (help) throw new UsageError('');
    const named = { ...values, ...Object.fromEntries(names.map((name) => [name, read(name, values[name])])) };
    return named as Record<NumberName, number> & Partial<Record<TextName, string>>;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message}\nOptions: ${usage}`.trim());
  }
}
