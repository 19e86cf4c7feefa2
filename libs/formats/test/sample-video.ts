import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFfmpeg } from '@vitrine/testing';
import type { Inspection, Inspector } from '../src/facts/inspection';
import { scrub as scrubInMemory } from '../src/testing/scrub';

/** Makes sample videos by ffmpeg in a separate folder. Call `remove` afterwards. */
export class SampleVideos {
  private readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-video-'));
  private readonly ffmpeg = findFfmpeg();
  private made = 0;

  /** About a second of a moving test pattern and a tone, encoded by `args`, in a container named by `extension`. */
  make(
    extension: string,
    args: readonly string[],
    { sound = true, seconds = 1, size = '96x64' } = {},
  ): Buffer {
    const inputs = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=10:duration=${seconds}`];
    if (sound) inputs.push('-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=44100:duration=${seconds}`);
    return this.run(extension, [...inputs, ...args]);
  }

  /** ffmpeg's output for any inputs. `files` are first written beside it; `args` refer to them by `@name`. */
  run(extension: string, args: readonly string[], files: Readonly<Record<string, Uint8Array>> = {}): Buffer {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(this.folder, name), bytes);
    const output = join(this.folder, `sample-${this.made++}.${extension}`);
    const named = args.map((arg) => (arg.startsWith('@') ? join(this.folder, arg.slice(1)) : arg));
    this.execute([...named, output]);
    return readFileSync(output);
  }

  /**
   * MD5 of every picture and every piece of sound in `bytes`, as stored and as ffmpeg decodes them. Of stored
   * pictures only their sizes, because comments inside of them are meant to be removed.
   */
  hashes(bytes: Uint8Array, extension: string): Hashes {
    const input = join(this.folder, `hashed.${extension}`);
    writeFileSync(input, bytes);
    const [samples, decoded] = [join(this.folder, 'samples.md5'), join(this.folder, 'decoded.md5')];
    const streams = [
      '-map',
      '0:v',
      '-map',
      '0:a?',
      '-map_metadata',
      '-1',
      '-fflags',
      '+bitexact',
      '-f',
      'framemd5',
    ];
    this.execute(['-copyts', '-i', input, '-c', 'copy', ...streams, samples, ...streams, decoded]);
    return { samples: readHashes(samples).replace(/^(0,.*,) *\w+$/gm, '$1'), decoded: readHashes(decoded) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private execute(args: readonly string[]): string {
    return execFileSync(this.ffmpeg, ['-v', 'error', '-nostdin', '-y', ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

interface Hashes {
  readonly samples: string;
  readonly decoded: string;
}

/** Without side data (", S=…"), in which ffmpeg keeps the tags of a packet, which are meant to be removed. */
function readHashes(path: string): string {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/, S=.*/, ''))
    .join('\n');
}

/** A committed sample, which only a complete ffmpeg can make; `samples/README.md` has the commands. */
export const storedSample = (name: string): Buffer => readFileSync(resolve(__dirname, 'samples', name));

/** The result of an inspector, and the scrubbed file. */
export interface Scrubbed extends Inspection {
  readonly bytes: Buffer;
}

/** Reads `bytes` with an inspector, and returns the scrubbed file too. */
export async function scrub(inspector: Inspector, bytes: Uint8Array): Promise<Scrubbed> {
  const { scrubbed, ...inspection } = await scrubInMemory(inspector, bytes);
  return { ...inspection, bytes: Buffer.from(scrubbed) };
}

/** The text of planted metadata; it occurs nowhere else in a sample. */
export const CANARY = 'CANARY';
/** ffmpeg's arguments that plant the canary in a title, an artist and a comment. */
export const TAGS = ['title', 'artist', 'comment'].flatMap((name) => ['-metadata', `${name}=${CANARY}`]);

/** Whether the canary is in the bytes, in 8 or 16 bits for each letter. */
export function hasCanary(bytes: Buffer): boolean {
  return bytes.includes(CANARY) || bytes.includes(Buffer.from(CANARY, 'utf16le'));
}

/**
 * Scrubs a sample that holds the canary, and expects what is true of all: the canary is removed, every sample is kept,
 * and scrubbing again changes nothing. `like`: the sample before anything was planted in it.
 */
export async function scrubLosslessly(
  samples: SampleVideos,
  inspector: Inspector,
  original: Buffer,
  extension: string,
  like: Buffer = original,
): Promise<Scrubbed> {
  expect(hasCanary(original)).toBe(true);
  const scrubbed = await scrub(inspector, original);
  expect(hasCanary(scrubbed.bytes)).toBe(false);
  expect(samples.hashes(scrubbed.bytes, extension)).toEqual(samples.hashes(like, extension));
  expect((await scrub(inspector, scrubbed.bytes)).rewrite).toBeNull();
  return scrubbed;
}
