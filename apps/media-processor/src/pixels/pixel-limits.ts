/** Limits of the pixels of one picture, and of all frames of an animation together. */
export const MAX_PIXELS = 100_000_000;
export const MAX_ANIMATION_PIXELS = 250_000_000;
