import { setTimeout as pause } from 'node:timers/promises';
import { startS3 } from '@vitrine/testing';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { type Fault, FaultProxy, FAULTS, throughProxy } from '../faults/fault-proxy';
import { Random } from '../../random/random';
import { median } from '../../statistics/statistics';
import { SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';
import { isTemporaryRefusal } from '../clients/chaos-client';

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
        (stack) => causeEachFault(stack, stretches, context),
      );
    } finally {
      await Promise.all(stretches.map(({ proxy }) => proxy.close()));
      await s3.stop();
    }
  },
};

async function causeEachFault(
  stack: ChaosStack,
  stretches: readonly Stretch[],
  context: ScenarioContext,
): Promise<Verdict> {
  const answerSeconds = setting(context, 'answerSeconds');
  const traffic = await Traffic.create(stack, context, {
    isExcused: isTemporaryRefusal,
    patienceMs: answerSeconds * 1000,
  });
  const probe = new Probe(stack, traffic, await SampleFiles.create(), new Random(context.seed + 4));
  const recoveries = new Map<Fault, number[]>(FAULTS.map((fault) => [fault, []]));
  const figures: [string, string][] = [];
  const breaches: string[] = [];
  const faultsEach = Math.min(FAULTS.length, setting(context, 'faultsEach'));
  for (const [index, { service, engine, proxy }] of stretches.entries()) {
    const cells: string[] = [];
    // With fewer faults than there are, each stretch begins with another one, so that all are inflicted.
    for (let n = 0; n < faultsEach; n++) {
      const fault = FAULTS[(index + n) % FAULTS.length]!;
      traffic.start();
      await pause(1_000);
      const refusedBefore = traffic.refusals;
      proxy.cause(fault);
      await pause(setting(context, 'seconds') * 1000);
      proxy.heal();
      const healed = Date.now();
      const missing = await probe.untilWorking(healed + setting(context, 'recoverySeconds') * 1000);
      const recovery = (Date.now() - healed) / 1000;
      await traffic.stop();
      const refused = traffic.refusals - refusedBefore;
      const cell = `${service}, ${engine}, ${fault}`;
      if (missing) breaches.push(`${cell}: after ${recovery.toFixed(1)} s ${missing}`);
      recoveries.get(fault)?.push(recovery);
      cells.push(`${fault} ${recovery.toFixed(1)} (${refused})`);
      context.say(`${cell}: everything works again after ${recovery.toFixed(1)} s; ${refused} answers 503`);
    }
    figures.push([`  ${service}, ${engine}`, cells.join(' · ')]);
  }
  const slowest = Math.max(...traffic.ledger.slowest.values());
  const verdict = await traffic.inspect(setting(context, 'quietSeconds'));
  return {
    figures: [
      ['faults inflicted', stretches.length * faultsEach],
      ['seconds each', setting(context, 'seconds')],
      ['slowest answer of any request, ms', slowest],
      ['failures other than 503 with Retry-After', traffic.ledger.violations.length],
      ...[...recoveries].map(([fault, seconds]): [string, string] => [
        `seconds to recovery, ${fault}`,
        `median ${median(seconds).toFixed(1)}, at most ${Math.max(...seconds).toFixed(1)}`,
      ]),
      ['seconds to recovery (answers 503)', ''],
      ...figures,
      ...verdict.figures,
    ],
    breaches: [...breaches, ...verdict.breaches],
  };
}

/** Checks whether everything works again, end to end. */
class Probe {
  constructor(
    private readonly stack: ChaosStack,
    private readonly traffic: Traffic,
    private readonly files: SampleFiles,
    private readonly random: Random,
  ) {}

  /** Resolves with undefined when everything works, or at the deadline (epoch milliseconds) with what doesn't. */
  async untilWorking(deadline: number): Promise<string | undefined> {
    for (const look of [() => this.unready(), () => this.unanswered(), () => this.unprocessed(deadline)]) {
      for (;;) {
        const missing = await look();
        if (missing === undefined) break;
        if (Date.now() > deadline) return missing;
        await pause(POLL_MS);
      }
    }
    return undefined;
  }

  private async unready(): Promise<string | undefined> {
    for (const service of Object.keys(REACHES)) {
      const answer = await fetch(`${this.stack.managementUrl(service)}/health/ready`).catch(() => undefined);
      if (answer?.status !== 200) return `${service} is not ready: ${await answer?.text()}`;
    }
    return undefined;
  }

  private async unanswered(): Promise<string | undefined> {
    const { status } = await this.traffic.client.json('PATCH', '/me', { bio: 'Recovered.' });
    return status === 200 ? undefined : `the API answers ${status}`;
  }

  /** Follows one upload from the request to the decision. */
  private async unprocessed(deadline: number): Promise<string | undefined> {
    const slug = await this.traffic.uploadOne(await this.files.picture(this.random));
    if (slug === undefined) return 'no upload is accepted';
    for (;;) {
      const { body } = await this.traffic.client.read(slug);
      const media = body?.data;
      if (media?.processed && media.moderation_status !== 'pending') return undefined;
      if (Date.now() > deadline)
        return `${slug} is processed: ${media?.processed}, ${media?.moderation_status}`;
      await pause(POLL_MS);
    }
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
