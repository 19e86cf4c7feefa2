import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually';
import { type FileTrace, readFileTrace } from './file-trace';
import { installDebianPackage } from './debian-package';
import { describeUnless } from './describe-unless';

/** A program that runs without any network, and under a trace of the files and sockets that it asks for. */
export interface ConfinedProgram {
  /** Takes the arguments of the program that it stands for, keeps its process id and passes open descriptors on. */
  readonly path: string;
  /** What every process that it has started has done. To be asked once they have all ended. */
  trace(): Promise<FileTrace>;
}

/** Network calls, file calls, and the ring through which both could be made unseen. */
const TRACED = 'trace=%file,%network,io_uring_setup';

/** Null where programs can be confined, else why they can't. */
function whyNot(): string | null {
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
  return 'strace in a user namespace of its own does not run (apt-get install strace; user namespaces allowed)';
}

/**
 * `describe` where programs can be confined. Elsewhere it skips with the reason in the suite's name, and fails where
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeWithConfinement(name: string, suite: () => void): void {
  describeUnless(whyNot(), name, suite);
}

/**
 * Wraps a program by a script in `folder`: in a network namespace without any interface that is up, not even
 * loopback, and traced with all that it starts. The tracer stands aside, so that the program is its caller's child.
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

/** The tracer writes on for a moment after its program is gone; the program's end is what it writes last. */
async function endedTrace(path: string, pid: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  if (!new RegExp(`^${pid} +\\+\\+\\+ `, 'm').test(text)) throw new Error(`${pid} is still being traced`);
  return text;
}
