import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `check` until it doesn't throw. A check that begins later than `seconds` after a change must not throw,
 * however long the checks before it took. `changedAt` is when the change was committed, by `performance.now()`.
 */
export async function withinSeconds(
  seconds: number,
  check: () => void | Promise<void>,
  changedAt = performance.now(),
): Promise<void> {
  for (;;) {
    const begunAt = performance.now();
    try {
      return await check();
    } catch (error) {
      if (begunAt - changedAt > seconds * 1000) throw error;
      await sleep(20);
    }
  }
}
