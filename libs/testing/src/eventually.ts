import { setTimeout as sleep } from 'node:timers/promises';

/** Tries `check` until it stops throwing, at most for `timeoutMs`; then its last error stands. Resolves with its result. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  timeoutMs = 10_000,
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
