import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `check` until it doesn’t throw, and resolves with its result. After `timeoutMs` it throws the last error; a busy
 * machine may need many times what an idle one needs.
 */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  timeoutMs = 60_000,
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
