/** Limits of an image (decisions: accepted types). */
const MAX_PIXELS = 100e6;
const MAX_PIXELS_OF_ALL_FRAMES = 250e6;

/** Whether an image would take too much memory or time to decode; a video is decoded one picture at a time. */
export function hasTooManyPixels(facts: {
  readonly kind: 'image' | 'video';
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}): boolean {
  const pixels = facts.width * facts.height;
  return facts.kind === 'image' && (pixels > MAX_PIXELS || pixels * facts.frames > MAX_PIXELS_OF_ALL_FRAMES);
}
