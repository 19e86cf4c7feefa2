import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Searches the PATH like a shell; null if it has no such program. */
export async function findOnPath(name: string): Promise<string | null> {
  try {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
