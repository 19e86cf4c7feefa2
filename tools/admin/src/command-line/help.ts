const HELP_OPTIONS = new Set(['--help', '-h']);

/** Whether a command line asks for the usage of the tool: `help`, `--help` or `-h` instead of a command. */
export const asksForHelp = (name: string): boolean => name === 'help' || HELP_OPTIONS.has(name);

/** Whether the arguments of a command ask for its usage. What follows `--` is a value. */
export const asksForUsage = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => HELP_OPTIONS.has(arg));
};
