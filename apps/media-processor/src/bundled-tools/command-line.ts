import { ToolError } from './tool-error';

/** One option for a file, such as `-b:a 128k`: name `b`, specifier `a`, value `128k`. */
export interface FileOption {
  readonly name: string;
  /** The streams that it is for, after the first colon; empty for all. */
  readonly specifier: string;
  readonly value: string;
}

/** A file of a command line, with the options before it. */
export interface FileArguments {
  readonly url: string;
  readonly options: readonly FileOption[];
}

/** A parsed command line of ffmpeg. */
export interface CommandLine {
  readonly inputs: readonly FileArguments[];
  readonly outputs: readonly FileArguments[];
  readonly filterComplex: string | undefined;
  /** Threads of each filter graph of one output; 0 for one per core. */
  readonly filterThreads: number;
  readonly filterComplexThreads: number;
  /** Whether lines about the progress are written to stdout. */
  readonly showsProgress: boolean;
  readonly vsync: string | undefined;
  /** Whether timestamps stay as they are in the inputs. */
  readonly keepsTimes: boolean;
  /** Whether an error in a stream ends the program. */
  readonly endsOnError: boolean;
}

/** Options without a value, which apply to the whole run or to a file. */
const FLAGS = ['nostdin', 'hide_banner', 'y', 'nostats', 'xerror', 'copyts', 'an'];
/** Options with a value, which apply to the whole run. */
const GLOBAL = ['v', 'progress', 'filter_complex', 'filter_threads', 'filter_complex_threads', 'vsync'];
/** Values that are accepted for an option; they say what the program does anyway. */
const FIXED: Readonly<Record<string, string>> = { v: 'error', progress: 'pipe:1' };
/** Options whose flag belongs to the following file. */
const FILE_FLAGS = ['an'];

/** Reads the arguments of ffmpeg. Throws `ToolError`. Options of files are checked where they are used. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const global = new Map<string, string>();
  const inputs: FileArguments[] = [];
  const outputs: FileArguments[] = [];
  let options: FileOption[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-') || arg === '-') {
      outputs.push({ url: arg === '-' ? 'pipe:1' : arg, options });
      options = [];
      continue;
    }
    const [name = '', ...specifier] = arg.slice(1).split(':');
    if (FLAGS.includes(name)) {
      if (FILE_FLAGS.includes(name)) options.push({ name, specifier: '', value: '1' });
      else global.set(name, '1');
      continue;
    }
    const value = args[++at];
    if (value === undefined) throw new ToolError(`Missing argument for option '${name}'`);
    if (name === 'i') {
      inputs.push({ url: value, options });
      options = [];
    } else if (GLOBAL.includes(name)) {
      if (name in FIXED && FIXED[name] !== value) {
        throw new ToolError(`Option '${name}' supports only '${FIXED[name]}', not '${value}'`);
      }
      global.set(name, value);
    } else options.push({ name, specifier: specifier.join(':'), value });
  }
  if (options.length > 0) throw new ToolError(`Trailing option '${options[0]?.name}'`);
  if (outputs.length === 0) throw new ToolError('At least one output file must be specified');
  return {
    inputs,
    outputs,
    filterComplex: global.get('filter_complex'),
    filterThreads: Number(global.get('filter_threads') ?? 0),
    filterComplexThreads: Number(global.get('filter_complex_threads') ?? 0),
    showsProgress: global.has('progress'),
    vsync: global.get('vsync'),
    keepsTimes: global.has('copyts'),
    endsOnError: global.has('xerror'),
  };
}
