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

/** The times of the frames that a video shows, in seconds and in any order. */
export class Moments {
  private times = new Float64Array(1024);
  private count = 0;
  private last = -Infinity;
  /** The end of the last frame. */
  end = 0;
  isFull = false;

  /** `duration` is used only for the last frame. */
  add(time: number, duration: number): void {
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

  sorted(): Float64Array {
    return this.times.slice(0, this.count).sort();
  }
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
