/** Videos with more frames a second are thinned out. */
export const MAX_FRAME_RATE = 60;
/** Seconds: less than a sixtieth, because phones and containers place frames a few milliseconds off. */
export const CLOSEST_FRAMES = 0.0135;
/** Frames whose times are remembered. A file with more is treated as one with too many a second. */
const MAX_MOMENTS = 5_000_000;

/**
 * How the frames of a video follow each other:
 *
 * - `even`: none too closely;
 * - `bursts`: some too closely, and none of those that have to go is shown for long;
 * - `dense`: more than 60 a second on average, or a frame that follows too closely is shown for long.
 */
export type Pace = 'even' | 'bursts' | 'dense';

/** Seconds that every last frame may be shown: encoders give it the duration of an ordinary frame. */
const SHORT_REST = 0.1;

/** The times of the frames that a video shows, in seconds and in any order. */
export class Moments {
  private times = new Float64Array(1024);
  private count = 0;
  private first = Infinity;
  private last = -Infinity;
  /** The end of the last frame. */
  end = 0;
  isFull = false;

  /** `duration` is used only for the last frame. */
  add(time: number, duration: number): void {
    this.first = Math.min(this.first, time);
    if (time >= this.last) [this.last, this.end] = [time, time + duration];
    if (this.count === MAX_MOMENTS) {
      this.isFull = true;
      return;
    }
    if (this.count === this.times.length) {
      const larger = new Float64Array(Math.min(MAX_MOMENTS, 2 * this.count));
      larger.set(this.times);
      this.times = larger;
    }
    this.times[this.count++] = time;
  }

  /** How long the last frame rests, at least until `end` (seconds); null if that is not long. */
  restUntil(end: number): Rest | null {
    const ends = Math.max(end, this.end);
    if (!(ends - this.last > SHORT_REST)) return null;
    return { begins: this.last - this.first, ends: ends - this.first };
  }

  sorted(): Float64Array {
    return this.times.slice(0, this.count).sort();
  }
}

/** When the last frame of a video begins and ends to be shown, in seconds after the first frame. */
export interface Rest {
  readonly begins: number;
  readonly ends: number;
}

/** Determines which frames `thinOut` would remove, and whether one of them is on the screen for long. */
export function paceOf(frameRate: number, moments: Moments): Pace {
  if (frameRate > MAX_FRAME_RATE + 0.5 || moments.isFull) return 'dense';
  const times = moments.sorted();
  let pace: Pace = 'even';
  let kept = -Infinity;
  for (const [index, time] of times.entries()) {
    if (time - kept >= CLOSEST_FRAMES) {
      kept = time;
      continue;
    }
    if ((times[index + 1] ?? moments.end) - time > CLOSEST_FRAMES) return 'dense';
    pace = 'bursts';
  }
  return pace;
}
