/** How slow the sender of a body may be. */
export interface Pace {
  /** Seconds that may pass without a byte. */
  readonly idleSeconds: number;
  /** Seconds that the whole body may take. */
  readonly totalSeconds: number;
  /** Average rate to keep after the first `idleSeconds`. */
  readonly minBytesPerSecond: number;
}

/** Whether a sender is too slow, `elapsed` seconds after its start and `silent` seconds after its last byte. */
export const isTooSlow = (pace: Pace, elapsed: number, silent: number, bytes: number): boolean =>
  silent > pace.idleSeconds ||
  elapsed > pace.totalSeconds ||
  bytes < pace.minBytesPerSecond * (elapsed - pace.idleSeconds);

const CHECK_EVERY_MS = 500;

/** Checks the number of bytes regularly, and calls `onTooSlow` once when it is too low. Returns a function that stops it. */
export function watchPace(pace: Pace, countBytes: () => number, onTooSlow: () => void): () => void {
  const began = performance.now();
  let last = { bytes: 0, at: began };
  const timer = setInterval(() => {
    const at = performance.now();
    const bytes = countBytes();
    if (bytes > last.bytes) last = { bytes, at };
    if (!isTooSlow(pace, (at - began) / 1000, (at - last.at) / 1000, bytes)) return;
    clearInterval(timer);
    onTooSlow();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}
