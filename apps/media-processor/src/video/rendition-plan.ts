import { VARIANT_SIZES, VIDEO_LINES, type VariantSize } from '@vitrine/contracts';
import type { Dimensions } from '../pixels/variant-plan';
import { matrixToTag } from './colour-tags';
import { MAX_FRAME_RATE } from './pace';
import type { VideoFacts } from './probe';

export type Rendition = Dimensions & { readonly size: VariantSize };

/** The renditions of a video, and the one that serves each size. */
export interface RenditionPlan {
  /** To be encoded, largest first. */
  readonly encoded: readonly Rendition[];
  /** The source's own samples in a new container, if browsers play them; else null. */
  readonly copied: Rendition | null;
  readonly servedBy: Readonly<Record<VariantSize, VariantSize>>;
}

/** Formats whose samples can be put into an MP4 unchanged. */
export const MP4_FAMILY = ['mp4', 'mov', '3gp'];
const SAFE_PROFILES = ['Constrained Baseline', 'Baseline', 'Main', 'High'];

/**
 * Plans the renditions of a video. The number of lines is that of the shorter edge. Videos are never enlarged, so all
 * sizes that aren't smaller than the source share one rendition of its own dimensions.
 */
export function planRenditions(facts: VideoFacts, format: string): RenditionPlan {
  const lines = Math.min(facts.displayed.width, facts.displayed.height);
  const made: Rendition[] = [];
  const servedBy = {} as Record<VariantSize, VariantSize>;
  let whole: VariantSize | undefined;
  for (const size of VARIANT_SIZES) {
    const scale = VIDEO_LINES[size] / lines;
    servedBy[size] = scale < 1 ? size : (whole ??= size);
    if (servedBy[size] === size) made.unshift({ size, ...scaleEven(facts.displayed, Math.min(1, scale)) });
  }
  const copied = made.find(({ size }) => size === whole);
  if (!copied || !isWebSafe(facts, format)) return { encoded: made, copied: null, servedBy };
  return { encoded: made.filter((rendition) => rendition !== copied), copied, servedBy };
}

/**
 * Whether every current browser plays the video unchanged: H.264, 8 bits, 4:2:0, in colours that all browsers show alike,
 * upright, with AAC or silent, and without edits.
 */
export function isWebSafe(facts: VideoFacts, format: string): boolean {
  const { width, height } = facts.stored;
  return (
    MP4_FAMILY.includes(format) &&
    facts.codec === 'h264' &&
    SAFE_PROFILES.includes(facts.profile) &&
    facts.pixelFormat === 'yuv420p' &&
    width % 2 === 0 &&
    height % 2 === 0 &&
    !facts.turned &&
    facts.squarePixels &&
    !facts.interlaced &&
    matrixToTag(facts) !== null &&
    facts.isPlain &&
    facts.frameRate <= MAX_FRAME_RATE + 0.5 &&
    (facts.audio === null || facts.audio.codec === 'aac')
  );
}

/** 4:2:0 has one colour sample for two pixels in each direction, so both edges are even. */
function scaleEven({ width, height }: Dimensions, scale: number): Dimensions {
  const even = (edge: number): number =>
    Math.max(2, scale === 1 ? edge - (edge % 2) : 2 * Math.round((edge * scale) / 2));
  return { width: even(width), height: even(height) };
}
