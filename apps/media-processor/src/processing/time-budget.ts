import { LONGEST_VIDEO_SECONDS, type MediaProcessingRequested } from '@vitrine/contracts';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import type { JobLane } from '../decoders/decoder-pool';
import type { JobBudget } from '../decoders/worker-process';

/** Seconds that quick work may take in addition to its pixels: fifty times what a photograph needs, for a slow processor. */
const QUICK_BASE_SECONDS = 10;
const QUICK_SECONDS_PER_MEGAPIXEL = 0.2;
/** Seconds that any still picture may take in addition to its pixels. */
const STILL_BASE_SECONDS = 20;
const STILL_SECONDS_PER_MEGAPIXEL = 0.5;
const ANIMATION_BASE_SECONDS = 30;
/** Seconds for each megapixel of each frame, which is decoded and encoded for every size. */
const ANIMATION_SECONDS_PER_MEGAPIXEL = 0.6;

/** The longest time of any picture or animation. */
const IMAGE_SECONDS = 180;
/** Seconds of an SVG: even a small one can take very long to draw. */
const SVG_SECONDS = 10;
/** Seconds that any video may take, and those that each of its seconds adds. */
const VIDEO_BASE_SECONDS = 180;
const VIDEO_SECONDS_PER_SECOND = 30;

/** On a busy machine, a job may last so many times its processor time by the clock. */
const BUSY_FACTOR = 10;
/** The longest that this makes quick work: shorter than the default `REANNOUNCE_AFTER_SECONDS`, when it is requested again. */
const QUICK_CLOCK_SECONDS = 100;

const MIB = 1024 * 1024;
/** Bytes on the disk that any file may need, and those of each pixel: decoded pixels are twice in a file, for a moment. */
const BASE_BYTES = 256 * MIB;
const BYTES_PER_PIXEL = 12;
/** Bytes for each second of a video: the highest rates of all renditions. */
const BYTES_PER_SECOND = 2.5 * MIB;

type Measured = Pick<
  MediaProcessingRequested,
  'kind' | 'format' | 'width' | 'height' | 'frames' | 'duration'
>;

/**
 * The time that a file may take: what its kind and its size can need on a slow processor, and longer by the clock on a busy
 * machine. A header may give a false size, so each kind has a maximum. No reader waits long enough for an interactive job
 * that takes longer.
 */
export function timeBudget(media: Measured, lane: JobLane): Pick<JobBudget, 'timeLimitMs' | 'clockLimitMs'> {
  const isQuick = lane === 'quick' || lane === 'interactive';
  const seconds = secondsFor(media, isQuick);
  const longest = isQuick ? QUICK_CLOCK_SECONDS : LONGEST_VIDEO_SECONDS;
  const clock =
    lane === 'interactive' ? seconds : Math.max(seconds, Math.min(BUSY_FACTOR * seconds, longest));
  return { timeLimitMs: Math.round(seconds * 1000), clockLimitMs: Math.round(clock * 1000) };
}

/** Bytes on the disk that the work on a file may use, beside its original. A rendition can be a copy of it. */
export function writtenBudget(
  media: Pick<MediaProcessingRequested, 'kind' | 'width' | 'height' | 'duration' | 'bytes'>,
): number {
  const decoded =
    media.kind === 'video'
      ? BYTES_PER_SECOND * Math.min(media.duration ?? 0, LONGEST_VIDEO_SECONDS)
      : BYTES_PER_PIXEL * Math.min(media.width * media.height, MAX_PIXELS);
  return Math.round(BASE_BYTES + 2 * media.bytes + decoded);
}

function secondsFor(media: Measured, isQuick: boolean): number {
  if (media.kind === 'video') {
    const wanted = VIDEO_BASE_SECONDS + VIDEO_SECONDS_PER_SECOND * (media.duration ?? 0);
    return Math.min(wanted, LONGEST_VIDEO_SECONDS);
  }
  if (media.format === 'svg') return SVG_SECONDS;
  const megapixels = (media.width * media.height * media.frames) / 1_000_000;
  const long =
    media.frames > 1
      ? ANIMATION_BASE_SECONDS + ANIMATION_SECONDS_PER_MEGAPIXEL * megapixels
      : STILL_BASE_SECONDS + STILL_SECONDS_PER_MEGAPIXEL * megapixels;
  const quick = QUICK_BASE_SECONDS + QUICK_SECONDS_PER_MEGAPIXEL * megapixels;
  return Math.min(isQuick ? quick : long, IMAGE_SECONDS);
}
