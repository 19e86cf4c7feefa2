import { randomUUID } from 'node:crypto';
import { startReplicatedPostgres } from '@vitrine/dev';
import type { VitrineClient } from '@vitrine/client';
import { isTemporaryRefusal, outcomeOf } from '../clients/client';
import { repeat } from '../clients/repeat';
import { EVERYTHING } from '../clients/traffic';
import { countBy, describeCounts } from '../contract/results';
import type { Scenario, Verdict } from '../contract/scenario';
import { queryWhenBack } from '../inspection/quiet';
import { withStack } from '../stack/chaos-stack';
import { type LoadRun, underLoad } from './load';

/** Reads of the API, of rows and of files; `list` is also done with a token. */
const READS = /^(?:read|post|list|file) /;
const WRITES = ['upload', 'make post', 'comment', 'vote', 'delete'];
/** The title of posts that a client repeats with the same key until it gets an answer. */
const REPEATED = 'Repeated until it was answered';

/** The only synchronous standby is stopped: PostgreSQL answers no COMMIT, and no timeout of its own ends this. */
export const standbyScenario: Scenario = {
  name: 'standby',
  promise:
    'While PostgreSQL waits for a synchronous standby that is lost, reads and files are served, and writes are answered 503 ' +
    'with Retry-After within a bounded time. When the standby is back, everything works by itself, and nothing is lost or ' +
    'stored twice.',
  settings: { seconds: 40, writeSeconds: 20, recoverySeconds: 15, sessions: 60, quietSeconds: 60 },
  buses: ['postgres', 'rabbitmq'],
  run: async (context) => {
    const postgres = await startReplicatedPostgres({ synchronous_commit: 'on' });
    try {
      const url = postgres.url('postgres');
      await queryWhenBack(url, 'create database vitrine');
      await queryWhenBack(url, `alter system set synchronous_standby_names = '*'`);
      await queryWhenBack(url, 'select pg_reload_conf()');
      // Fewer connections than clients, so that waiting writes would leave none to reads.
      const pool = { DATABASE_POOL_SIZE: '4' };
      // What was uploaded without an answer must be committed before it could count as an orphan.
      const env = { ...pool, DATABASE_URL: postgres.url('vitrine'), ORPHAN_AGE_SECONDS: '120' };
      const groups = [...EVERYTHING, { mix: { file: 1 } as const, pace: { clients: 1, maxRestMs: 500 } }];
      return await withStack({ bus: context.bus, env }, context.say, (stack) =>
        underLoad(stack, context, (run) => loseStandby(run, postgres.replica), {
          groups,
          isExcused: isTemporaryRefusal,
        }),
      );
    } finally {
      await postgres.stop();
    }
  },
};

async function loseStandby(
  run: LoadRun,
  standby: { kill(): Promise<void>; start(): Promise<void> },
): Promise<void> {
  const { stack, traffic, ledger } = run;
  const repeated: string[] = [];
  let stop = async (): Promise<void> => undefined;
  let sessions: readonly string[] = [];
  const item = await traffic.upload(await traffic.files.picture(run.random));
  if (!item) throw new Error('The first upload was not accepted');
  const outcomes = await run.inflict({
    name: 'no standby',
    seconds: run.setting('seconds'),
    begin: async () => {
      stop = repeat(() => postUntilAnswered(traffic.client, item.id, repeated));
      await standby.kill();
    },
    end: async () => {
      const rows = await queryWhenBack<{ name: string }>(
        stack.databaseUrl,
        `select application_name as name from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      );
      sessions = rows.map(({ name }) => name);
      await standby.start();
    },
  });
  const recovery = await run.recover('after the return of the standby', run.setting('recoverySeconds'));
  await stop();
  await traffic.stop();
  const counted = (pattern: RegExp): number =>
    [...outcomes].reduce((sum, [outcome, count]) => sum + (pattern.test(outcome) ? count : 0), 0);
  const slowest = Math.max(...WRITES.map((write) => ledger.slowest.get(write) ?? 0)) / 1000;
  const refusedReads = counted(/^(?:read|post|list) (?!done)/);
  const filesServed = counted(/^file done/);
  if (refusedReads > 0) run.breaches.push(`${refusedReads} reads failed without the standby`);
  if (filesServed === 0) run.breaches.push('No file was served without the standby');
  if (counted(/ 503$/) === 0) run.breaches.push('No write was refused: the standby was not missed');
  if (slowest > run.setting('writeSeconds')) {
    run.breaches.push(`A write was answered after ${slowest.toFixed(1)} s`);
  }
  if (sessions.length > run.setting('sessions'))
    run.breaches.push(`PostgreSQL had ${sessions.length} sessions`);
  run.checks.push(() => findRepeated(stack.databaseUrl, repeated));
  run.figures.push(
    ['reads and files answered without the standby', counted(READS) - refusedReads],
    ['files served without the standby', filesServed],
    ['answers 503 with Retry-After', ledger.count(/ 503$/)],
    ['slowest answer to a write, seconds', slowest.toFixed(1)],
    ['sessions of PostgreSQL before the return', `${sessions.length}: ${describeCounts(countBy(sessions))}`],
    ['seconds from return to recovery', recovery.toFixed(1)],
    ['other failures', ledger.violations.length],
  );
}

/** Makes one post, with one key for all attempts, and adds its title. 409 says that an earlier attempt has made it. */
async function postUntilAnswered(client: VitrineClient, item: number, titles: string[]): Promise<void> {
  const title = `${REPEATED} ${titles.length}`;
  const idempotencyKey = randomUUID();
  titles.push(title);
  for (;;) {
    const {
      status,
      retryAfter,
      reason = '',
    } = await outcomeOf(client.posts.create({ media_ids: [item], title }, { idempotencyKey }));
    const waits = status === 503 || status === 'no answer' || (status === 409 && !/carried out/.test(reason));
    if (!waits) return;
    await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1000));
  }
}

async function findRepeated(databaseUrl: string, titles: readonly string[]): Promise<Verdict> {
  const rows = await queryWhenBack<{ title: string }>(
    databaseUrl,
    `select title from posts where title like '${REPEATED}%'`,
  );
  const breaches = titles.flatMap((title) => {
    const count = rows.filter((row) => row.title === title).length;
    return count === 1 ? [] : [`"${title}" was stored ${count} times`];
  });
  return { figures: [['posts repeated with one key', titles.length]], breaches };
}
