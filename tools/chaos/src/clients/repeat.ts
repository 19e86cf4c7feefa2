/**
 * Repeats each of the works, side by side, until the returned function is called. It resolves after the current works, and
 * throws what one of them threw.
 */
export function repeat(...works: readonly (() => Promise<unknown>)[]): () => Promise<void> {
  let stopped = false;
  const running = Promise.all(
    works.map(async (work) => {
      while (!stopped) await work();
    }),
  );
  running.catch(() => undefined);
  return async () => {
    stopped = true;
    await running;
  };
}

/** The same work several times, for `repeat`. */
export const times = <Work>(count: number, work: Work): readonly Work[] => Array<Work>(count).fill(work);
