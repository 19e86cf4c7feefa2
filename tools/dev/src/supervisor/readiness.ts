import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 100;
const ANSWER_MS = 2_000;

/** Resolves when all addresses have answered 200 in one round; rejects with the signal's reason once it is aborted. */
export async function untilReady(urls: readonly string[], signal: AbortSignal): Promise<void> {
  while (!(await Promise.all(urls.map((url) => answersOk(url, signal)))).every(Boolean)) {
    signal.throwIfAborted();
    await pause(INTERVAL_MS);
  }
}

function answersOk(url: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false, signal, timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('timeout', function (this: { destroy(): void }) {
        this.destroy();
      })
      .on('error', () => resolve(false));
  });
}
