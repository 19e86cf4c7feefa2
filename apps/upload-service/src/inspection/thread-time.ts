import { readFileSync } from 'node:fs';

/** On a busy machine a thread may take so many times its limit by the clock. */
const MOST_TIMES = 10;
/** Milliseconds between two looks at the processor time of a thread, at least. */
const LOOK_MS = 50;

/** The calling thread's id in the operating system; null where the system doesn't tell (proc(5), `thread-self`). */
export function threadId(): number | null {
  try {
    return parseInt(readFileSync('/proc/thread-self/stat', 'latin1'), 10);
  } catch {
    return null;
  }
}

/**
 * Calls `onEnd` once a thread of this process has used `limit` milliseconds of processor time from now on, or has taken ten times as
 * long by the clock. If its processor time is unknown, the clock alone counts. Returns the function that stops this.
 */
export function afterProcessorTime(thread: number | null, limit: number, onEnd: () => void): () => void {
  const [began, usedBefore] = [performance.now(), processorTime(thread)];
  const look = (): void => {
    const used = processorTime(thread);
    const left = used === null || usedBefore === null ? 0 : limit - (used - usedBefore);
    if (left <= 0 || performance.now() - began > MOST_TIMES * limit) onEnd();
    else timer = setTimeout(look, Math.max(left, LOOK_MS));
  };
  let timer = setTimeout(look, limit);
  return () => clearTimeout(timer);
}

/** Milliseconds of processor time that a thread of this process has used (proc(5), `schedstat`); null if unknown. */
function processorTime(thread: number | null): number | null {
  if (thread === null) return null;
  try {
    return parseInt(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1'), 10) / 1e6;
  } catch {
    return null;
  }
}
