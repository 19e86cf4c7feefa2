import { spawn } from 'node:child_process';
import { failureReason, saysDiskFull, UnprocessableFileError } from '../failures';
import type { MediaJob } from '../worker/protocol';

const STDERR_KEPT = 2000;
const STDOUT_LIMIT = 4_000_000;

export interface ToolRun {
  readonly program: string;
  readonly args: readonly string[];
  /** What the uploader is told where the program refuses the file. */
  readonly reason: string;
  /** Called with each line of the program's output as it comes. */
  readonly onLine?: (line: string) => void;
}

/**
 * Runs ffmpeg or ffprobe under the job's limits of memory and processor time, and gives its output.
 * Throws `UnprocessableFileError` where it refuses the file or overruns a limit, `Error` where the machine is at
 * fault (no such program, disk full).
 */
export function runTool(
  { tools, limits }: Pick<MediaJob, 'tools' | 'limits'>,
  { program, args, reason, onLine }: ToolRun,
): Promise<string> {
  const bounds = tools.prlimit
    ? [tools.prlimit, `--data=${limits.toolMemory}`, `--cpu=${limits.toolSeconds}`, '--core=0', '--']
    : [];
  const [command = program, ...rest] = [...bounds, program, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let heard = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (!onLine) {
        stdout += chunk;
        if (stdout.length > STDOUT_LIMIT) child.kill('SIGKILL');
        return;
      }
      const lines = (heard + chunk).split('\n');
      heard = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    child.stderr.setEncoding('latin1').on('data', (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_KEPT);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(failure(reason, signal, stderr.trim()));
    });
  });
}

function failure(reason: string, signal: NodeJS.Signals | null, stderr: string): Error {
  if (saysDiskFull(stderr)) return new Error(stderr);
  if (signal === 'SIGXCPU') return new UnprocessableFileError(failureReason.time, stderr);
  if (/Cannot allocate memory/.test(stderr)) return new UnprocessableFileError(failureReason.memory, stderr);
  if (/Unknown input format|Decoder .* not found/.test(stderr)) {
    return new UnprocessableFileError(failureReason.unsupported, stderr);
  }
  return new UnprocessableFileError(reason, signal ? `${signal} ${stderr}` : stderr);
}
