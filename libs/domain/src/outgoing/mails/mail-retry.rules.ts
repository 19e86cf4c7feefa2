const MINUTE = 60;

/** The waits before the second and the following attempts, in seconds; the last one repeats until it is too late. */
const WAITS = [15, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const;
/** Waits vary at random by this share, so that mails that failed together are not all repeated together. */
const JITTER = 0.1;

/** The wait in seconds after failed attempt number `attempt` (the first is 1). `random` is from 0 to 1. */
export function waitAfterAttempt(attempt: number, random: number): number {
  const wait = WAITS[Math.min(attempt, WAITS.length) - 1] ?? MINUTE;
  return wait * (1 + JITTER * (2 * random - 1));
}
