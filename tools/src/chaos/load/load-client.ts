import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a client process is to send. */
export interface LoadOrder {
  /** Taken in turn. */
  readonly urls: readonly string[];
  readonly seconds: number;
  /** So many at a time, each followed by the next; or so many a second, whatever becomes of those before. */
  readonly pace: { readonly atATime: number } | { readonly perSecond: number };
}

/** How long answers took, in milliseconds from the sending of each request to the end of its answer. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface LoadReport {
  readonly sent: number;
  readonly seconds: number;
  /** Answers 200. */
  readonly accepted: Latencies;
  /** Answers 503 with Retry-After. */
  readonly refused: Latencies;
  /** Anything else, by what it was. */
  readonly others: Readonly<Record<string, number>>;
}

/** Sends from processes of their own, so that the measuring doesn't wait for what is measured. */
export async function sendLoad(order: LoadOrder, processes = 1): Promise<readonly LoadReport[]> {
  return Promise.all(
    Array.from({ length: processes }, async () => {
      const child = fork(join(__dirname, 'load-process.js'), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const exited = once(child, 'exit').then(() => {
        throw new Error('A load process ended before its report');
      });
      exited.catch(() => undefined);
      child.send(order);
      const [report] = (await Promise.race([once(child, 'message'), exited])) as [LoadReport];
      return report;
    }),
  );
}

/** Of numbers in any order; 0 where there are none. */
export function latenciesOf(took: readonly number[]): Latencies {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)) / 10;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
