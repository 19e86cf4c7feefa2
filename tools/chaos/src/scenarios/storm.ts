import { setTimeout as pause } from 'node:timers/promises';
import type { Bus } from '../contract/scenario';
import { WEBHOOK_SETTINGS, WebhookRecorder } from '../inspection/webhook-recorder';
import { type Victim, victimsOf } from '../stack/victims';
import type { Random } from '@vitrine/demo/random';
import { killInTurn, loadScenario } from './load';

/** Clients upload, read and delete while processes are killed, each kind in turn. */
export const stormScenario = loadScenario({
  name: 'storm',
  promise:
    'If processes are killed (kill -9) at any moment, no answered upload is lost and every file has the right ' +
    'bytes. A minute after the last kill, all work is done and nothing is left over. A webhook gets every event of each ' +
    'answered upload at least once.',
  settings: { uploads: 2_000, kills: 100, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  stack: {
    // Short delays, so that a message whose consumer was killed four times doesn't wait two minutes for its fifth attempt.
    env: { BUS_RETRY_DELAYS_MS: '500,1000,2000,4000,8000,8000,8000,8000', ...WEBHOOK_SETTINGS },
  },
  clients: {
    groups: [
      // About 2.5 uploads a second, so that most processes have a minute between two kills of a hundred.
      { mix: { upload: 1 }, pace: { clients: 6, maxRestMs: 4_000 } },
      { mix: { read: 1 }, pace: { clients: 1, maxRestMs: 500 } },
    ],
    // The process that should answer may have been killed or may be restarting.
    isExcused: ({ status }) => status === 'no answer' || status === 502 || status === 503,
  },
  disturb: async (run) => {
    const { stack, traffic, random } = run;
    const [uploads, kills] = [run.setting('uploads'), run.setting('kills')];
    const recorder = await WebhookRecorder.start(traffic.client);
    stack.beforeStop(() => recorder.stop());
    run.checks.push(() => recorder.examine(stack, run.ledger));
    traffic.start();
    // At even distances, counted in accepted uploads.
    const figure = await killInTurn(run, chooseVictims(run.context.bus, kills, random), async (number) => {
      await traffic.untilAccepted(Math.floor((number * uploads) / (kills + 1)));
      await pause(random.integer(0, 1000));
    });
    run.figures.push(figure);
    await traffic.untilAccepted(uploads);
  },
});

/** Every kind is chosen once before any is chosen again, in random order, so that few kills reach all. */
function chooseVictims(bus: Bus, count: number, random: Random): readonly Victim[] {
  const kinds = victimsOf(bus);
  return Array.from({ length: Math.ceil(count / kinds.length) }, () => random.shuffle(kinds))
    .flat()
    .slice(0, count);
}
