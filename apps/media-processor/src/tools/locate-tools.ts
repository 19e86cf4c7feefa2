import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Tools } from '../jobs/protocol';
import { findOnPath } from './on-path';

const run = promisify(execFile);

/**
 * Finds ffmpeg and ffprobe: the configured ones, or else those on the PATH; both are null if the PATH lacks one of
 * them. Throws if one is configured or found and can't be run.
 */
export async function locateTools(configured: { ffmpeg: string; ffprobe: string }): Promise<Tools> {
  const [ffmpeg, ffprobe, prlimit] = await Promise.all([
    locate('ffmpeg', configured.ffmpeg),
    locate('ffprobe', configured.ffprobe),
    findOnPath('prlimit'),
  ]);
  const complete = ffmpeg !== null && ffprobe !== null;
  return { ...(complete ? { ffmpeg, ffprobe } : { ffmpeg: null, ffprobe: null }), prlimit };
}

async function locate(name: string, path: string): Promise<string | null> {
  const found = path || (await findOnPath(name));
  if (found === null) return null;
  try {
    await run(found, ['-version']);
  } catch {
    throw new Error(`${name} can't be run from ${found}; set ${name.toUpperCase()}_PATH to one that can`);
  }
  return found;
}
