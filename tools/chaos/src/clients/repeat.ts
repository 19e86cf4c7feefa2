/**
 * Repeats each of the works, side by side, until the returned function is called. A work that throws is not repeated; the
 * others are. The returned function resolves after the current works, or then throws the first error.
 */
export function repeat(...works: readonly (() => Promise<unknown>)[]): () => Promise<void> {
  let stopped = false;
  const errors: Error[] = [];
  const running = works.map(async (work) => {
    try {
      while (!stopped) await work();
    } catch (error) {
      errors.push(error as Error);
    }
  });
  return async () => {
    stopped = true;
    await Promise.all(running);
    if (errors[0]) throw errors[0];
  };
}

/** The same work several times, for `repeat`. */
export const times = <Work>(count: number, work: Work): readonly Work[] => Array<Work>(count).fill(work);
