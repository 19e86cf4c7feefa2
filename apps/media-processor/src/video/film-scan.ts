import { failureReason } from '../failures';
import { SceneCollector, SCENE_EDGE, type SeenScenes } from '../perception/scenes';
import type { MediaJob } from '../worker/protocol';
import { FFMPEG_PREAMBLE, hardenedInput } from './ffmpeg-arguments';
import { runTool } from './run-tool';

/** Frames a second that are examined: no rendition has more. */
const LOOKS_PER_SECOND = 60;
/** Seconds of a video that are examined. */
const MAX_SCANNED_SECONDS = 4 * 3600;
const FRAME_BYTES = SCENE_EDGE * SCENE_EDGE;

/** One moving picture of a file. */
export interface Film {
  readonly path: string;
  /** Which stream of the file it is, as ffmpeg's `-map` takes it after `0:`. */
  readonly stream: string;
  /** ffmpeg's options for the input, before `-i`. */
  readonly options?: readonly string[];
  /** The containers that it may have; unset: all that a video may have. */
  readonly demuxer?: string;
}

/** What a video shows, frame by frame; equal frames that follow each other count as one. */
export interface ScannedFilm extends SeenScenes {
  /** How long each frame is shown, in seconds. */
  readonly seconds: readonly number[];
  /** When each frame appears, in seconds. */
  readonly starts: readonly number[];
}

/**
 * Decodes every frame of a video at a small size, and finds its scenes. Throws `UnprocessableFileError` where the video
 * can't be decoded, and `Error` where the machine is at fault.
 */
export async function scanFilm(job: MediaJob, film: Film): Promise<ScannedFilm> {
  const scan = new Scan();
  const size = `scale=${SCENE_EDGE}:${SCENE_EDGE}:flags=area:out_color_matrix=bt601:out_range=pc`;
  // From the file's beginning, so that times in the scan are times in the file.
  const filter = `${size},format=yuv444p,extractplanes=y,fps=${LOOKS_PER_SECOND}:start_time=0`;
  await runTool(job, {
    program: job.tools.ffmpeg,
    args: [
      ...[...FFMPEG_PREAMBLE, ...(film.options ?? []), ...hardenedInput(film.path, film.demuxer)],
      ...['-map', `0:${film.stream}`, '-vf', filter, '-t', String(MAX_SCANNED_SECONDS)],
      ...['-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'],
    ],
    reason: failureReason.video,
    onData: (piece) => scan.take(piece),
  });
  return scan.end();
}

/** Cuts a stream of bytes into frames, and joins equal ones that follow each other. */
class Scan {
  private readonly scenes = new SceneCollector();
  private readonly looks: number[] = [];
  private incoming = Buffer.alloc(FRAME_BYTES);
  private filled = 0;
  /** Number of samples before the frame that is on the screen. */
  private began = 0;
  private shown: Buffer | undefined;

  take(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      const copied = piece.copy(this.incoming, this.filled, at);
      at += copied;
      this.filled += copied;
      if (this.filled === FRAME_BYTES) this.look();
    }
  }

  end(): ScannedFilm {
    this.collect();
    const seconds = this.looks.map((looks) => looks / LOOKS_PER_SECOND);
    let looked = 0;
    const starts = this.looks.map((looks) => {
      const start = looked / LOOKS_PER_SECOND;
      looked += looks;
      return start;
    });
    const seen = this.scenes.seen();
    const whole = looked < MAX_SCANNED_SECONDS * LOOKS_PER_SECOND;
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

  /** Passes on the frame that has been on the screen so far: only now its duration is known. */
  private collect(): void {
    if (!this.shown) return;
    const frame = this.looks.length - 1;
    const looks = this.looks[frame] ?? 0;
    const at = Math.round((this.began / LOOKS_PER_SECOND) * 1000) / 1000;
    const luma = { data: this.shown, width: SCENE_EDGE, height: SCENE_EDGE };
    this.scenes.add(luma, { frame, at, shown: looks / LOOKS_PER_SECOND });
    this.began += looks;
  }
}

/** Where to seek a frame of a scan again, in seconds: half a sample early, because time stamps lie between samples. */
export const seekTo = (start: number): number => Math.max(0, start - 0.5 / LOOKS_PER_SECOND);
