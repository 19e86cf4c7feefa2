import { setTimeout as pause } from 'node:timers/promises';
import type { TestRabbitMq } from '@vitrine/testing';
import { describeCounts } from '../contract/results';
import { type Failure, loadScenario } from './load';

/** More space than any disk has. */
const ALARMING_LIMIT = '1000000GB';
const HARMLESS_LIMIT = '50MB';
const ALARM_PATIENCE_MS = 30_000;

/** Stops the broker, then lets it raise the alarm for a full disk. Uploads and reads must not be affected. */
export const brokerScenario = loadScenario({
  name: 'broker',
  promise:
    'If the broker is stopped or out of disk space, every upload and every API request succeeds. A minute ' +
    'after the broker is back, all queues are empty and nothing is lost.',
  settings: { seconds: 120, alarmSeconds: 60, quietSeconds: 60 },
  disturb: async (run) => {
    const { rabbitMq } = run.stack;
    const quietSeconds = run.setting('quietSeconds');
    const failures: readonly Failure[] = [
      {
        name: 'stopped',
        seconds: run.setting('seconds'),
        begin: () => rabbitMq.stop(),
        end: () => rabbitMq.start(),
      },
      {
        name: 'out of disk',
        seconds: run.setting('alarmSeconds'),
        begin: () => limitDisk(rabbitMq, ALARMING_LIMIT, true),
        end: () => limitDisk(rabbitMq, HARMLESS_LIMIT, false),
      },
    ];
    for (const failure of failures) {
      const { name, seconds } = failure;
      const outcomes = await run.inflict(failure);
      const uploads = outcomes.get('upload done') ?? 0;
      const drained = await run.drain(name);
      if (uploads === 0) run.breaches.push(`No upload was accepted while the broker was ${name}`);
      if (drained > quietSeconds)
        run.breaches.push(`After "${name}", the queues were empty only after ${drained.toFixed(1)} s`);
      run.figures.push(
        [`${name}, seconds`, seconds],
        ['  uploads accepted meanwhile', uploads],
        ['  answers meanwhile', describeCounts(outcomes)],
        ['  seconds from its return until the queues were empty', drained.toFixed(1)],
      );
    }
    run.figures.push(['requests that failed', run.ledger.violations.length]);
  },
});

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
