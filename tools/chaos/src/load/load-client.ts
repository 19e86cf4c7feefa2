import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Latencies } from '@vitrine/bench';

/** What each client process sends. */
export interface LoadOrder {
  /** Requested in turn. */
  readonly urls: readonly string[];
  readonly seconds: number;
  /** Either a number of requests at a time, or a number a second that doesn't depend on the answers. */
  readonly pace: { readonly atATime: number } | { readonly perSecond: number };
}

export interface LoadReport {
  readonly sent: number;
  readonly seconds: number;
  /** Answers 200. */
  readonly accepted: Latencies;
  /** Answers 503 with Retry-After. */
  readonly refused: Latencies;
  /** Counts of other outcomes, by description. */
  readonly others: Readonly<Record<string, number>>;
}

/**
 * Sends the load from separate processes, so that the measured process doesn't delay the measurement. autocannon, which
 * `bench:reads` uses, isn't enough: each of its connections waits for its answer, so a slow service would get fewer
 * requests than the load says, and it reports the times of accepted and refused requests together.
 */
export async function sendLoad(order: LoadOrder, processes = 1): Promise<readonly LoadReport[]> {
  return Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(join(__dirname, 'load-process.js'), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const exited = once(child, 'exit').then(() => {
        throw new Error('A load process ended before it reported');
      });
      exited.catch(() => undefined);
      child.send(order);
      const [report] = (await Promise.race([once(child, 'message'), exited])) as [LoadReport];
      return report;
    }),
  );
}
