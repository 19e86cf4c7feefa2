import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { seededNumbers } from '../perception/frame-choice';
import { SceneCollector, SCENE_EDGE, type SeenScenes } from '../perception/scenes';
import type { InputKind } from '../tools/decoders';
import { FFMPEG_PREAMBLE, hardenedInput, threadsFor } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import type { ColourTags } from './colour-tags';

/** Frames a second that are examined of a video with at most a rendition's frame rate. */
const LOOKS_PER_SECOND = 60;
/** Frames a second that are examined of other videos, such as a phone's slow motion. */
const DENSE_LOOKS_PER_SECOND = 240;
/** Seconds that are added to the time of the last frame, because players keep it on the screen. */
const LAST_FRAME_SECONDS = 1;
/** Seconds of a video that are examined. */
const MAX_SCANNED_SECONDS = 4 * 3600;
const FRAME_BYTES = SCENE_EDGE * SCENE_EDGE;

/** One video stream of a file. */
export interface VideoStream {
  readonly path: string;
  /** The stream of the file, as in ffmpeg's `-map` after `0:`. */
  readonly stream: string;
  /** ffmpeg's options for the input, before `-i`. */
  readonly options?: readonly string[];
  /** Unset: a video in any accepted container. */
  readonly kind?: InputKind;
  /** How its samples are read; unset: as the tags of its frames say. */
  readonly tags?: ColourTags;
  /** Filters that are applied first. */
  readonly filters?: readonly string[];
  /** Whether it may have more than 60 frames a second. */
  readonly isDense?: boolean;
  /** Pixels of a frame, to decode a large one with less memory. */
  readonly pixels?: number;
}

/** The frames of a video; equal frames that follow each other count as one. */
export interface ScannedVideo extends SeenScenes {
  /** How long each frame is shown, in seconds. */
  readonly seconds: readonly number[];
  /** When each frame appears, in seconds. */
  readonly starts: readonly number[];
}

/**
 * Decodes every frame of a video at a small size, and finds its scenes. Throws `UnprocessableFileError` if the video
 * can't be decoded, and `Error` if the machine is at fault.
 */
export async function scanVideo(job: MediaJob, video: VideoStream): Promise<ScannedVideo> {
  const perSecond = looksPerSecond(video);
  const scan = new Scan(perSecond);
  const size = `scale=${SCENE_EDGE}:${SCENE_EDGE}:flags=area:out_color_matrix=bt601:out_range=pc`;
  const filter = [
    ...(video.filters ?? []),
    ...[size, 'format=yuv444p', 'extractplanes=y', `setpts=PTS-${shiftOf(job, video)}/TB`],
    // From the file's beginning, so that times in the scan are times in the file.
    `fps=${perSecond}:start_time=0:eof_action=pass`,
  ].join(',');
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, ...(video.options ?? []), ...streamInput(video)],
      ...['-map', `0:${video.stream}`, '-vf', filter, '-t', String(MAX_SCANNED_SECONDS)],
      ...['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'],
    ],
    reason: failureReason.video,
    onData: (piece) => scan.take(piece),
  });
  return scan.end();
}

function streamInput({ path, kind, pixels }: VideoStream, threads = threadsFor(pixels ?? 0)): string[] {
  return hardenedInput(path, kind, undefined, threads);
}

const looksPerSecond = ({ isDense }: VideoStream): number =>
  isDense ? DENSE_LOOKS_PER_SECOND : LOOKS_PER_SECOND;

/**
 * Seconds by which the samples of a dense video are delayed, so that frames can't be hidden between them without the
 * seed.
 */
const shiftOf = ({ seed }: MediaJob, { isDense }: VideoStream): number =>
  isDense ? seededNumbers(`${seed} looks`)() / DENSE_LOOKS_PER_SECOND : 0;

/** Splits a stream of bytes into frames, and joins equal ones that follow each other. */
class Scan {
  private readonly scenes = new SceneCollector();
  private readonly looks: number[] = [];
  private incoming = Buffer.alloc(FRAME_BYTES);
  private filled = 0;
  /** Number of samples before the frame that is on the screen. */
  private began = 0;
  private shown: Buffer | undefined;

  constructor(private readonly perSecond: number) {}

  take(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(this.incoming, this.filled, at);
      at += copied;
      this.filled += copied;
      if (this.filled === FRAME_BYTES) this.look();
    }
  }

  end(): ScannedVideo {
    this.collect(LAST_FRAME_SECONDS);
    const last = this.looks.length - 1;
    const seconds = this.looks.map(
      (looks, frame) => looks / this.perSecond + (frame === last ? LAST_FRAME_SECONDS : 0),
    );
    let looked = 0;
    const starts = this.looks.map((looks) => {
      const start = looked / this.perSecond;
      looked += looks;
      return start;
    });
    const seen = this.scenes.seen();
    const whole = looked < MAX_SCANNED_SECONDS * this.perSecond;
    return { ...seen, complete: seen.complete && whole, seconds, starts };
  }

  private look(): void {
    this.filled = 0;
    const last = this.looks.length - 1;
    if (this.shown?.equals(this.incoming)) {
      this.looks[last] = (this.looks[last] ?? 0) + 1;
      return;
    }
    this.collect();
    this.shown = this.incoming;
    this.looks.push(1);
    this.incoming = Buffer.alloc(FRAME_BYTES);
  }

  /** Passes on the frame that was on the screen until now, whose duration is now known. */
  private collect(framesToSeconds = 0): void {
    if (!this.shown) return;
    const frame = this.looks.length - 1;
    const looks = this.looks[frame] ?? 0;
    const at = Math.round((this.began / this.perSecond) * 1000) / 1000;
    const luma = { data: this.shown, width: SCENE_EDGE, height: SCENE_EDGE };
    this.scenes.add(luma, { frame, at, shown: looks / this.perSecond + framesToSeconds });
    this.began += looks;
  }
}

/**
 * ffmpeg's arguments to open a video at the time of a sample, in seconds. `keepLastOfSample` then returns the frame of that
 * sample.
 */
export function inputAt(job: MediaJob, video: VideoStream, start: number): string[] {
  const begins = Math.max(0, start + shiftOf(job, video) - 0.5 / looksPerSecond(video));
  return [...(video.options ?? []), '-ss', begins.toFixed(6), ...streamInput(video, 1)];
}

/** The first filter for a video that `inputAt` opens: it keeps the last frame of one sample. */
export const keepLastOfSample = (video: VideoStream): string =>
  `fps=${looksPerSecond(video)}:round=down:eof_action=pass`;
