import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosStack, withStack } from '../chaos-stack';
import { inspect } from '../inspection';
import { Ledger } from '../ledger';
import { Random } from '../random';
import { countBy, describeCounts } from '../results';
import { SampleFiles } from '../sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../scenario';
import { UploadTraffic } from '../upload-traffic';
import { findVictim, type Victim, victimsOf } from '../victims';
import { type Outcome, VitrineClient } from '../vitrine-client';

interface Kill {
  readonly victim: Victim;
  /** Answered uploads at that moment. */
  readonly after: number;
}

/** A victim that isn't running is waited for; a process is back within half a minute. */
const VICTIM_PATIENCE_MS = 90_000;
/** Some 2.5 uploads a second: a hundred kills then leave most processes a minute between two of their own. */
const TRAFFIC = { uploaders: 6, maxRestMs: 4_000, deletedOneIn: 15 } as const;
/** A message whose consumer was killed four times over must not wait two minutes for its fifth try. */
const ENVIRONMENT = { BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000' } as const;

/** Clients upload, read and delete while processes are killed, each kind in turn. */
export const stormScenario: Scenario = {
  name: 'storm',
  promise:
    'While any process is killed at any moment, no answered upload is lost, every byte is the right one, all is done ' +
    'a minute after the end, and nothing is left over.',
  settings: { uploads: 2_000, kills: 100, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) =>
    withStack({ bus: context.bus, env: ENVIRONMENT }, context.say, (stack) => rage(stack, context)),
};

async function rage(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { seed, say } = context;
  const uploads = setting(context, 'uploads');
  const client = new VitrineClient(stack.addresses);
  await client.signUp('chaos', 'a password of the chaos harness');
  const files = await SampleFiles.create();
  if (!files.hasVideo) say('no ffmpeg on the PATH: pictures only');
  const ledger = new Ledger();
  const traffic = new UploadTraffic(client, files, ledger, { ...TRAFFIC, seed, isExcused });
  traffic.start();
  const kills: Kill[] = [];
  try {
    await killProcesses(stack, context, kills, ledger, traffic);
    while (ledger.entries.length < uploads) {
      traffic.check();
      await pause(100);
    }
  } finally {
    await traffic.stop();
  }
  say('the storm is over; waiting until all is quiet');
  const findings = await inspect(stack, client, ledger, {
    quietSeconds: setting(context, 'quietSeconds'),
    say,
  });
  return {
    figures: [
      ['kills', `${kills.length}: ${describeCounts(countBy(kills.map(({ victim }) => victim)))}`],
      ...findings.figures,
    ],
    breaches: findings.breaches,
  };
}

/** The process that should answer may have been killed, or be on its way back. */
const isExcused = ({ status }: Outcome<unknown>): boolean =>
  status === 'no answer' || status === 502 || status === 503;

/** Kills at even distances, counted in answered uploads. */
async function killProcesses(
  stack: ChaosStack,
  context: ScenarioContext,
  done: Kill[],
  ledger: Ledger,
  traffic: UploadTraffic,
): Promise<void> {
  const [uploads, kills] = [setting(context, 'uploads'), setting(context, 'kills')];
  const random = new Random(context.seed + 2);
  // Every kind is hit in turn, in an order of chance, so that few kills spare none.
  let order: Victim[] = [];
  let brokerIsBack = Promise.resolve();
  for (let number = 1; number <= kills; number++) {
    const after = Math.floor((number * uploads) / (kills + 1));
    while (ledger.entries.length < after) {
      traffic.check();
      await pause(20);
    }
    await pause(random.integer(0, 1000));
    if (order.length === 0) order = shuffle(victimsOf(context.bus), random);
    const victim = order.pop() as Victim;
    if (victim === 'rabbitmq') {
      await brokerIsBack;
      await stack.rabbitMq.kill();
      // Meanwhile the others die too.
      brokerIsBack = stack.rabbitMq.start();
      brokerIsBack.catch(() => undefined);
    } else await kill(stack.dataFolder, victim);
    done.push({ victim, after: ledger.entries.length });
    context.say(`kill ${number} of ${kills}: ${victim}, after ${ledger.entries.length} uploads`);
  }
  await brokerIsBack;
}

async function kill(dataFolder: string, victim: Exclude<Victim, 'rabbitmq'>): Promise<void> {
  const deadline = Date.now() + VICTIM_PATIENCE_MS;
  for (;;) {
    const pid = findVictim(victim, dataFolder);
    if (pid !== undefined && endAtOnce(pid)) return;
    if (Date.now() > deadline) throw new Error(`${victim} is not running any more`);
    await pause(50);
  }
}

/** False where it has ended by itself meanwhile. */
function endAtOnce(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
  }
  return shuffled;
}
