import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectKeys } from '@vitrine/contracts';
import type { MediaJob, Tools } from '../../src/jobs/protocol';
import { locateTools } from '../../src/tools/locate-tools';

/** The tests need both tools. */
type SampleTools = Tools & { readonly ffmpeg: string; readonly ffprobe: string };
export type SampleJob = MediaJob & { readonly tools: SampleTools };

/** Folders, files and tools for jobs that a spec runs in its own process. */
export class Bench {
  private constructor(
    readonly folder: string,
    private readonly tools: SampleTools,
  ) {}

  static async open(): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-job-'));
    const { ffmpeg, ffprobe, ...others } = await locateTools({ ffmpeg: '', ffprobe: '' });
    if (ffmpeg === null || ffprobe === null) throw new Error('These tests need ffmpeg and ffprobe');
    return new Bench(folder, { ...others, ffmpeg, ffprobe });
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A job for the given file, with its own folder. */
  async job(
    file: Buffer,
    media: Partial<MediaJob['media']> & { readonly format: string },
  ): Promise<SampleJob> {
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
      ...{ source, folder, tools: this.tools, seed: 'a seed of this test' },
      limits: { toolMemory: 1.5 * 1024 ** 3, toolSeconds: 120 },
    };
  }

  /** Runs ffmpeg on synthetic input, and returns the path of its output. */
  make(name: string, ...args: string[]): string {
    const path = join(this.folder, name);
    execFileSync(this.tools.ffmpeg, ['-nostdin', '-v', 'error', '-y', ...args, path]);
    return path;
  }

  /** Whether this ffmpeg has a decoder of that name. */
  decodes(decoder: string): boolean {
    const list = execFileSync(this.tools.ffmpeg, ['-v', 'error', '-decoders'], { encoding: 'utf8' });
    return list.split(/\s+/).includes(decoder);
  }

  /** ffprobe's description of the streams of a file. */
  probe(path: string): Record<string, unknown>[] {
    const args = ['-v', 'error', '-show_streams', '-count_frames', '-of', 'json', path];
    const { streams } = JSON.parse(execFileSync(this.tools.ffprobe, args, { encoding: 'utf8' })) as {
      streams: Record<string, unknown>[];
    };
    return streams;
  }
}
