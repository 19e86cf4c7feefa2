import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import {
  failureReason,
  MachineFaultError,
  saysDiskFull,
  unsupportedCodec,
  UnprocessableFileError,
} from '../failures/failures';
import type { MediaJob, ToolCommand } from '../jobs/protocol';

const STDERR_KEPT = 2000;
const STDOUT_LIMIT = 4_000_000;

/** Seconds after the limit of processor time at which a program that still runs is killed. */
const GRACE_SECONDS = 10;
/** ffmpeg's exit codes after the signal of an exceeded limit: for an orderly exit, and for a forced one. */
const STATUSES_OF_SIGNALLED = [255, 123];

/** The reason for the uploader, by the tools' messages. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot allocate memory|failed to map segment|malloc of size \d+ failed|out of memory|bad_alloc/i,
    failureReason.memory,
  ],
  [/Unknown input format|no decoder found/i, failureReason.unsupported],
  [/exceeds specified max pixel count|Picture size \d+x\d+ is invalid/, failureReason.pixels],
];

/** Messages about a codec for which there is no decoder, or none that may be used; with its name. */
const FOREIGN_CODEC = /Decoder \(codec (\S+)\) not found|Codec \((\S+)\) not on whitelist/;

export interface ToolRun {
  /** Null if this machine has no such program. */
  readonly program: ToolCommand | null;
  readonly args: readonly string[];
  /** The reason for the uploader if the program refuses the file. */
  readonly reason: string;
  /** What the program reads from its standard input. If it fails, the program is ended, and `runTool` throws its error. */
  readonly input?: AsyncIterable<Buffer>;
  /** Called with each line of the program's output. */
  readonly onLine?: (line: string) => void;
  /** Called with the program's output in pieces of any length, instead of collecting it. */
  readonly onData?: (piece: Buffer) => void;
}

/**
 * Runs ffmpeg or ffprobe under the job's limits of memory and processor time, and returns its output. Throws
 * `UnprocessableFileError` if there is no such program, or the program refuses the file or exceeds a limit;
 * `MachineFaultError` if the machine is at fault (disk full).
 */
export async function runTool(
  { tools, limits }: Pick<MediaJob, 'tools' | 'limits'>,
  { program, args, reason, input, onLine, onData }: ToolRun,
): Promise<string> {
  if (program === null) throw new UnprocessableFileError(failureReason.unsupported, 'No ffmpeg is installed');
  const bounds = tools.prlimit
    ? [
        tools.prlimit,
        `--data=${limits.toolMemory}`,
        `--cpu=${limits.toolSeconds}:${limits.toolSeconds + GRACE_SECONDS}`,
        '--core=0',
        '--',
      ]
    : [];
  const [command = '', ...rest] = [...bounds, ...program, ...args];
  return new Promise((resolve, reject) => {
    const child = input
      ? spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'] })
      : spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let pending = '';
    if (onData) child.stdout.on('data', onData);
    else
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        if (!onLine) {
          stdout += chunk;
          if (stdout.length > STDOUT_LIMIT) child.kill('SIGPIPE');
          return;
        }
        const lines = (pending + chunk).split('\n');
        pending = lines.pop() ?? '';
        lines.forEach(onLine);
      });
    child.stderr.setEncoding('latin1').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_KEPT);
    });
    child.once('error', reject);
    if (input && child.stdin) {
      pipeline(input, child.stdin).catch((error: NodeJS.ErrnoException) => {
        // The program has ended before its input, and its status says why.
        if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
        child.kill('SIGKILL');
        reject(error);
      });
    }
    child.once('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(failure(reason, { code, signal, stderr: stderr.trim() }));
    });
  });
}

function failure(
  reason: string,
  { code, signal, stderr }: { code: number | null; signal: NodeJS.Signals | null; stderr: string },
): Error {
  if (saysDiskFull(stderr)) return new MachineFaultError(stderr);
  if (signal === 'SIGXCPU' || STATUSES_OF_SIGNALLED.includes(code ?? 0)) {
    return new UnprocessableFileError(failureReason.time, stderr);
  }
  // The system kills a program when memory runs out. With more free memory, another attempt may succeed.
  if (signal === 'SIGKILL') return new MachineFaultError(`The system killed a tool: ${stderr}`);
  const foreign = FOREIGN_CODEC.exec(stderr);
  const why = foreign
    ? unsupportedCodec(foreign[1] ?? foreign[2])
    : (REFUSALS.find(([pattern]) => pattern.test(stderr))?.[1] ?? reason);
  return new UnprocessableFileError(why, signal ? `${signal} ${stderr}` : stderr);
}
