// After a pause of the process, timers run before what has arrived meanwhile is read. So work is late only if it has not ended
// in the turn of the event loop after its timer.

/**
 * Waits until `work` has ended, but at most `ms` milliseconds. Returns whether it ended in time; rejects if it rejects
 * in that time. The work itself continues.
 */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, false), ms);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}

export interface Deadline {
  /** Milliseconds that the work may take; 0 or less means that it is late at the next turn of the event loop. */
  readonly ms: number;
  /** Makes the error that the caller gets when the work is late. */
  readonly late: () => Error;
}

/**
 * Returns the result of `work`, or rejects with `deadline.late()` if it takes too long. The work itself continues,
 * but its later result is ignored. `renew` restarts the time, for work that makes progress.
 */
export async function withDeadline<Result>(
  { ms, late }: Deadline,
  work: (renew: () => void) => Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let end: NodeJS.Immediate | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => (end = setImmediate(() => reject(late()))), ms);
  });
  const renew = (): void => {
    clearImmediate(end);
    timer?.refresh();
  };
  try {
    return await Promise.race([work(renew), overdue]);
  } finally {
    clearTimeout(timer);
    clearImmediate(end);
    // Refreshing a timer that was cleared would start it again.
    timer = undefined;
  }
}

/**
 * Returns the result of `work`, or rejects with the reason of `signal` as soon as it is aborted. The work itself continues;
 * its result is then ignored.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
