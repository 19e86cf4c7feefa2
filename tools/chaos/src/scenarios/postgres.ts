import { setTimeout as pause } from 'node:timers/promises';
import { isTemporaryRefusal } from '../clients/client';
import { connectWhenBack } from '../inspection/quiet';
import { findVictim } from '../stack/victims';
import { loadScenario } from './load';

/** Time for PostgreSQL to stop, before connections to its successor are tried. */
const STOPPING_MS = 50;

/** Restarts PostgreSQL repeatedly as `pg_ctl restart -m immediate` does, which ends all sessions immediately. */
export const postgresScenario = loadScenario({
  name: 'postgres',
  promise:
    'While PostgreSQL is restarted without warning, clients get success or 503 with Retry-After, and nothing ' +
    'else. Ten seconds after PostgreSQL is back, everything works, and nothing is lost.',
  settings: { restarts: 10, recoverySeconds: 10, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  clients: { isExcused: isTemporaryRefusal },
  disturb: async (run) => {
    const { stack, traffic, ledger } = run;
    const restarts = run.setting('restarts');
    const outages: number[] = [];
    const recoveries: number[] = [];
    traffic.start();
    for (let restart = 1; restart <= restarts; restart++) {
      const name = `restart ${restart} of ${restarts}`;
      await pause(run.random.integer(3_000, 6_000));
      const broken = Date.now();
      endAtOnce(stack.dataFolder);
      await pause(STOPPING_MS);
      await (await connectWhenBack(stack.databaseUrl)).end();
      const outage = (Date.now() - broken) / 1000;
      const recovery = await run.recover(name, run.setting('recoverySeconds'));
      run.say(`${name}: unreachable for ${outage.toFixed(1)} s, recovered ${recovery.toFixed(1)} s later`);
      outages.push(outage);
      recoveries.push(recovery);
    }
    await traffic.stop();
    run.figures.push(
      ['immediate restarts', restarts],
      ['seconds of each outage', outages.map((seconds) => seconds.toFixed(1)).join(' ')],
      ['seconds from return to recovery, at most', Math.max(...recoveries).toFixed(1)],
      ['answers 503 with Retry-After', ledger.count(/ 503$/)],
      ['other failures', ledger.violations.length],
      ['slowest answer, ms', Math.max(...ledger.slowest.values())],
    );
  },
});

/** PostgreSQL's immediate shutdown: no checkpoint and no message to clients; the next start recovers. */
function endAtOnce(dataFolder: string): void {
  const pid = findVictim('postgres', dataFolder);
  if (pid === undefined) throw new Error('PostgreSQL is not running');
  process.kill(pid, 'SIGQUIT');
}
