import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '@vitrine/demo/random';
import { outcomeOf } from '../clients/client';
import type { Ledger } from '../clients/ledger';
import { EVERYTHING, Traffic, type TrafficOptions } from '../clients/traffic';
import { countBy, describeCounts } from '../contract/results';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { inspect } from '../inspection/inspection';
import { untilQuiet } from '../inspection/quiet';
import { type ChaosStack, type ChaosStackOptions, withStack } from '../stack/chaos-stack';
import { killVictim, type Victim } from '../stack/victims';

type Clients = Partial<Omit<TrafficOptions, 'seed'>>;

/** A scenario in which clients use a stack while something fails, and the data is compared with the answers afterwards. */
interface Load extends Omit<Scenario, 'run'> {
  readonly stack?: Omit<ChaosStackOptions, 'bus'>;
  /** By default the clients do everything, and every request must succeed. */
  readonly clients?: Clients;
  /** Causes the failures. The clients are started by it or by `inflict`, and are stopped afterwards. */
  readonly disturb: (run: LoadRun) => Promise<void>;
}

/** One kind of failure. */
export interface Failure {
  readonly name: string;
  readonly seconds: number;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

/** Duration of the traffic before each failure, so that work of all stages is in progress. */
const WARM_UP_MS = 5_000;
const POLL_MS = 50;
/** So many waiting uploads give every stage work while something fails, also for a long time on a slow machine. */
export const ENOUGH_UNPROCESSED = 20;
/** Successful rounds in a row after which the API counts as recovered. */
const IN_A_ROW = 3;

export const loadScenario = ({ stack, clients, disturb, ...scenario }: Load): Scenario => ({
  ...scenario,
  run: (context) =>
    withStack({ ...stack, bus: context.bus }, context.say, (running) =>
      underLoad(running, context, disturb, clients),
    ),
});

/** Runs `disturb` on a stack that clients use, waits until no work is left, and compares the data with the answers. */
export async function underLoad(
  stack: ChaosStack,
  context: ScenarioContext,
  disturb: (run: LoadRun) => Promise<void>,
  clients: Clients = {},
): Promise<Verdict> {
  const options = { groups: EVERYTHING, deletedOneIn: 15, ...clients, seed: context.seed };
  const traffic = await Traffic.create(stack.addresses, options);
  if (!traffic.files.hasVideo) context.say('no ffmpeg on the PATH: pictures only');
  stack.beforeStop(() => traffic.stop());
  const run = new LoadRun(stack, context, traffic);
  await disturb(run);
  await traffic.stop();
  context.say('the clients have stopped; waiting until no work is left');
  const { figures, breaches } = await inspect(stack, traffic.client, traffic.ledger, {
    quietSeconds: run.setting('quietSeconds'),
    say: context.say,
  });
  const posts = await traffic.inspectPosts();
  const more: Verdict[] = [];
  for (const check of run.checks) more.push(await check());
  return {
    figures: [
      ...run.figures,
      ...figures,
      ['posts made and found again', posts.posts],
      ...more.flatMap((verdict) => verdict.figures),
    ],
    breaches: [
      ...run.breaches,
      ...breaches,
      ...posts.breaches,
      ...more.flatMap((verdict) => verdict.breaches),
    ],
  };
}

/** A stack in use, and what was found so far. */
export class LoadRun {
  readonly figures: [name: string, value: string | number][] = [];
  readonly breaches: string[] = [];
  /** Further checks, for after the comparison. */
  readonly checks: (() => Promise<Verdict>)[] = [];
  readonly random: Random;

  constructor(
    readonly stack: ChaosStack,
    readonly context: ScenarioContext,
    readonly traffic: Traffic,
  ) {
    this.random = new Random(context.seed + 2);
  }

  get ledger(): Ledger {
    return this.traffic.ledger;
  }

  setting(name: string): number {
    return setting(this.context, name);
  }

  say(line: string): void {
    this.context.say(line);
  }

  /** Causes a failure under traffic. Returns how often each outcome occurred while it lasted, by the keys of the ledger. */
  async inflict(
    { name, seconds, begin, end }: Failure,
    warmUpMs = WARM_UP_MS,
  ): Promise<ReadonlyMap<string, number>> {
    this.traffic.start();
    await pause(warmUpMs);
    const before = new Map(this.ledger.outcomes);
    await begin();
    this.say(`${name}, for ${seconds} s`);
    await pause(seconds * 1000);
    const outcomes = new Map(
      [...this.ledger.outcomes].map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)]),
    );
    await end();
    return outcomes;
  }

  /** Stops the clients and waits until no work is left. Returns the seconds, and records the work that is stuck. */
  async drain(name: string): Promise<number> {
    const began = Date.now();
    await this.traffic.stop();
    const { breaches } = await untilQuiet(this.stack, this.context.say);
    this.breaches.push(...breaches.map((breach) => `${name}: ${breach}`));
    return (Date.now() - began) / 1000;
  }

  /**
   * Resolves when the API answers reads and writes and accepts an upload, or at the deadline. Returns the seconds that this
   * took, and records a breach if it took longer than `seconds`.
   */
  async recover(name: string, seconds: number): Promise<number> {
    const began = Date.now();
    const elapsed = (): number => (Date.now() - began) / 1000;
    const { client, files } = this.traffic;
    const upload = async (): Promise<boolean> =>
      Boolean(await this.traffic.upload(await files.picture(this.random)));
    for (let inARow = 0; inARow < IN_A_ROW || !(await upload()); await pause(POLL_MS)) {
      const answers = await Promise.all([
        outcomeOf(client.me.get()),
        outcomeOf(client.me.update({ bio: `Seen at ${Date.now()}` })),
        outcomeOf(client.posts.list()),
      ]);
      inARow = answers.every(({ status }) => status === 'done') ? inARow + 1 : 0;
      if (elapsed() > 10 * seconds) break;
    }
    if (elapsed() > seconds) this.breaches.push(`${name}: recovery took ${elapsed().toFixed(1)} s`);
    return elapsed();
  }
}

/** Kills one process after the other, each after `next`. Returns a figure about the kills. */
export async function killInTurn(
  { stack, context: { say } }: Pick<LoadRun, 'stack' | 'context'>,
  victims: readonly Victim[],
  next: (number: number) => Promise<unknown>,
): Promise<[string, string]> {
  let brokerIsBack = Promise.resolve();
  for (const [index, victim] of victims.entries()) {
    await next(index + 1);
    if (victim === 'rabbitmq') {
      await brokerIsBack;
      await stack.rabbitMq.kill();
      // Other processes are killed while the broker starts.
      brokerIsBack = stack.rabbitMq.start();
      brokerIsBack.catch(() => undefined);
    } else await killVictim(stack.dataFolder, victim);
    say(`kill ${index + 1} of ${victims.length}: ${victim}`);
  }
  await brokerIsBack;
  return ['kills', `${victims.length}: ${describeCounts(countBy(victims))}`];
}
