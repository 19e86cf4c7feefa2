import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { latenciesOf } from '@vitrine/bench';
import type { LoadOrder, LoadReport } from './load-client';

/** Longest wait for an answer. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Interval at which due requests are sent; short enough for thousands a second. */
const TICK_MS = 5;

/** Connections that a load balancer would keep to one process. A request that finds none free is dropped and not counted. */
const MAX_IN_FLIGHT = 256;
/**
 * Time in which the connections are opened: hundreds at the same time would fill the kernel's queue, and a dropped
 * one takes 30 s.
 */
const RAMP_MS = 3000;

const agent = new Agent({ keepAlive: true, maxSockets: MAX_IN_FLIGHT, scheduling: 'lifo' });
const accepted: number[] = [];
const refused: number[] = [];
const others = new Map<string, number>();
let sent = 0;

process.once('message', (order: LoadOrder) => {
  void work(order).then((report) => process.send?.(report, () => process.disconnect()));
});

async function work({ urls, seconds, pace }: LoadOrder): Promise<LoadReport> {
  const began = performance.now();
  const until = began + seconds * 1000;
  const next = (): Promise<void> => ask(urls[sent++ % urls.length] ?? '');
  if ('atATime' in pace) {
    const one = async (): Promise<void> => {
      while (performance.now() < until) await next();
    };
    await Promise.all(Array.from({ length: pace.atATime }, one));
  } else {
    const inFlight = new Set<Promise<void>>();
    for (let offered = 0; performance.now() < until; await pause(TICK_MS)) {
      const due = ((performance.now() - began) / 1000) * pace.perSecond;
      for (; offered < due; offered++) {
        const ramp = Math.min(1, (performance.now() - began) / RAMP_MS);
        if (inFlight.size >= MAX_IN_FLIGHT * ramp) continue;
        const request = next().finally(() => inFlight.delete(request));
        inFlight.add(request);
      }
    }
    await Promise.all(inFlight);
  }
  agent.destroy();
  return {
    sent,
    seconds,
    accepted: latenciesOf(accepted),
    refused: latenciesOf(refused),
    others: Object.fromEntries(others),
  };
}

function ask(url: string): Promise<void> {
  const began = performance.now();
  return new Promise((resolve) => {
    const fail = (what: string): void => {
      others.set(what, (others.get(what) ?? 0) + 1);
      resolve();
    };
    const request = get(url, { agent, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      response.resume().once('error', (error) => fail(error.message));
      response.once('end', () => {
        const took = performance.now() - began;
        if (response.statusCode === 200) accepted.push(took);
        else if (response.statusCode === 503 && response.headers['retry-after']) refused.push(took);
        else return fail(`status ${response.statusCode}`);
        resolve();
      });
    });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    request.once('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  });
}
