import { setTimeout as pause } from 'node:timers/promises';
import type { TestRabbitMq } from '@vitrine/testing';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { untilQuiet } from '../inspection/quiet';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';

/** Duration of the traffic before each failure, so that work of all stages is in progress. */
const WARM_UP_MS = 5_000;
/** More space than any disk has. */
const ALARMING_LIMIT = '1000000GB';
const HARMLESS_LIMIT = '50MB';
const ALARM_PATIENCE_MS = 30_000;

interface Break {
  readonly name: string;
  readonly seconds: number;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** Stops the broker, then lets it raise the alarm for a full disk. Uploads and reads must not be affected. */
export const brokerScenario: Scenario = {
  name: 'broker',
  promise:
    'If the broker is stopped or out of disk space, every upload and every API request succeeds. A minute ' +
    'after the broker is back, all queues are empty and nothing is lost.',
  settings: { seconds: 120, alarmSeconds: 60, quietSeconds: 60 },
  run: (context) => withStack({ bus: 'rabbitmq' }, context.say, (stack) => breakBroker(stack, context)),
};

async function breakBroker(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { say } = context;
  const { rabbitMq } = stack;
  const quietSeconds = setting(context, 'quietSeconds');
  const traffic = await Traffic.create(stack, context, { isExcused: () => false });
  const breaks: readonly Break[] = [
    {
      name: 'stopped',
      seconds: setting(context, 'seconds'),
      begin: () => rabbitMq.stop(),
      end: () => rabbitMq.start(),
    },
    {
      name: 'out of disk',
      seconds: setting(context, 'alarmSeconds'),
      begin: () => limitDisk(rabbitMq, ALARMING_LIMIT, true),
      end: () => limitDisk(rabbitMq, HARMLESS_LIMIT, false),
    },
  ];
  const figures: [string, string | number][] = [];
  const breaches: string[] = [];
  for (const { name, seconds, begin, end } of breaks) {
    traffic.start();
    await pause(WARM_UP_MS);
    await begin();
    say(`the broker is ${name}`);
    const before = { uploads: traffic.ledger.entries.length, requests: requests(traffic) };
    await pause(seconds * 1000);
    const uploads = traffic.ledger.entries.length - before.uploads;
    const asked = requests(traffic) - before.requests;
    await end();
    say(`the broker is back after ${uploads} uploads; waiting until the queues are empty`);
    const returned = Date.now();
    await traffic.stop();
    const quiet = await untilQuiet(stack, say);
    const drainedAfter = (Date.now() - returned) / 1000;
    breaches.push(...quiet.breaches);
    if (uploads === 0) breaches.push(`No upload was answered while the broker was ${name}`);
    if (drainedAfter > quietSeconds) {
      breaches.push(
        `After "${name}", the queues were empty after ${drainedAfter.toFixed(1)} s, later than ${quietSeconds} s`,
      );
    }
    figures.push(
      [`${name}, seconds`, seconds],
      ['  uploads answered 201 meanwhile', uploads],
      ['  other requests answered meanwhile', asked - uploads],
      ['  seconds from its return until the queues were empty', drainedAfter.toFixed(1)],
    );
  }
  const verdict = await traffic.inspect(quietSeconds);
  const refused = traffic.ledger.violations.length;
  return {
    figures: [...figures, ['requests that failed', refused], ...verdict.figures],
    breaches: [...breaches, ...verdict.breaches],
  };
}

const requests = ({ ledger }: Traffic): number =>
  [...ledger.outcomes.values()].reduce((sum, count) => sum + count, 0);

/** Sets the free disk space below which the broker accepts nothing, and waits until the alarm is on or off. */
async function limitDisk(rabbitMq: TestRabbitMq, limit: string, alarming: boolean): Promise<void> {
  await rabbitMq.control('set_disk_free_limit', limit);
  const deadline = Date.now() + ALARM_PATIENCE_MS;
  for (;;) {
    const alarms = await rabbitMq.control('eval', 'rabbit_alarm:get_alarms().');
    if (alarms.includes('disk') === alarming) return;
    if (Date.now() > deadline) throw new Error(`The broker's alarms are ${alarms.trim()}`);
    await pause(500);
  }
}
