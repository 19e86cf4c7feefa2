import type { MediaJob } from '../jobs/protocol';
import { isTranslucent, type Pixels } from '../pixels/pixels';
import { chooseAny, chooseFrames, MAX_FRAMES, seededNumbers } from './frame-choice';
import { BACKGROUNDS, lumaOf, type JudgedFrames, type Perceived } from './perceive';
import { SceneCollector, SCENE_EDGE } from './scenes';

/** Browsers show frames with a delay of at most this (milliseconds) for the time below. */
const TOO_SHORT_MS = 10;
const SHOWN_INSTEAD_MS = 100;
/** Bytes of small frames that are decoded at a time. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** Milliseconds for which browsers show a frame with this delay. */
export const millisecondsShown = (delay: number): number =>
  delay <= TOO_SHORT_MS ? SHOWN_INSTEAD_MS : delay;

/** The frames of an animation as they appear, each drawn over the previous ones. */
export interface PlayedFrames {
  /** Milliseconds. */
  readonly delays: readonly number[];
  /** Some frames, stretched to the given dimensions. */
  small(first: number, count: number, width: number, height: number): Promise<readonly Pixels[]>;
  /** One frame at its full size. */
  full(place: number): Promise<Pixels>;
}

/** Hashes every scene of an animation, and adds some frames to the pictures that the classifier judges. */
export async function perceiveAnimation(
  job: MediaJob,
  { width, height }: { readonly width: number; readonly height: number },
  frames: PlayedFrames,
  judged: JudgedFrames,
): Promise<Pick<Perceived, 'hashes' | 'fullySeen'>> {
  const edges = { width: Math.min(width, SCENE_EDGE), height: Math.min(height, SCENE_EDGE) };
  const seconds = frames.delays.map((delay) => millisecondsShown(delay) / 1000);
  const scenes = new SceneCollector();
  const batch = Math.max(1, Math.floor(BATCH_BYTES / (edges.width * edges.height * 4)));
  let at = 0;
  for (let first = 0; first < seconds.length; first += batch) {
    const count = Math.min(batch, seconds.length - first);
    for (const [index, pixels] of (await frames.small(first, count, edges.width, edges.height)).entries()) {
      const frame = first + index;
      const shown = seconds[frame] ?? 0;
      const time = { frame, at: Math.round(at * 1000) / 1000, shown };
      scenes.add(lumaOf(pixels), time);
      // A translucent frame on a dark page is a separate scene.
      if (isTranslucent(pixels)) scenes.add(lumaOf(pixels, 0), time);
      at += shown;
    }
  }
  const { hashes, complete, longest, firsts } = scenes.seen();
  const random = seededNumbers(job.seed);
  for (const place of chooseFrames({ seconds, firsts: [...new Set(firsts)], longest }, MAX_FRAMES, random)) {
    await judged.add(await frames.full(place), chooseAny(BACKGROUNDS, 1, random));
  }
  return { hashes, fullySeen: complete };
}
