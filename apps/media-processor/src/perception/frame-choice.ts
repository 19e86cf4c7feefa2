import { createHmac } from 'node:crypto';

/** Largest number of pictures of one video or animation that the classifier judges. */
export const MAX_FRAMES = 12;
/** Largest number of further pictures that it judges, which the served original holds but its variants don't. */
export const MAX_OTHER_FRAMES = 4;

/** Numbers from 0 (inclusive) to 1 (exclusive) that follow from a seed, and can't be predicted without it. */
export function seededNumbers(seed: string): () => number {
  let count = 0;
  return () => createHmac('sha256', seed).update(String(count++)).digest().readUInt32BE() / 2 ** 32;
}

/** The frames and scenes to choose from. */
export interface FramesOnScreen {
  /** How long each frame is shown, in seconds. */
  readonly seconds: ArrayLike<number>;
  /** The first frame of each scene, ascending. */
  readonly firsts: readonly number[];
  /** The frame that represents the scene that is shown the longest. */
  readonly longest: number;
}

/**
 * Chooses at most `count` frames; returns their positions in `seconds`, ascending. The first frame and that of the
 * longest scene are always chosen. Then come one frame at a random moment of each of some equal parts of the whole
 * time, and frames of random scenes, or of all scenes if there are few. If frames were chosen only by time, one frame
 * that is shown for hours could hide all others.
 */
export function chooseFrames(
  { seconds, firsts, longest }: FramesOnScreen,
  count: number,
  random: () => number,
): number[] {
  const chosen = new Set([0, longest]);
  if (firsts.length + chosen.size <= count) firsts.forEach((frame) => chosen.add(frame));
  for (const frame of atRandomMoments(seconds, Math.floor((count - chosen.size) / 2), random))
    chosen.add(frame);
  const others = firsts.filter((frame) => !chosen.has(frame));
  for (const frame of chooseAny(others, count - chosen.size, random)) chosen.add(frame);
  return [...chosen].sort((a, b) => a - b);
}

/** Frames without duration count as if they had a thousandth of a second. */
function atRandomMoments(seconds: ArrayLike<number>, parts: number, random: () => number): number[] {
  const ends = new Float64Array(seconds.length);
  let total = 0;
  for (let frame = 0; frame < ends.length; frame++) {
    total += Math.max(0.001, seconds[frame] ?? 0);
    ends[frame] = total;
  }
  let frame = 0;
  return Array.from({ length: Math.max(0, parts) }, (_, part) => {
    const moment = ((part + random()) / parts) * total;
    while (frame < ends.length - 1 && (ends[frame] ?? 0) <= moment) frame++;
    return frame;
  });
}

/** At most `count` items, chosen at random, in their order. */
export function chooseAny<T>(items: readonly T[], count: number, random: () => number): readonly T[] {
  const keyed = items.map((item, place) => ({ item, place, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
