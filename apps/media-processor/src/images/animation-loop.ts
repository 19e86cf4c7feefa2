import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOP_EDGE, type LoopVariant, objectKeys } from '@vitrine/contracts';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { millisecondsShown, type PlayedFrames } from '../perception/perceive-animation';
import type { Pixels } from '../pixels/pixels';
import { type Dimensions, fitLongestEdge } from '../pixels/variant-plan';
import { ANONYMOUS_OUTPUT, FFMPEG_PREAMBLE } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { BT709_SAMPLES, BT709_STREAM } from '../video/colour';

/** A loop must have at most this share of the bytes of the picture that a page would load otherwise. */
const WORTHWHILE = 0.8;

/** The encoder shows the last frame for this time. */
const TICK_MS = 20;

/** The part of the job's processor time that the encoder may take; the other variants must not fail because of it. */
const SHARE_OF_TIME = 0.25;

/** Changes of the delay within an animation; each makes the expression of the times longer. */
const MAX_DELAY_CHANGES = 1000;

/** Bytes of frames that are decoded at a time. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Smaller alpha values can be seen. Resizing rounds those of opaque pixels. */
const OPAQUE_ALPHA = 250;

/** The name of a loop's file in the job's folder. */
export const LOOP_FILE = 'loop.mp4';

/** An animation has no loop because one of its frames is translucent, which H.264 can't show. */
class TranslucentFrameError extends Error {}

/** An animation, as decoded for its other variants. */
export interface LoopSource extends Dimensions {
  readonly frames: PlayedFrames;
  /** Bytes of the variant that pages would load otherwise. */
  readonly insteadOfBytes: number;
}

/**
 * Writes an animation that repeats without end as a silent MP4 into the job's folder, from the same decoded frames as its
 * other variants and its evidence for moderation. Undefined if that isn't possible (a translucent frame, no
 * ffmpeg) or doesn't save at least a fifth of the bytes. Throws `Error` if the machine is at fault.
 */
export async function makeLoop(job: MediaJob, source: LoopSource): Promise<LoopVariant | undefined> {
  const size = evenDimensions(fitLongestEdge(source, LOOP_EDGE));
  const delays = source.frames.delays.map(millisecondsShown);
  const times = timesOf(delays);
  if (job.tools.ffmpeg === null || times === null) return undefined;
  const path = join(job.folder, LOOP_FILE);
  try {
    await runTool(boundedJob(job), {
      program: job.tools.ffmpeg,
      args: encodeArguments(size, times, path),
      reason: failureReason.video,
      input: opaqueFrames(source.frames, size, (delays.at(-1) ?? 0) > TICK_MS),
    });
  } catch (error) {
    // The animation itself is fine, and its other variants exist.
    if (error instanceof TranslucentFrameError || error instanceof UnprocessableFileError) return undefined;
    throw error;
  }
  const { size: bytes } = await stat(path);
  if (bytes > source.insteadOfBytes * WORTHWHILE) return undefined;
  const key = objectKeys.variant(job.media.slug, 'loop', 'mp4');
  return { name: 'loop', key, ext: 'mp4', mime: 'video/mp4', bytes, ...size };
}

const boundedJob = ({ tools, limits }: MediaJob): Pick<MediaJob, 'tools' | 'limits'> => ({
  tools,
  limits: { ...limits, toolSeconds: Math.ceil(limits.toolSeconds * SHARE_OF_TIME) },
});

/** 4:2:0 has one colour sample for two pixels in each direction, so both edges are even. */
const evenDimensions = ({ width, height }: Dimensions): Dimensions => ({
  width: Math.max(2, width - (width % 2)),
  height: Math.max(2, height - (height % 2)),
});

/**
 * An expression of ffmpeg for the time of frame N in milliseconds, and null if there are too many different delays. The last
 * frame comes a second time one tick before the end, because the encoder shows the last one for a tick only.
 */
export function timesOf(delays: readonly number[]): string | null {
  const runs: { readonly delay: number; readonly first: number; frames: number }[] = [];
  const gaps = [...delays.slice(0, -1), Math.max(0, (delays.at(-1) ?? 0) - TICK_MS)];
  for (const [first, delay] of gaps.entries()) {
    const last = runs.at(-1);
    if (last?.delay === delay) last.frames++;
    else runs.push({ delay, first, frames: 1 });
  }
  if (runs.length > MAX_DELAY_CHANGES) return null;
  return runs.map(({ delay, first, frames }) => `${delay}*clip(N-${first},0,${frames})`).join('+');
}

/** RGBA frames of these dimensions; `repeats` gives the last one twice. Throws `TranslucentFrameError`. */
async function* opaqueFrames(
  frames: PlayedFrames,
  { width, height }: Dimensions,
  repeats: boolean,
): AsyncGenerator<Buffer> {
  const count = frames.delays.length;
  const batch = Math.max(1, Math.floor(BATCH_BYTES / (width * height * 4)));
  for (let first = 0; first < count; first += batch) {
    const decoded = await frames.small(first, Math.min(batch, count - first), width, height);
    for (const pixels of decoded) {
      if (hasTransparentPixels(pixels)) throw new TranslucentFrameError();
      yield pixels.data;
    }
    const last = decoded.at(-1);
    if (first + batch >= count && last && repeats) yield last.data;
  }
}

function hasTransparentPixels({ data }: Pixels): boolean {
  for (let alpha = 3; alpha < data.length; alpha += 4) if ((data[alpha] ?? 0) < OPAQUE_ALPHA) return true;
  return false;
}

/** Reads raw frames from the standard input. Without frames that refer to later ones, each frame lasts until the next. */
const encodeArguments = ({ width, height }: Dimensions, times: string, path: string): string[] => [
  ...[...FFMPEG_PREAMBLE, '-vsync', 'vfr', '-protocol_whitelist', 'pipe,file'],
  ...['-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`],
  ...['-framerate', String(1000 / TICK_MS), '-i', 'pipe:0', '-map', '0:v:0'],
  ...[
    '-vf',
    `settb=1/1000,setpts='${times}',scale=out_color_matrix=bt709:out_range=tv,${BT709_SAMPLES},setsar=1`,
  ],
  ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-bf', '0', '-profile:v', 'high', '-threads', '2'],
  ...[...BT709_STREAM, '-enc_time_base', '1/1000', '-video_track_timescale', '1000'],
  ...['-metadata:s:v', 'encoder=H.264', ...ANONYMOUS_OUTPUT, '-bsf:v', 'filter_units=remove_types=6'],
  ...['-movflags', '+faststart', '-f', 'mp4', `file:${path}`],
];
