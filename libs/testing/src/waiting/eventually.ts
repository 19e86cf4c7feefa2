import { setTimeout as sleep } from 'node:timers/promises';

/**
 * After this time, what a test waits for has failed: a busy machine may need thirty times what an idle one needs. Only what
 * a test measures has a shorter limit.
 */
export const PATIENCE_MS = 240_000;

/** Repeats `check` until it doesn’t throw, and resolves with its result. After `timeoutMs` it throws the last error. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  timeoutMs = PATIENCE_MS,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
