import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `check` until it doesn't throw. A check that begins more than a second after the change must not throw, however
 * long the checks before it took. `changedAt` is when the change was committed, by `performance.now()`.
 */
export async function withinASecond(
  check: () => void | Promise<void>,
  changedAt = performance.now(),
): Promise<void> {
  for (;;) {
    const begunAt = performance.now();
    try {
      return await check();
    } catch (error) {
      if (begunAt - changedAt > 1_000) throw error;
      await sleep(20);
    }
  }
}
