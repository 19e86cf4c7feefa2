/**
 * Options of DataLoader for the most frequent reads: all reads of one turn of the event loop become one statement.
 * Under load this combines several requests; a single request doesn't wait. Nothing is cached: each statement starts
 * after all reads that it answers were requested.
 */
export const BATCHED_READS = {
  cache: false,
  maxBatchSize: 100,
  batchScheduleFn: (dispatch: () => void): void => void setImmediate(dispatch),
} as const;
