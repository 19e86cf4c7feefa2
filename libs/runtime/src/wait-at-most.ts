/**
 * Waits for the end of `work`, but at most `milliseconds`; doesn't report which of the two it was. Rejects if the work
 * rejects within that time.
 */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
