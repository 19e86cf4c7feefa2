import type { MediaEntity } from '../rows/media.entity';

/** `quick` for work of about a second, `long` for work that may take minutes. */
export type ProcessingLane = 'quick' | 'long';

/** The expected cost of a file. */
export interface ProcessingEstimate {
  readonly lane: ProcessingLane;
  /** Estimated work, in megapixels of a JPEG. */
  readonly cost: number;
}

/**
 * The number of uploads of the day that a file counts as if reading or processing it exceeds its time: it occupies a worker
 * for as long as these.
 */
export const OVERRUN_UPLOADS = 10;
/** How long an uploader whose file overran waits behind the others. */
export const BEHIND_SECONDS = 3600;
/** A file of such an uploader that has waited for so long is requested even if others are in progress. */
export const BEHIND_PATIENCE_SECONDS = 900;

/** Megapixels up to which a still picture is quick work: a phone's 48 are, 100 aren't. */
const QUICK_MEGAPIXELS = 50;
/** Megapixels for each place of an uploader's share: a phone's usual photograph. */
const MEGAPIXELS_A_PLACE = 12.5;

/** Work for a pixel relative to that for one of a JPEG; measured on photographs of 12 megapixels. */
const WEIGHT: Readonly<Record<string, number>> = { heic: 2, heif: 2, jxl: 2 };
/** The same for a frame of an animation, which is decoded and encoded for every size. */
const ANIMATION_WEIGHT = 8;

/**
 * Estimates the lane and the cost of a file from its inspection; the processor's budgets stop files whose headers
 * lie.
 */
export function estimateProcessing(
  media: Pick<MediaEntity, 'kind' | 'format' | 'width' | 'height' | 'frames'>,
): ProcessingEstimate {
  const megapixels = (media.width * media.height) / 1_000_000;
  const animated = media.frames > 1;
  const cost = megapixels * media.frames * (animated ? ANIMATION_WEIGHT : (WEIGHT[media.format] ?? 1));
  // Even a small SVG can need any amount of work.
  const quick = media.kind === 'image' && media.format !== 'svg' && cost <= QUICK_MEGAPIXELS;
  return { lane: quick ? 'quick' : 'long', cost };
}

/** A file of one uploader that waits for its turn. */
export interface WaitingTurn {
  readonly mediaId: number;
  readonly lane: ProcessingLane;
  readonly cost: number;
}

/** An uploader's files that are in progress. */
export interface TurnsInProgress {
  readonly quick: number;
  /** Sum of the estimated costs of the quick ones. */
  readonly quickCost: number;
  readonly long: number;
}

/**
 * The waiting files of an uploader that are requested now, so that at most `share` quick ones are in progress, with no
 * more megapixels than `share` photographs have, and at most one long one. A larger file is requested as the only one.
 */
export function chooseTurns(
  inProgress: TurnsInProgress,
  waiting: readonly WaitingTurn[],
  share: number,
): readonly WaitingTurn[] {
  const chosen: WaitingTurn[] = [];
  let { quick, quickCost } = inProgress;
  for (const turn of waiting.filter(({ lane }) => lane === 'quick')) {
    const fits = quick === 0 || (quick < share && quickCost + turn.cost <= share * MEGAPIXELS_A_PLACE);
    if (!fits) break;
    chosen.push(turn);
    quick++;
    quickCost += turn.cost;
  }
  const nextLong = inProgress.long === 0 ? waiting.find(({ lane }) => lane === 'long') : undefined;
  return nextLong ? [...chosen, nextLong] : chosen;
}

/**
 * The media that wait for their variants in one line: quick work, long work, or the files of uploaders who wait
 * behind the others.
 */
export interface MediaBacklog {
  readonly line: 'quick' | 'long' | 'behind';
  readonly count: number;
  /** The wait of the oldest of them, in seconds; 0 if there is none. */
  readonly oldestSeconds: number;
}
