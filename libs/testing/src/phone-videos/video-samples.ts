import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '../programs/find-ffmpeg';
import { CARDS, type PhoneVideo } from './phone-video';
import { hdrCard, sdrCard } from './test-card';

const TELEMETRY = '1\n00:00:00,000 --> 00:00:00,400\nspeed 12.5\n';

/** Makes videos with the installed ffmpeg, each once, in a temporary folder. */
export class VideoSamples {
  private readonly made = new Map<PhoneVideo, string>();

  private constructor(
    private readonly folder: string,
    private readonly ffmpeg: string,
  ) {}

  /** Throws if there is no ffmpeg. */
  static async open(): Promise<VideoSamples> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-videos-'));
    await Promise.all([
      writeFile(join(folder, CARDS.sdr), sdrCard()),
      writeFile(join(folder, CARDS.hlg), hdrCard('hlg')),
      writeFile(join(folder, CARDS.pq), hdrCard('pq')),
      writeFile(join(folder, 'telemetry.srt'), TELEMETRY),
    ]);
    return new VideoSamples(folder, findFfmpeg());
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** The path of the video's file, made at the first call. Throws if ffmpeg lacks an encoder for it. */
  async make(video: PhoneVideo): Promise<string> {
    const known = this.made.get(video);
    if (known) return known;
    const path = join(this.folder, `sample-${this.made.size}.${video.ext}`);
    const args = ['-nostdin', '-v', 'error', '-y', ...video.args, path];
    execFileSync(this.ffmpeg, args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    if (video.patch) await writeFile(path, video.patch(await readFile(path)));
    this.made.set(video, path);
    return path;
  }
}
