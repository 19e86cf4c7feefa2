import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectKeys } from '@vitrine/contracts';
import { locateTools, type LocatedTools } from '../../src/tools/locate-tools';
import type { MediaJob } from '../../src/worker/protocol';

/** Folders, files and tools for jobs that a spec runs in its own process. */
export class Bench {
  private constructor(
    readonly folder: string,
    private readonly located: LocatedTools,
  ) {}

  static async open(): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-job-'));
    return new Bench(folder, await locateTools({ ffmpeg: '', ffprobe: '' }));
  }

  async close(): Promise<void> {
    await this.located.release();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A job for the given file, with a folder of its own. */
  async job(
    file: Buffer,
    media: Partial<MediaJob['media']> & { readonly format: string },
  ): Promise<MediaJob> {
    const folder = await mkdtemp(join(this.folder, 'out-'));
    const ext = media.ext ?? media.format;
    const source = `${folder}.${ext}`;
    await writeFile(source, file);
    const slug = 'abc1234';
    return {
      media: {
        ...{ slug, kind: 'image', mime: `image/${media.format}`, ext, key: objectKeys.original(slug, ext) },
        ...{ bytes: file.length, frames: 1, duration: null },
        ...media,
      },
      ...{ source, folder, tools: this.located.tools },
      limits: { toolMemory: 800 * 1024 * 1024, toolSeconds: 60 },
    };
  }

  /** Runs ffmpeg on synthetic input, and gives the path of what it made. */
  make(name: string, ...args: string[]): string {
    const path = join(this.folder, name);
    execFileSync(this.located.tools.ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args, path]);
    return path;
  }

  /** Whether this ffmpeg has a decoder of that name. */
  decodes(decoder: string): boolean {
    const list = execFileSync(this.located.tools.ffmpeg, ['-v', 'error', '-decoders'], { encoding: 'utf8' });
    return list.split(/\s+/).includes(decoder);
  }

  /** What ffprobe says of a file's streams. */
  probe(path: string): Record<string, unknown>[] {
    const args = ['-v', 'error', '-show_streams', '-count_frames', '-of', 'json', path];
    const { streams } = JSON.parse(execFileSync(this.located.tools.ffprobe, args, { encoding: 'utf8' })) as {
      streams: Record<string, unknown>[];
    };
    return streams;
  }
}
