import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectKeys } from '@vitrine/contracts';
import { loadConfig } from '@vitrine/runtime';
import { findFfmpeg } from '@vitrine/testing';
import { VideoToolsConfig } from '../../src/config/video-tools.config';
import type { MediaJob, ToolCommand, Tools } from '../../src/jobs/protocol';
import { probeStreams } from './probe-streams';
import { locateTools } from '../../src/tools/locate-tools';

/** The tests need both tools. */
type SampleTools = Tools & { readonly ffmpeg: ToolCommand; readonly ffprobe: ToolCommand };
export type SampleJob = MediaJob & { readonly tools: SampleTools };

/** Folders, files and tools for jobs that a spec runs in its own process. */
export class Bench {
  private constructor(
    readonly folder: string,
    private readonly tools: SampleTools,
  ) {}

  static async open(): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-job-'));
    const { tools, found } = await locateTools(loadConfig(VideoToolsConfig, process.env));
    const { ffmpeg, ffprobe, ...others } = tools;
    if (ffmpeg === null || ffprobe === null) throw new Error(`These tests need ffmpeg: ${found}`);
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
      task: { makes: 'everything' },
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
    execFileSync(findFfmpeg(), ['-nostdin', '-v', 'error', '-y', ...args, path]);
    return path;
  }

  /** ffprobe's description of the streams of a file. */
  probe(path: string): Record<string, unknown>[] {
    return probeStreams(path);
  }
}
