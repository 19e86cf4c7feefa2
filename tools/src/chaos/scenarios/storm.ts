import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { inspect } from '../inspection/inspection';
import { Ledger } from '../clients/ledger';
import { Random } from '../../random/random';
import { countBy, describeCounts } from '../contract/results';
import { SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { UploadTraffic } from '../clients/upload-traffic';
import { killVictim, type Victim, victimsOf } from '../stack/victims';
import { type RequestOutcome, ChaosClient } from '../clients/chaos-client';
import { WEBHOOK_SETTINGS, WebhookRecorder } from '../inspection/webhook-recorder';

interface Kill {
  readonly victim: Victim;
  /** Number of accepted uploads at that moment. */
  readonly after: number;
}

/** About 2.5 uploads a second, so that most processes have a minute between two kills of a hundred. */
const TRAFFIC = { uploaders: 6, maxRestMs: 4_000, deletedOneIn: 15 } as const;
/** Short delays, so that a message whose consumer was killed four times doesn't wait two minutes for its fifth attempt. */
const ENVIRONMENT = {
  BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000',
  ...WEBHOOK_SETTINGS,
} as const;

/** Clients upload, read and delete while processes are killed, each kind in turn. */
export const stormScenario: Scenario = {
  name: 'storm',
  promise:
    'If processes are killed (kill -9) at any moment, no answered upload is lost and every file has the right ' +
    'bytes. A minute after the last kill, all work is done and nothing is left over. A webhook gets every event of each ' +
    'answered upload at least once.',
  settings: { uploads: 2_000, kills: 100, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) =>
    withStack({ bus: context.bus, env: ENVIRONMENT }, context.say, (stack) => runStorm(stack, context)),
};

async function runStorm(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { seed, say } = context;
  const uploads = setting(context, 'uploads');
  const client = new ChaosClient(stack.addresses);
  await client.signUp('chaos', 'a password of the chaos harness');
  const files = await SampleFiles.create();
  if (!files.hasVideo) say('no ffmpeg on the PATH: pictures only');
  const ledger = new Ledger();
  const recorder = await WebhookRecorder.start(client);
  const traffic = new UploadTraffic(client, files, ledger, { ...TRAFFIC, seed, isExcused });
  const kills: Kill[] = [];
  try {
    await runTraffic(traffic, async () => {
      await killProcesses(stack, context, kills, ledger, traffic);
      while (ledger.entries.length < uploads) {
        traffic.check();
        await pause(100);
      }
    });
    say('the storm is over; waiting until no work is left');
    const findings = await inspect(stack, client, ledger, {
      quietSeconds: setting(context, 'quietSeconds'),
      say,
    });
    const deliveries = await recorder.examine(stack, ledger);
    return {
      figures: [
        ['kills', `${kills.length}: ${describeCounts(countBy(kills.map(({ victim }) => victim)))}`],
        ...findings.figures,
        ...deliveries.figures,
      ],
      breaches: [...findings.breaches, ...deliveries.breaches],
    };
  } finally {
    await recorder.stop();
  }
}

async function runTraffic(traffic: UploadTraffic, work: () => Promise<void>): Promise<void> {
  traffic.start();
  try {
    await work();
  } finally {
    await traffic.stop();
  }
}

/** The process that should answer may have been killed or may be restarting. */
const isExcused = ({ status }: RequestOutcome<unknown>): boolean =>
  status === 'no answer' || status === 502 || status === 503;

/** Kills processes at even distances, counted in accepted uploads. */
async function killProcesses(
  stack: ChaosStack,
  context: ScenarioContext,
  done: Kill[],
  ledger: Ledger,
  traffic: UploadTraffic,
): Promise<void> {
  const [uploads, kills] = [setting(context, 'uploads'), setting(context, 'kills')];
  const random = new Random(context.seed + 2);
  // Every kind is killed once before any is killed again, in random order, so that few kills reach all.
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
      // Other processes are killed while the broker starts.
      brokerIsBack = stack.rabbitMq.start();
      brokerIsBack.catch(() => undefined);
    } else await killVictim(stack.dataFolder, victim);
    done.push({ victim, after: ledger.entries.length });
    context.say(`kill ${number} of ${kills}: ${victim}, after ${ledger.entries.length} uploads`);
  }
  await brokerIsBack;
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = random.integer(0, index);
    [shuffled[index], shuffled[other]] = [shuffled[other] as Item, shuffled[index] as Item];
  }
  return shuffled;
}
