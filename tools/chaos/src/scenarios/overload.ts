import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { FaultProxy } from '../faults/fault-proxy';
import { throughProxy } from '../faults/through-proxy';
import { type LoadReport, sendLoad } from '../load/load-client';
import { usageOf } from '@vitrine/bench';
import { Random } from '@vitrine/demo/random';
import { SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { findVictim } from '../stack/victims';
import { open, signUp } from '../clients/client';
import { repeat } from '../clients/repeat';

const PICTURES = 12;
const QUIET_AT_A_TIME = 2;
const CAPACITY_AT_A_TIME = 32;
const CLIENT_PROCESSES = 2;
const FIRST_SECONDS = 10;
const PROBE_MS = 500;
const PROBE_PATIENCE_MS = 5_000;
/** Requests that a public host runs at a time by default (`MAX_CONCURRENT_REQUESTS`), and as many that may wait. */
const MAX_BEFORE = 200;
/** Longest wait of a request until it runs (`libs/http/src/overload/overload.ts`). */
const MAX_WAIT_MS = 250;

/** The API gets many times as many requests as it can handle. */
export const overloadScenario: Scenario = {
  name: 'overload',
  promise:
    'Under ten times its maximum load, the API refuses the excess with 503 and Retry-After. It serves the ' +
    'rest within a bounded time and without more memory. Within five seconds after the end, it is as fast as ' +
    'before.',
  settings: {
    times: 10,
    databaseDelayMs: 10,
    quietSeconds: 10,
    capacitySeconds: 10,
    overloadSeconds: 30,
    acceptedP99Times: 2,
    memoryMebibytes: 64,
    recoverySeconds: 5,
  },
  buses: ['postgres'],
  run: async (context) => {
    // With a delay, the database limits the API. Without it, the processors would, which the clients share: they could not
    // send ten times as many requests.
    const network = await FaultProxy.start(setting(context, 'databaseDelayMs'));
    network.cause('delay');
    const adjust = (name: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
      name === 'api-gateway'
        ? { ...environment, DATABASE_URL: throughProxy(environment['DATABASE_URL'] ?? '', network) }
        : environment;
    try {
      return await withStack({ bus: context.bus, adjust }, context.say, (stack) => overload(stack, context));
    } finally {
      await network.close();
    }
  },
};

async function overload(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { say } = context;
  const urls = await fill(stack, context);
  const gateway = findVictim('api-gateway', stack.dataFolder);
  if (gateway === undefined) throw new Error('The gateway is not running');
  const closed = async (atATime: number, seconds: number): Promise<LoadReport> => {
    const [report] = await sendLoad({ urls, seconds, pace: { atATime } });
    if (!report) throw new Error('No report');
    return report;
  };

  // Compiles code and fills the pools.
  await closed(CAPACITY_AT_A_TIME, 3);
  say(`measuring in quiet, ${QUIET_AT_A_TIME} at a time`);
  const quiet = await closed(QUIET_AT_A_TIME, setting(context, 'quietSeconds'));
  say(`measuring what it can do, ${CAPACITY_AT_A_TIME} at a time`);
  const full = await closed(CAPACITY_AT_A_TIME, setting(context, 'capacitySeconds'));
  const capacity = full.accepted.count / full.seconds;

  const offered = capacity * setting(context, 'times');
  const seconds = setting(context, 'overloadSeconds');
  say(
    `it can do ${Math.round(capacity)} a second; offering ${Math.round(offered)} a second for ${seconds} s`,
  );
  const perSecond = offered / CLIENT_PROCESSES;
  // The first overload grows the heap, which the process keeps; only the growth by a second one matters.
  say(`warming up for ${FIRST_SECONDS} s, which are not measured`);
  await sendLoad({ urls, seconds: FIRST_SECONDS, pace: { perSecond } }, CLIENT_PROCESSES);
  await untilQuiet(closed, quiet, setting(context, 'recoverySeconds') * 3);
  const before = usageOf(gateway);
  const watch = watchHealth(stack.managementUrl('api-gateway'), gateway);
  const reports = await sendLoad({ urls, seconds, pace: { perSecond } }, CLIENT_PROCESSES);
  const health = await watch.stop();
  const served = await servedWithin(stack.managementUrl('api-gateway'));
  const recovered = await untilQuiet(closed, quiet, setting(context, 'recoverySeconds') * 3);
  const after = usageOf(gateway);

  const sum = (of: (report: LoadReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  const worst = (of: (report: LoadReport) => number): number => Math.max(...reports.map(of));
  const accepted = sum((report) => report.accepted.count);
  const refused = sum((report) => report.refused.count);
  const sent = sum((report) => report.sent);
  const acceptedP99 = worst((report) => report.accepted.p99);
  const others = reports.flatMap((report) => Object.entries(report.others));
  // An accepted request waits for at most this many others, at the measured rate.
  const longestByDesign = MAX_WAIT_MS + (1000 * MAX_BEFORE * seconds) / Math.max(accepted, 1);
  const times = acceptedP99 / longestByDesign;
  const breaches = [
    ...others.map(([what, count]) => `${count} requests ended in ${what}`),
    ...(accepted === 0 ? ['No request was served'] : []),
    ...(sent < 0.9 * offered * seconds ? ['The clients sent fewer requests than they should'] : []),
    ...(refused === 0 ? ['No request was refused: there was no overload'] : []),
    ...(times > setting(context, 'acceptedP99Times')
      ? [`The p99 of served requests was ${times.toFixed(1)} times what the limits allow`]
      : []),
    ...(after.mebibytes - before.mebibytes > setting(context, 'memoryMebibytes')
      ? [`The gateway kept ${after.mebibytes - before.mebibytes} MiB`]
      : []),
    ...(health.failures > 0 ? [`${health.failures} of ${health.probes} health probes failed`] : []),
    ...(recovered > setting(context, 'recoverySeconds')
      ? [`The API was as fast as before only after ${recovered.toFixed(1)} s`]
      : []),
  ];
  return {
    figures: [
      ['quiet p50 / p99, ms', `${quiet.accepted.p50} / ${quiet.accepted.p99}`],
      ['capacity, answers a second', Math.round(capacity)],
      ['p99 at capacity, ms', full.accepted.p99],
      ['offered, times the capacity', (sent / seconds / capacity).toFixed(1)],
      ['served a second', Math.round(accepted / seconds)],
      ['served p50 / p99, ms', `${worst((report) => report.accepted.p50)} / ${acceptedP99}`],
      ['longest by places and queue, ms', Math.round(longestByDesign)],
      ['served p99, times that', times.toFixed(1)],
      ['refused with 503 and Retry-After', refused],
      [
        'refused p50 / p99, ms',
        `${worst((report) => report.refused.p50)} / ${worst((report) => report.refused.p99)}`,
      ],
      ['gateway MiB before / most / after', `${before.mebibytes} / ${health.most} / ${after.mebibytes}`],
      ['served by the gateway’s own clock', served],
      ['slowest health probe, ms', health.slowest],
      ['seconds until as quick as before', recovered.toFixed(1)],
    ],
    breaches,
  };
}

/** Uploads pictures and makes posts. Returns the addresses of the pages to request. */
async function fill(stack: ChaosStack, { seed, say }: ScenarioContext): Promise<readonly string[]> {
  say('uploading pictures to request');
  const client = await signUp(stack.addresses);
  const files = await SampleFiles.create();
  const random = new Random(seed);
  const slugs: string[] = [];
  for (let index = 0; index < PICTURES; index++)
    slugs.push((await client.posts.upload((await files.picture(random)).bytes)).post.slug);
  const { api } = stack.addresses;
  return [
    `${api}/posts`,
    `${api}/media?limit=50`,
    `${api}/tags`,
    ...slugs.map((slug) => `${api}/posts/${slug}`),
  ];
}

interface Health {
  readonly probes: number;
  readonly failures: number;
  readonly slowest: number;
  /** Largest resident memory, in mebibytes. */
  readonly most: number;
}

/** Probes the health endpoint as an orchestrator does, which restarts a process that doesn't answer. */
function watchHealth(url: string, pid: number): { stop(): Promise<Health> } {
  const seen = { probes: 0, failures: 0, slowest: 0, most: 0 };
  const stop = repeat(async () => {
    const { status, took } = await open(`${url}/health/ready`, PROBE_PATIENCE_MS);
    seen.probes++;
    if (status !== 'done') seen.failures++;
    seen.slowest = Math.max(seen.slowest, took);
    seen.most = Math.max(seen.most, usageOf(pid).mebibytes);
    await pause(PROBE_MS);
  });
  return { stop: () => stop().then(() => seen) };
}

/** How many answers 200 took at most how long, from the gateway's own histogram since its start. */
async function servedWithin(url: string): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = new Map<string, number>();
  const lines = metrics.matchAll(
    /^vitrine_http_request_seconds_bucket\{(?=[^}]*status="200")[^}]*le="([^"]+)"[^}]*\} (\d+)$/gm,
  );
  for (const [, seconds = '', count] of lines) {
    counts.set(seconds, (counts.get(seconds) ?? 0) + Number(count));
  }
  return ['0.25', '1', '5', '15', '+Inf']
    .map((seconds) => `${seconds} s: ${counts.get(seconds) ?? 0}`)
    .join(', ');
}

/** Seconds until the requests of one second are answered as fast as without load; `limit` if that never happens. */
async function untilQuiet(
  closed: (atATime: number, seconds: number) => Promise<LoadReport>,
  quiet: LoadReport,
  limit: number,
): Promise<number> {
  const began = Date.now();
  const elapsed = (): number => (Date.now() - began) / 1000;
  while (elapsed() < limit) {
    const beginning = elapsed();
    const { accepted, refused } = await closed(QUIET_AT_A_TIME, 1);
    if (refused.count === 0 && accepted.p95 <= 2 * quiet.accepted.p95) return beginning;
  }
  return limit;
}
