import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** Runs a TypeScript file in a separate Node process, with an IPC channel; the caller ends it. */
export function forkTypeScript(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): ChildProcess {
  return fork(file, args, {
    env,
    execArgv: [
      '--enable-source-maps',
      '--conditions=@vitrine/source',
      '--require',
      join(__dirname, 'register-typescript.cjs'),
    ],
  });
}
