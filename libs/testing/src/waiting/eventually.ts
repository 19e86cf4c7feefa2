import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats `check` until it doesn't throw, and resolves with its result. After `timeoutMs` it throws the last error. */
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
