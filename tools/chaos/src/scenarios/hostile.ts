import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { HOSTILE_ACTS, HostileClient } from '../hostile/attacks';
import { makeExpensiveFiles } from '../hostile/expensive-files';
import { type Measurements, HonestUser } from '../hostile/honest-user';
import type { Latencies } from '@vitrine/bench';
import { connectWhenBack } from '../inspection/quiet';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';

/** Reads are many and are judged by their 95th percentile; uploads are few and are judged by their median. */
const PARTS = [
  { what: 'API reads', of: ({ api }: Measurements): Latencies => api, by: 'p95', bound: 'readTimes' },
  { what: 'file reads', of: ({ files }: Measurements): Latencies => files, by: 'p95', bound: 'readTimes' },
  { what: 'uploads', of: ({ uploads }: Measurements): Latencies => uploads, by: 'p50', bound: 'uploadTimes' },
  {
    what: 'processing',
    of: ({ processing }: Measurements): Latencies => processing,
    by: 'p50',
    bound: 'processingTimes',
  },
] as const;

export const hostileScenario: Scenario = {
  name: 'hostile',
  promise:
    'While an attacker tries to stop the service with hostile text, hostile files, idle readers and files ' +
    "that are expensive to process, an honest user's reads, uploads and processing continue without an error, " +
    'and take at most a fixed multiple of their normal time.',
  settings: { photographs: 10, readTimes: 5, uploadTimes: 4, processingTimes: 3, leastMs: 50 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) => withStack({ bus: context.bus }, context.say, (stack) => attack(stack, context)),
};

async function attack(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { say } = context;
  const photographs = setting(context, 'photographs');
  const database = await connectWhenBack(stack.databaseUrl);
  stack.beforeStop(() => database.end());
  say('making the expensive files');
  const files = await makeExpensiveFiles();
  const honest = await HonestUser.create(stack.addresses, database, 'honest');
  // The first run warms up: it compiles code and fills pools and caches.
  await honest.live(3);
  say('measuring an honest user without an attack');
  const quiet = await honest.live(photographs);
  const figures: [string, string][] = PARTS.map(({ what, of }) => [`quiet ${what}`, show(of(quiet))]);
  const breaches = quiet.failures.map((failure) => `In quiet, ${failure}`);

  for (const [index, act] of HOSTILE_ACTS.entries()) {
    say(act.name);
    const hostile = await HostileClient.create(stack.addresses, files, `hostile${index}`);
    const attack = await act.begin(hostile);
    const among = await honest.live(photographs);
    figures.push([act.name, await attack.end()]);
    for (const { what, of, by, bound } of PARTS) {
      const [now, before] = [of(among), of(quiet)];
      const times = now[by] / Math.max(before[by], setting(context, 'leastMs'));
      figures.push([`${what} meanwhile`, `${show(now)}: ${times.toFixed(2)} times`]);
      if (times > setting(context, bound)) {
        breaches.push(
          `During "${act.name}" the ${by} of ${what} was ${times.toFixed(2)} times that without an attack`,
        );
      }
    }
    breaches.push(...among.failures.map((failure) => `During "${act.name}", ${failure}`));
  }
  return { figures, breaches };
}

const show = ({ p50, p95 }: Latencies): string => `p50 ${p50} ms, p95 ${p95} ms`;
