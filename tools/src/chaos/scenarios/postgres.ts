import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { connectWhenBack } from '../inspection/quiet';
import { Random } from '../../random/random';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';
import { findVictim } from '../stack/victims';
import { isTemporaryRefusal, type ChaosClient } from '../clients/chaos-client';

const POLL_MS = 50;
/** Successful rounds in a row after which the service counts as recovered. */
const IN_A_ROW = 3;

/** Restarts PostgreSQL repeatedly as `pg_ctl restart -m immediate` does, which ends all sessions immediately. */
export const postgresScenario: Scenario = {
  name: 'postgres',
  promise:
    'While PostgreSQL is restarted without warning, clients get success or 503 with Retry-After, and nothing ' +
    'else. Ten seconds after PostgreSQL is back, everything works, and nothing is lost.',
  settings: { restarts: 10, recoverySeconds: 10, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: (context) =>
    withStack({ bus: context.bus }, context.say, (stack) => restartRepeatedly(stack, context)),
};

async function restartRepeatedly(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const restarts = setting(context, 'restarts');
  const recoverySeconds = setting(context, 'recoverySeconds');
  const random = new Random(context.seed);
  const traffic = await Traffic.create(stack, context, { isExcused: isTemporaryRefusal });
  const breaches: string[] = [];
  const outages: number[] = [];
  const recoveries: number[] = [];
  traffic.start();
  for (let restart = 1; restart <= restarts; restart++) {
    await pause(random.integer(3_000, 6_000));
    const broken = Date.now();
    endAtOnce(stack.dataFolder);
    await pause(POLL_MS);
    await (await connectWhenBack(stack.databaseUrl)).end();
    const back = Date.now();
    await untilAnswering(traffic.client, back + 10 * recoverySeconds * 1000);
    outages.push((back - broken) / 1000);
    recoveries.push((Date.now() - back) / 1000);
    context.say(
      `restart ${restart} of ${restarts}: unreachable for ${outages.at(-1)?.toFixed(1)} s, ` +
        `ready again ${recoveries.at(-1)?.toFixed(1)} s after its return`,
    );
  }
  await traffic.stop();
  const slowest = Math.max(...recoveries);
  if (slowest > recoverySeconds) breaches.push(`Recovery took ${slowest.toFixed(1)} s`);
  const refused = [...traffic.ledger.outcomes].filter(([outcome]) => outcome.endsWith(' 503'));
  const verdict = await traffic.inspect(setting(context, 'quietSeconds'));
  return {
    figures: [
      ['immediate restarts', restarts],
      ['seconds of each outage', outages.map((seconds) => seconds.toFixed(1)).join(' ')],
      ['seconds from return to recovery, at most', slowest.toFixed(1)],
      ['answers 503 with Retry-After', refused.reduce((sum, [, count]) => sum + count, 0)],
      ['other failures', traffic.ledger.violations.length],
      ['slowest answer, ms', Math.max(...traffic.ledger.slowest.values())],
      ...verdict.figures,
    ],
    breaches: [...breaches, ...verdict.breaches],
  };
}

/** PostgreSQL's immediate shutdown: no checkpoint and no message to clients; the next start recovers. */
function endAtOnce(dataFolder: string): void {
  const pid = findVictim('postgres', dataFolder);
  if (pid === undefined) throw new Error('PostgreSQL is not running');
  process.kill(pid, 'SIGQUIT');
}

/** Resolves when the API has answered reads and writes without a refusal, or at the deadline. */
async function untilAnswering(client: ChaosClient, deadline: number): Promise<void> {
  for (let inARow = 0; inARow < IN_A_ROW;) {
    const answers = await Promise.all([
      client.json('GET', '/me'),
      client.json('PATCH', '/me', { bio: `Seen at ${Date.now()}` }),
      client.json('GET', '/posts'),
    ]);
    inARow = answers.every(({ status }) => status === 200) ? inARow + 1 : 0;
    if (Date.now() > deadline) return;
    await pause(POLL_MS);
  }
}
