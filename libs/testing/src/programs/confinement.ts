import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../waiting/eventually';
import { type FileTrace, readFileTrace } from './file-trace';
import { installDebianPackage } from './debian-package';
import { describeUnless } from './describe-unless';

/** A program that runs without a network while its use of files and sockets is traced. */
export interface ConfinedProgram {
  /** Path of a script that replaces the program: same arguments, same process id, same open descriptors. */
  readonly path: string;
  /** What all processes that the program started have done. Call it after they have ended. */
  trace(): Promise<FileTrace>;
}

/** Network calls, file calls, and io_uring, through which both could be made without a trace. */
const TRACED = 'trace=%file,%network,io_uring_setup';

/** Why programs can't be confined; null if they can. */
function whyUnavailable(): string | null {
  const works = (): boolean => {
    try {
      execFileSync('unshare', ['-rn', '--', 'strace', '-f', '-o', '/dev/null', '--', 'true'], {
        stdio: 'ignore',
      });
      return true;
    } catch {
      return false;
    }
  };
  if (works()) return null;
  installDebianPackage('strace');
  if (works()) return null;
  return 'strace in a separate user namespace does not run (apt-get install strace; user namespaces allowed)';
}

/**
 * `describe` if programs can be confined. Otherwise the suite is skipped with the reason in its name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithConfinement(name: string, suite: () => void): void {
  describeUnless(whyUnavailable(), name, suite);
}

/**
 * Writes a script to `folder` that runs a program in a network namespace in which no interface is up, not even
 * loopback, and traces it with all its child processes. The program stays a child of the caller, not of the tracer.
 */
export async function confine(program: string, folder: string): Promise<ConfinedProgram> {
  const path = join(folder, 'confined.sh');
  const traces = join(folder, 'traces');
  await writeFile(
    path,
    `#!/bin/sh
mkdir -p '${traces}'
exec unshare -rn -- strace -DD -f -y --seccomp-bpf -o '${traces}'/$$ -e ${TRACED} -- '${program}' "$@"
`,
  );
  await chmod(path, 0o755);
  return {
    path,
    trace: async () => {
      const names = await readdir(traces);
      const texts = await Promise.all(
        names.map((pid) => eventually(() => endedTrace(join(traces, pid), pid))),
      );
      return readFileTrace(texts.join('\n'));
    },
  };
}

/** Waits for the last line of the trace, the program's exit: the tracer still writes after the program has ended. */
async function endedTrace(path: string, pid: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (!new RegExp(`^${pid} +\\+\\+\\+ `, 'm').test(text)) throw new Error(`${pid} is still being traced`);
  return text;
}
