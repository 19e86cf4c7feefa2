import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { SERVICE_NAMES } from '@vitrine/dev';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { driftOf, type Tolerance } from '../inspection/drift';
import { descendantsOf, residentMebibytes, usageOf } from '@vitrine/bench';
import { describeCounts } from '../contract/results';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from '../clients/traffic';
import { findVictim, type Victim } from '../stack/victims';

/** Nine in ten requests are reads. */
const MIX = {
  ...{ upload: 5, 'make post': 3, comment: 4, vote: 6, 'log in': 1 },
  ...{ post: 21, list: 25, page: 15, file: 20 },
} as const;
/** The amount of data stays constant. */
const KEPT = { media: 150, posts: 100 } as const;
/** Fewest samples in a run that allow a judgement. */
const MIN_SAMPLES = 30;

/** Steady traffic of all kinds for half an hour: a resource that grows all that time would never stop growing. */
export const soakScenario: Scenario = {
  name: 'soak',
  promise:
    'Under steady traffic of all kinds, no process grows: memory, descriptors, database connections, queues ' +
    'and temporary files are the same in the last third of the time as in the second.',
  settings: { minutes: 30, requestsPerSecond: 12, sampleSeconds: 10 },
  buses: ['rabbitmq'],
  onlyByName: true,
  run: (context) => withStack({ bus: context.bus }, context.say, (stack) => soak(stack, context)),
};

/** The observed quantities, with their units. */
type Quantity =
  'resident MiB' | 'heap MiB' | 'descriptors' | 'workers, MiB' | 'connections' | 'messages' | 'files';

/**
 * How far each quantity may drift. A leak of one kilobyte a request would be 14 MiB between the middles of the two thirds
 * at twelve requests a second; the limits are below that where the quantity varies little enough.
 */
const TOLERANCES: Readonly<Record<Quantity, Tolerance>> = {
  // V8 and glibc keep freed pages for a while; one young generation and an arena are about 12 MiB.
  'resident MiB': { absolute: 12, relative: 0.08 },
  // Garbage accumulates between two major collections; a third of the run contains dozens of them.
  'heap MiB': { absolute: 8, relative: 0.1 },
  // The numbers of connections to clients and engines vary by a few.
  descriptors: { absolute: 8, relative: 0.05 },
  // A worker is replaced when it holds too much memory, so the curve is a saw tooth whose height depends on the files.
  'workers, MiB': { absolute: 64, relative: 0.25 },
  // Pools open another connection when two bursts coincide, and keep it for ten seconds.
  connections: { absolute: 4, relative: 0.1 },
  // At this rate every queue is empty most of the time.
  messages: { absolute: 3, relative: 0 },
  // One for each upload and job in progress: a few.
  files: { absolute: 4, relative: 0 },
};

interface Series {
  readonly of: string;
  readonly quantity: Quantity;
  readonly samples: number[];
}

async function soak(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const minutes = setting(context, 'minutes');
  const traffic = await Traffic.create(stack.addresses, {
    seed: context.seed,
    groups: [{ mix: MIX, pace: { perSecond: setting(context, 'requestsPerSecond') } }],
    keep: KEPT,
  });
  const { ledger } = traffic;
  const watch = await Watch.begin(stack);
  traffic.start();
  try {
    const seconds = minutes * 60;
    const every = Math.min(setting(context, 'sampleSeconds'), seconds / MIN_SAMPLES) * 1000;
    const end = Date.now() + seconds * 1000;
    for (let next = Date.now() + every, told = 0; next <= end; next += every) {
      await pause(Math.max(0, next - Date.now()));
      await watch.look();
      const minute = Math.floor((seconds * 1000 - (end - Date.now())) / 60_000);
      if (minute > told) context.say(`${minute} of ${minutes} minutes: ${watch.summary()}`);
      told = minute;
    }
  } finally {
    await traffic.stop();
    await watch.end();
  }
  const { rows, breaches } = watch.judge();
  const requests = ledger.count();
  if (traffic.skipped > requests / 100) {
    breaches.push(`The machine could not keep the pace: ${traffic.skipped} requests were skipped`);
  }
  return {
    figures: [
      ['minutes', minutes],
      ['requests', requests],
      ['skipped, because too many were in flight', traffic.skipped],
      ['answers', describeCounts(ledger.outcomes)],
      ['failures', ledger.violations.length],
      ['second third → last third', '(growth by slope; allowed)'],
      ...rows,
    ],
    breaches: [...breaches, ...ledger.violations],
  };
}

/** Samples every process, the database, the queues and the temporary folders. */
class Watch {
  private readonly series = new Map<string, Series>();

  private constructor(
    private readonly stack: ChaosStack,
    private readonly database: Client,
  ) {}

  static async begin(stack: ChaosStack): Promise<Watch> {
    const database = new Client({ connectionString: stack.databaseUrl });
    await database.connect();
    return new Watch(stack, database);
  }

  async look(): Promise<void> {
    await Promise.all(SERVICE_NAMES.map((name) => this.lookAt(name)));
    const { rows } = await this.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    this.enter('database', 'connections', rows[0]?.count ?? 0);
    this.enter('temporary folders', 'files', (await this.stack.temporaryFiles()).length);
  }

  async end(): Promise<void> {
    await this.database.end();
  }

  /** The latest figures in one line. */
  summary(): string {
    const latest = (of: string, quantity: Quantity): string =>
      String(Math.round(this.series.get(`${of} ${quantity}`)?.samples.at(-1) ?? Number.NaN));
    return SERVICE_NAMES.map((name) => `${name} ${latest(name, 'resident MiB')} MiB`).join(', ');
  }

  judge(): { readonly rows: readonly (readonly [string, string])[]; readonly breaches: string[] } {
    const breaches: string[] = [];
    const rows = [...this.series.values()].map(({ of, quantity, samples }): [string, string] => {
      const { second, last, growth, allowed, isGrowing } = driftOf(samples, TOLERANCES[quantity]);
      const name = `${of}: ${quantity}`;
      if (isGrowing) breaches.push(`${name} grows: ${second.toFixed(1)} → ${last.toFixed(1)}`);
      return [
        `  ${name}`,
        `${second.toFixed(1)} → ${last.toFixed(1)} (${growth.toFixed(1)}; ${allowed.toFixed(1)})`,
      ];
    });
    return { rows, breaches };
  }

  private async lookAt(name: string): Promise<void> {
    const { dataFolder } = this.stack;
    const pid = findVictim(name as Exclude<Victim, 'rabbitmq'>, dataFolder);
    if (pid === undefined) throw new Error(`${name} has died`);
    const { mebibytes, descriptors } = usageOf(pid);
    this.enter(name, 'resident MiB', mebibytes);
    this.enter(name, 'descriptors', descriptors);
    const workers = descendantsOf(pid);
    if (workers.length > 0) this.enter(name, 'workers, MiB', residentMebibytes(workers));
    const page = await this.metricsOf(name);
    this.enter(name, 'heap MiB', sumOf(page, /^nodejs_heap_size_used_bytes (\S+)$/gm) / 2 ** 20);
    const waiting = /^vitrine_bus_queue_messages\{[^}]*state="waiting"[^}]*\} (\S+)$/gm;
    if (page.includes('vitrine_bus_queue_messages')) this.enter(name, 'messages', sumOf(page, waiting));
  }

  /** Uses a new connection: the server may close a kept one at the moment when it is used. */
  private async metricsOf(name: string): Promise<string> {
    const url = `${this.stack.managementUrl(name)}/metrics`;
    return (await fetch(url, { headers: { Connection: 'close' } })).text();
  }

  private enter(of: string, quantity: Quantity, value: number): void {
    const key = `${of} ${quantity}`;
    const series = this.series.get(key) ?? { of, quantity, samples: [] };
    series.samples.push(value);
    this.series.set(key, series);
  }
}

const sumOf = (page: string, pattern: RegExp): number =>
  [...page.matchAll(pattern)].reduce((sum, [, value]) => sum + Number(value), 0);
