import { setTimeout as pause } from 'node:timers/promises';
import { startS3 } from '@vitrine/testing';
import { median } from '@vitrine/bench';
import { isTemporaryRefusal, open, outcomeOf } from '../clients/client';
import { type Scenario, setting } from '../contract/scenario';
import { type Fault, FaultProxy, FAULTS } from '../faults/fault-proxy';
import { throughProxy } from '../faults/through-proxy';
import { withStack } from '../stack/chaos-stack';
import { ENOUGH_UNPROCESSED, type LoadRun, underLoad } from './load';

type Engine = 'PostgreSQL' | 'RabbitMQ' | 'Redis' | 'S3';

/** The engines that each service uses; the bus is RabbitMQ. */
const REACHES: Readonly<Record<string, readonly Engine[]>> = {
  'api-gateway': ['PostgreSQL', 'Redis'],
  'upload-service': ['PostgreSQL', 'RabbitMQ', 'Redis', 'S3'],
  'media-processor': ['RabbitMQ', 'S3'],
  'moderation-service': ['PostgreSQL', 'RabbitMQ', 'S3'],
};

const SETTING: Readonly<Record<Engine, string>> = {
  PostgreSQL: 'DATABASE_URL',
  RabbitMQ: 'BUS_URL',
  Redis: 'REDIS_URL',
  S3: 'STORAGE_URL',
};

/** A longer statement is cancelled; a connection without an answer is closed five seconds later. */
const STATEMENT_TIMEOUT_SECONDS = 5;
const DELAY_MS = 150;
const POLL_MS = 250;
const WARM_UP_MS = 1_000;

/** The network between one process and one engine. */
interface Stretch {
  readonly service: string;
  readonly engine: Engine;
  readonly proxy: FaultProxy;
}

/** The network between each process and each engine fails in each of four ways. */
export const faultsScenario: Scenario = {
  name: 'faults',
  promise:
    'If the network between a process and an engine delays, resets or half-opens connections, or drops their ' +
    'data, every request gets a right answer or 503 with Retry-After in bounded time. Soon after the fault, ' +
    'everything works again automatically.',
  settings: {
    seconds: 12,
    faultsEach: FAULTS.length,
    answerSeconds: 20,
    recoverySeconds: 30,
    quietSeconds: 60,
  },
  run: async (context) => {
    const s3 = await startS3();
    const stretches: Stretch[] = [];
    for (const [service, engines] of Object.entries(REACHES)) {
      for (const engine of engines) {
        stretches.push({ service, engine, proxy: await FaultProxy.start(DELAY_MS) });
      }
    }
    try {
      return await withStack(
        {
          bus: 'rabbitmq',
          redis: true,
          env: {
            ...s3.settings(),
            DATABASE_STATEMENT_TIMEOUT_SECONDS: String(STATEMENT_TIMEOUT_SECONDS),
            BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000',
          },
          adjust: (name, environment) => rerouted(name, environment, stretches),
        },
        context.say,
        (stack) =>
          underLoad(stack, context, (run) => causeEachFault(run, stretches), {
            isExcused: isTemporaryRefusal,
            maxUnprocessed: ENOUGH_UNPROCESSED,
            patienceMs: setting(context, 'answerSeconds') * 1000,
          }),
      );
    } finally {
      await Promise.all(stretches.map(({ proxy }) => proxy.close()));
      await s3.stop();
    }
  },
};

async function causeEachFault(run: LoadRun, stretches: readonly Stretch[]): Promise<void> {
  const { ledger, traffic } = run;
  const [seconds, recoverySeconds] = [run.setting('seconds'), run.setting('recoverySeconds')];
  const recoveries = new Map<Fault, number[]>(FAULTS.map((fault) => [fault, []]));
  const rows: [string, string][] = [];
  const faultsEach = Math.min(FAULTS.length, run.setting('faultsEach'));
  for (const [index, { service, engine, proxy }] of stretches.entries()) {
    const cells: string[] = [];
    // With fewer faults than there are, each stretch begins with another one, so that all are inflicted.
    for (let n = 0; n < faultsEach; n++) {
      const fault = FAULTS[(index + n) % FAULTS.length]!;
      const name = `${service}, ${engine}, ${fault}`;
      const refusedBefore = ledger.count(/ 503$/);
      await run.inflict(
        { name, seconds, begin: () => proxy.cause(fault), end: () => proxy.heal() },
        WARM_UP_MS,
      );
      const healed = Date.now();
      const missing = await untilWorking(run, healed + recoverySeconds * 1000);
      const recovery = (Date.now() - healed) / 1000;
      await traffic.stop();
      if (missing) run.breaches.push(`${name}: after ${recovery.toFixed(1)} s ${missing}`);
      recoveries.get(fault)?.push(recovery);
      run.say(`${name}: everything works again after ${recovery.toFixed(1)} s`);
      cells.push(`${fault} ${recovery.toFixed(1)} (${ledger.count(/ 503$/) - refusedBefore})`);
    }
    rows.push([`  ${service}, ${engine}`, cells.join(' · ')]);
  }
  run.figures.push(
    ['faults inflicted', stretches.length * faultsEach],
    ['seconds each', seconds],
    ['slowest answer of any request, ms', Math.max(...ledger.slowest.values())],
    ['failures other than 503 with Retry-After', ledger.violations.length],
    ...[...recoveries].map(([fault, took]): [string, string] => [
      `seconds to recovery, ${fault}`,
      `median ${median(took).toFixed(1)}, at most ${Math.max(...took).toFixed(1)}`,
    ]),
    ['seconds to recovery (answers 503)', ''],
    ...rows,
  );
}

/** Resolves with undefined when everything works end to end, or at the deadline (epoch milliseconds) with what doesn't. */
async function untilWorking(run: LoadRun, deadline: number): Promise<string | undefined> {
  for (const look of [findUnready, findUnanswered, findUnprocessed]) {
    for (;;) {
      const missing = await look(run, deadline);
      if (missing === undefined) break;
      if (Date.now() > deadline) return missing;
      await pause(POLL_MS);
    }
  }
  return undefined;
}

async function findUnready({ stack }: LoadRun): Promise<string | undefined> {
  for (const service of Object.keys(REACHES)) {
    const { status, body } = await open(`${stack.managementUrl(service)}/health/ready`);
    if (status !== 'done') return `${service} is not ready: ${body?.bytes.toString() ?? status}`;
  }
  return undefined;
}

async function findUnanswered({ traffic }: LoadRun): Promise<string | undefined> {
  const { status } = await outcomeOf(traffic.client.me.update({ bio: 'Recovered.' }));
  return status === 'done' ? undefined : `the API answers ${status}`;
}

/** Follows one upload from the request to the decision. */
async function findUnprocessed({ traffic, random }: LoadRun, deadline: number): Promise<string | undefined> {
  const entry = await traffic.upload(await traffic.files.picture(random));
  if (!entry) return 'no upload is accepted';
  for (;;) {
    const { body } = await outcomeOf(traffic.client.media.get(entry.slug));
    if (body?.processed && body.moderation_status !== 'pending') return undefined;
    if (Date.now() > deadline)
      return `${entry.slug} is processed: ${body?.processed}, ${body?.moderation_status}`;
    await pause(POLL_MS);
  }
}

/** A service's settings with a proxy in front of each engine. */
function rerouted(
  service: string,
  environment: NodeJS.ProcessEnv,
  stretches: readonly Stretch[],
): NodeJS.ProcessEnv {
  const changed = { ...environment };
  for (const { engine, proxy } of stretches.filter((stretch) => stretch.service === service)) {
    const name = SETTING[engine];
    const address = environment[name];
    if (!address) throw new Error(`${service} has no ${name}`);
    changed[name] = reroute(engine, address, proxy);
  }
  return changed;
}

/** Puts the proxy in front of the engine. Returns the proxy's address. */
function reroute(engine: Engine, address: string, proxy: FaultProxy): string {
  const url = new URL(address);
  if (engine === 'S3') {
    const endpoint = new URL(url.searchParams.get('endpoint') ?? '');
    proxy.leadTo({ host: endpoint.hostname, port: Number(endpoint.port) });
    endpoint.port = String(proxy.port);
    url.searchParams.set('endpoint', endpoint.origin);
    return url.toString();
  }
  return throughProxy(address, proxy);
}
