import { execFile } from 'node:child_process';
import { access, chmod, constants, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tools } from '../worker/protocol';

const run = promisify(execFile);

export interface LocatedTools {
  readonly tools: Tools;
  /** True where ffmpeg or ffprobe is the old build from npm, which lacks newer decoders (JPEG XL among them). */
  readonly outdated: boolean;
  /** Removes what was copied. */
  release(): Promise<void>;
}

/**
 * Finds ffmpeg and ffprobe: the configured ones, else those on the PATH, else the builds that npm installed.
 * Throws where there is none, or one can't be run.
 */
export async function locateTools(configured: { ffmpeg: string; ffprobe: string }): Promise<LocatedTools> {
  const copies = new PrivateCopies();
  try {
    const ffmpeg = await locate('ffmpeg', configured.ffmpeg, '@ffmpeg-installer/ffmpeg', copies);
    const ffprobe = await locate('ffprobe', configured.ffprobe, '@ffprobe-installer/ffprobe', copies);
    return {
      tools: { ffmpeg, ffprobe, prlimit: await onPath('prlimit') },
      outdated: copies.made,
      release: () => copies.remove(),
    };
  } catch (error) {
    await copies.remove();
    throw error;
  }
}

async function locate(name: string, path: string, packaged: string, copies: PrivateCopies): Promise<string> {
  const found = path || (await onPath(name)) || (await copies.of(installedBy(packaged, name)));
  try {
    await run(found, ['-version']);
  } catch {
    throw new Error(`${name} can't be run from ${found}; set ${name.toUpperCase()}_PATH to one that can`);
  }
  return found;
}

/** The shell's own search; null where the PATH has no such program. */
async function onPath(name: string): Promise<string | null> {
  try {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/** The builds from npm are there for development alone: a production installation brings a program of its own. */
function installedBy(packaged: string, name: string): string {
  try {
    const { path } = createRequire(__filename)(packaged) as { path: string };
    return path;
  } catch {
    throw new Error(`There is no ${name}: install ffmpeg, or set ${name.toUpperCase()}_PATH to where it is`);
  }
}

/** npm runs no install scripts here, so its programs may lack the executable bit: a copy of our own gets it. */
class PrivateCopies {
  private folder: string | undefined;
  made = false;

  async of(path: string): Promise<string> {
    this.made = true;
    if (await isExecutable(path)) return path;
    this.folder ??= await mkdtemp(join(tmpdir(), 'vitrine-tools-'));
    const copy = join(this.folder, path.endsWith('ffprobe') ? 'ffprobe' : 'ffmpeg');
    await copyFile(path, copy);
    await chmod(copy, 0o500);
    return copy;
  }

  async remove(): Promise<void> {
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
