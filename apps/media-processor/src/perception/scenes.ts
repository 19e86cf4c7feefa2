import type { PerceptualHash } from '@vitrine/contracts';
import { crop, insideBorder } from './border';
import { hashOf, spectrumOf, wordsOf, type Luma, type Spectrum } from './pdq';

/** Width and height of the frames by which scenes are distinguished; pictures are stretched to this square. */
export const SCENE_EDGE = 128;

/**
 * Frames whose hashes differ in at most this many bits show the same scene. Compression by itself changes about 2–8 bits.
 */
const SAME_SCENE_BITS = 10;
/** Samples that differ by at most this look the same. */
const SAME_SAMPLE = 12;
/** If a smaller share of the samples of two frames differ, both look the same and the second is not hashed. */
const SAME_FRAME_SHARE = 1 / 512;
/** Every scene that is shown for this many seconds in total is hashed. */
export const MIN_SCENE_SECONDS = 0.2;
/** Limits of what is remembered of one file. */
const LIMITS = {
  /** Largest number of lasting scenes. */
  lasting: 1000,
  /** Brief scenes, as in a pan, are added up to this total number of scenes, evenly spread. */
  withBrief: 300,
  /** Scenes that are remembered during the scan. The oldest brief ones are removed first. */
  candidates: 4000,
};
/** Hashes of a lower quality are never matched (PDQ's paper). */
const MIN_QUALITY = 50;

interface Candidate {
  readonly whole: Spectrum;
  /** The picture without its plain border, if it has one. */
  readonly inside: Spectrum | null;
  readonly words: Uint32Array;
  /** The first frame that shows it, from 0. */
  readonly frame: number;
  readonly at: number;
  shown: number;
}

export interface SeenScenes {
  /** Ordered by the time for which they are shown, longest first. */
  readonly hashes: readonly PerceptualHash[];
  /** False if there were more lasting scenes than are kept. */
  readonly complete: boolean;
  /** The frame, from 0, that represents the scene that was shown the longest. */
  readonly longest: number;
  /** The first frame of each scene, ascending. */
  readonly firsts: readonly number[];
}

/** Finds the scenes of a video or an animation, frame by frame, and hashes each once. */
export class SceneCollector {
  private candidates: Candidate[] = [];
  private previous: { readonly luma: Luma; readonly scene: Candidate } | undefined;
  private overflowed = false;

  constructor(private readonly limits = LIMITS) {}

  /** Takes the next frame: its number from 0, when it appears and for how long, in seconds. */
  add(luma: Luma, { frame, at, shown }: { frame: number; at: number; shown: number }): void {
    if (this.previous && looksTheSame(this.previous.luma, luma)) {
      this.previous.scene.shown += shown;
      return;
    }
    const whole = spectrumOf(luma);
    const words = wordsOf(whole);
    const known = this.find(words);
    if (known) known.shown += shown;
    const scene = known ?? this.remember({ ...describe(luma, whole), words, frame, at, shown });
    this.previous = { luma, scene };
  }

  seen(): SeenScenes {
    const byTime = this.candidates.toSorted((a, b) => b.shown - a.shown);
    const comparable = byTime.filter(isComparable);
    const lasting = comparable.filter(({ shown }) => shown >= MIN_SCENE_SECONDS);
    const brief = comparable.filter(({ shown }) => shown < MIN_SCENE_SECONDS);
    const added = spread(brief, Math.max(0, this.limits.withBrief - lasting.length));
    const kept = [...lasting.slice(0, this.limits.lasting), ...added];
    return {
      hashes: (kept.length > 0 ? kept : byTime.slice(0, 1)).flatMap(hashesOf),
      complete: !this.overflowed && lasting.length <= this.limits.lasting,
      longest: byTime[0]?.frame ?? 0,
      firsts: this.candidates.map(({ frame }) => frame),
    };
  }

  private find(words: Uint32Array): Candidate | undefined {
    // Newest first, because videos often return to what they have just shown.
    for (let index = this.candidates.length - 1; index >= 0; index--) {
      const candidate = this.candidates[index];
      if (candidate && isNear(candidate.words, words)) return candidate;
    }
    return undefined;
  }

  private remember(candidate: Candidate): Candidate {
    if (this.candidates.length >= this.limits.candidates) this.forget();
    if (this.candidates.length < this.limits.candidates) this.candidates.push(candidate);
    return candidate;
  }

  /** Makes room for half as many scenes again. If most scenes are lasting ones, there are more than can be kept. */
  private forget(): void {
    const half = this.candidates.length / 2;
    const older = this.candidates.slice(0, half).filter(({ shown }) => shown >= MIN_SCENE_SECONDS);
    this.candidates = [...older, ...this.candidates.slice(half)];
    this.overflowed ||= older.length > this.limits.lasting;
  }
}

/** The hashes of one picture: as it is, and without its plain border if it has one. */
export function hashPicture(luma: Luma, at: number): readonly PerceptualHash[] {
  return hashesOf({ ...describe(luma, spectrumOf(luma)), at });
}

/** Whether two pictures of the same dimensions look the same. */
export function looksTheSame(a: Luma, b: Luma): boolean {
  if (a.width !== b.width || a.height !== b.height) return false;
  const allowed = a.data.length * SAME_FRAME_SHARE;
  let different = 0;
  for (let index = 0; index < a.data.length; index++) {
    if (Math.abs((a.data[index] ?? 0) - (b.data[index] ?? 0)) > SAME_SAMPLE && ++different > allowed)
      return false;
  }
  return true;
}

function describe(luma: Luma, whole: Spectrum): Pick<Candidate, 'whole' | 'inside'> {
  const area = insideBorder(luma);
  return { whole, inside: area && spectrumOf(crop(luma, area)) };
}

const isComparable = ({ whole, inside }: Candidate): boolean =>
  whole.quality >= MIN_QUALITY || (inside !== null && inside.quality >= MIN_QUALITY);

function hashesOf({
  whole,
  inside,
  at,
}: Pick<Candidate, 'whole' | 'inside' | 'at'>): readonly PerceptualHash[] {
  const hash = { ...hashOf(whole), at };
  return inside ? [hash, { ...hashOf(inside), at, border_cut: true }] : [hash];
}

function isNear(a: Uint32Array, b: Uint32Array): boolean {
  let distance = 0;
  for (let word = 0; word < a.length && distance <= SAME_SCENE_BITS; word++) {
    distance += countOnes((a[word] ?? 0) ^ (b[word] ?? 0));
  }
  return distance <= SAME_SCENE_BITS;
}

/** Ones among 32 bits, counted in parallel (Warren, "Hacker's Delight", 5-1). */
function countOnes(bits: number): number {
  let ones = bits - ((bits >>> 1) & 0x55555555);
  ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333);
  return Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** At most `count` of the items, evenly spread. */
const spread = <T>(items: readonly T[], count: number): readonly T[] =>
  items.length <= count
    ? items
    : items.filter(
        (_, index) =>
          Math.floor((index * count) / items.length) !== Math.floor(((index - 1) * count) / items.length),
      );
