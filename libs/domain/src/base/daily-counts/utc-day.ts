/** Whole seconds until the next UTC day, when daily limits start again. */
export const secondsToMidnightUtc = (now: Date): number =>
  Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000);
