/**
 * How single reads of the busiest kind are put together (options of DataLoader): whatever is asked for in one turn of
 * the event loop is one statement. Under load that is several requests; a request alone waits for nothing. Nothing is
 * kept: each statement begins after all that it answers was asked.
 */
export const TOGETHER = {
  cache: false,
  maxBatchSize: 100,
  batchScheduleFn: (dispatch: () => void): void => void setImmediate(dispatch),
} as const;
