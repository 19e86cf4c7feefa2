import { execFileSync } from 'node:child_process';
import { findFfmpeg, PATCHES, type Rgb } from '@vitrine/testing';
import { probeStreams } from './probe-streams';

const EDGE = 64;
const RATE = 8000;

/** The centre of each patch of the test card, as a fraction of the edges. */
const CORNERS = {
  topLeft: [0.25, 0.25],
  topRight: [0.75, 0.25],
  bottomLeft: [0.25, 0.75],
  bottomRight: [0.75, 0.75],
} as const satisfies Record<keyof typeof PATCHES, readonly [number, number]>;

export type Corner = keyof typeof PATCHES;

/** The picture and sound that a player gets from a rendition. Each is decoded once. */
export class MeasuredVideo {
  private probed: readonly Record<string, unknown>[] | undefined;
  private pixels: Buffer | undefined;

  constructor(private readonly path: string) {}

  /** ffprobe's fields of the streams of one kind. */
  streams(kind: 'video' | 'audio'): Record<string, unknown>[] {
    this.probed ??= probeStreams(this.path);
    return this.probed.filter(({ codec_type }) => codec_type === kind);
  }

  /** The colours of the patches in the first or the last frame. */
  corners(frame: 'first' | 'last'): Record<Corner, Rgb> {
    this.pixels ??= this.decode([
      ...['-map', '0:v:0', '-vf', `scale=${EDGE}:${EDGE}:in_color_matrix=bt709:in_range=tv,format=rgb24`],
      ...['-f', 'rawvideo'],
    ]);
    const picture = EDGE * EDGE * 3;
    const shown = frame === 'first' ? this.pixels.subarray(0, picture) : this.pixels.subarray(-picture);
    const colour = ([x, y]: readonly [number, number]): Rgb => {
      const at = (Math.floor(y * EDGE) * EDGE + Math.floor(x * EDGE)) * 3;
      const [r = 0, g = 0, b = 0] = shown.subarray(at, at + 3);
      return [r, g, b];
    };
    return {
      topLeft: colour(CORNERS.topLeft),
      topRight: colour(CORNERS.topRight),
      bottomLeft: colour(CORNERS.bottomLeft),
      bottomRight: colour(CORNERS.bottomRight),
    };
  }

  /** The sound, mixed to one channel, as 8,000 samples a second. */
  sound(): Float32Array {
    const raw = this.decode(['-map', '0:a:0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le']);
    return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  }

  private decode(args: string[]): Buffer {
    return execFileSync(findFfmpeg(), ['-nostdin', '-v', 'error', '-i', this.path, ...args, '-'], {
      maxBuffer: 1 << 28,
    });
  }
}

/** Seconds of sound. */
export const lengthOf = (sound: Float32Array): number => sound.length / RATE;

/** Seconds until the sound is loud for the first time. */
export const onsetOf = (sound: Float32Array): number =>
  sound.findIndex((value) => Math.abs(value) > 0.02) / RATE;

/** The share of the sound's power at a frequency, 0 to 1 (Goertzel's algorithm), over windows of 50 ms. */
export function toneShare(sound: Float32Array, hertz: number): number {
  let [found, power] = [0, 0];
  for (let from = 0; from < sound.length; from += RATE / 20) {
    let [sine, cosine] = [0, 0];
    const stretch = sound.subarray(from, from + RATE / 20);
    for (const [index, value] of stretch.entries()) {
      const angle = (2 * Math.PI * hertz * index) / RATE;
      sine += value * Math.sin(angle);
      cosine += value * Math.cos(angle);
      power += value * value;
    }
    found += (2 * (sine * sine + cosine * cosine)) / stretch.length;
  }
  return power === 0 ? 0 : found / power;
}

/** The hue of a colour in degrees, 0 to 360. */
export function hueOf([r, g, b]: Rgb): number {
  const degrees = (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
  return (degrees + 360) % 360;
}
