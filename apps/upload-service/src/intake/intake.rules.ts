/** Largest number of pixels of an image. */
const MAX_PIXELS = 100e6;
/** Largest number of pixels of all frames of an image together. */
const MAX_PIXELS_OF_ALL_FRAMES = 250e6;

/** Whether an image has too many pixels to decode it. A video may have any number: it is decoded frame by frame. */
export function hasTooManyPixels(facts: {
  readonly kind: 'image' | 'video';
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}): boolean {
  const pixels = facts.width * facts.height;
  return facts.kind === 'image' && (pixels > MAX_PIXELS || pixels * facts.frames > MAX_PIXELS_OF_ALL_FRAMES);
}
