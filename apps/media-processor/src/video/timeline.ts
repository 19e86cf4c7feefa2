import { failureReason } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { probedInput } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import { Moments, paceOf, type Pace, type Rest } from './pace';
import type { VideoFacts } from './probe';

/** Seconds by which the starts of sound and picture may differ, or that a gap in the sound may last, unnoticed. */
const TOLERANCE = 0.05;
/** Seconds of an audio encoder's delay, which a decoder leaves out. */
const MAX_PRIMING = 0.15;

/** Seconds of a last frame that the header alone tells. */
const MAX_REST_BY_HEADER = 10;

/** The times of one track's packets. */
interface TrackTimes {
  /** Seconds of the earliest packet, shown or not. */
  first: number;
  /** Seconds of the earliest packet that is shown. */
  firstShown: number;
  /** Seconds at which the last packet that was read ends. */
  end: number;
  /** Whether an edit list hides a packet after a shown one. */
  hidesLater: boolean;
  /** Whether there is a gap between two shown packets. */
  hasHole: boolean;
}

/** When a video's samples are shown. */
export interface Timeline {
  /**
   * Whether the samples of an MP4 or QuickTime file, one after the other, are what the file shows: no edit list
   * removes anything, the sound has no gap, and sound and picture begin together. Only such tracks can be copied; a
   * copy of others would restore what was removed, or shift sound against picture.
   */
  readonly isPlain: boolean;
  readonly pace: Pace;
  readonly rest: Rest | null;
}

/** Reads the header of every packet without decoding. Throws like `runTool`. */
export async function readTimeline(job: MediaJob, facts: VideoFacts): Promise<Timeline> {
  const tracks = new Map<number, TrackTimes>();
  const moments = new Moments();
  await runTool(job, {
    program: job.tools.ffprobe,
    args: [
      ...['-v', 'error', '-show_entries', 'packet=stream_index,pts_time,duration_time,flags'],
      ...['-of', 'csv=p=0', ...probedInput(job.source)],
    ],
    reason: failureReason.video,
    onLine: (line) => {
      const shown = readPacket(line, tracks);
      if (shown?.stream === facts.stream) moments.add(shown.at, shown.seconds);
    },
  });
  return {
    isPlain: isPlain(facts, tracks),
    pace: paceOf(facts.frameRate, moments),
    rest: moments.restUntil(endOf(job, facts, moments)),
  };
}

/**
 * Seconds at which a silent Matroska file ends by its header. Its last frame usually has no duration. A header that gives much
 * more belongs to a file that was cut off.
 */
function endOf({ media }: MediaJob, { audio, duration }: VideoFacts, { end }: Moments): number {
  if (media.format !== 'matroska' || audio || duration === null) return end;
  return duration - end <= MAX_REST_BY_HEADER ? duration : end;
}

function isPlain(facts: VideoFacts, tracks: ReadonlyMap<number, TrackTimes>): boolean {
  const video = tracks.get(facts.stream);
  if (!video || hidesPictures(video)) return false;
  if (!facts.audio) return true;
  const audio = tracks.get(facts.audio.stream);
  return (
    audio !== undefined &&
    !audio.hidesLater &&
    !audio.hasHole &&
    audio.firstShown - audio.first <= MAX_PRIMING &&
    Math.abs(audio.firstShown - video.firstShown) <= TOLERANCE
  );
}

const hidesPictures = ({ first, firstShown, hidesLater }: TrackTimes): boolean =>
  hidesLater || first < firstShown;

/**
 * Reads one line of ffprobe: stream, timestamp, duration, flags (`D`: an edit list leaves the packet out). Returns
 * the stream, the time of a shown packet, and its duration.
 */
function readPacket(
  line: string,
  tracks: Map<number, TrackTimes>,
): { readonly stream: number; readonly at: number; readonly seconds: number } | null {
  const [stream, at, lasts, flags = ''] = line.split(',');
  const [index, pts, duration] = [Number(stream), Number(at), Number(lasts)];
  if (!Number.isFinite(pts)) return null;
  const track = tracks.get(index) ?? {
    ...{ first: Infinity, firstShown: Infinity, end: NaN, hidesLater: false, hasHole: false },
  };
  tracks.set(index, track);
  const isHidden = flags.includes('D');
  const wasShown = track.firstShown < Infinity;
  if (isHidden && wasShown) track.hidesLater = true;
  if (!isHidden && wasShown && Math.abs(pts - track.end) > TOLERANCE) track.hasHole = true;
  track.first = Math.min(track.first, pts);
  if (!isHidden) track.firstShown = Math.min(track.firstShown, pts);
  const seconds = Number.isFinite(duration) ? duration : 0;
  track.end = pts + seconds;
  return isHidden ? null : { stream: index, at: pts, seconds };
}
