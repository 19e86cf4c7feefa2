import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type MessageTransport } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { describeFinalState, differences } from '../inspection/final-state';
import { MessageTap } from '../stack/message-tap';
import { connectWhenBack, QUEUES, untilQuiet } from '../inspection/quiet';
import { Random } from '@vitrine/demo/random';
import { type SampleFile, SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { outcomeOf, signUp } from '../clients/client';

const TIMES = 3;
/** Most differences between two final states to print. */
const MAX_PRINTED = 10;
const DELETED_ONE_IN = 8;
const POSTED_ONE_IN = 3;
/** Concurrent uploads where their order doesn't matter. */
const CONCURRENT_UPLOADS = 6;
/** No work is announced again, and five attempts take three seconds, so that dead letters come only from the messages. */
const POISON_ENVIRONMENT = {
  REANNOUNCE_AFTER_SECONDS: '3600',
  BUS_RETRY_DELAYS_MS: '200,400,800,1600',
} as const;
const DEATH_PATIENCE_MS = 300_000;
const POLL_MS = 500;
const ADMIN = resolve(__dirname, '../../../admin/dist/main.js');

/** The bus repeats, delays and reorders all messages; then some messages can't be handled at all. */
export const duplicatesScenario: Scenario = {
  name: 'duplicates',
  promise:
    'If every message is delivered three times in random order, the final state is the same as with one ' +
    'delivery. Of a hundred poison messages among a thousand, all become dead letters, delay no other ' +
    'message, and are handled after the fault is fixed.',
  settings: { uploads: 150, good: 1_000, poison: 100 },
  buses: ['postgres', 'rabbitmq'],
  run: async (context) => {
    const { bus, say } = context;
    const once: string[] = [];
    const verdicts: Verdict[] = [];
    const steps: readonly [string, (stack: ChaosStack) => Promise<Verdict>][] = [
      ['once', (stack) => deliverOnce(stack, context, once)],
      ['three times', (stack) => deliverRepeatedly(stack, context, once)],
      ['poison', (stack) => poison(stack, context)],
    ];
    for (const [name, work] of steps) {
      say(`step: ${name}`);
      const env = name === 'poison' ? POISON_ENVIRONMENT : {};
      verdicts.push(await withStack({ bus, env }, say, work));
    }
    return {
      figures: verdicts.flatMap(({ figures }) => figures),
      breaches: verdicts.flatMap(({ breaches }) => breaches),
    };
  },
};

async function deliverOnce(stack: ChaosStack, context: ScenarioContext, state: string[]): Promise<Verdict> {
  await act(stack, context);
  const quiet = await untilQuiet(stack, context.say);
  state.push(...(await finalState(stack)));
  return { figures: [['lines of the final state', state.length]], breaches: quiet.breaches };
}

async function deliverRepeatedly(
  stack: ChaosStack,
  context: ScenarioContext,
  expected: readonly string[],
): Promise<Verdict> {
  const tap = await MessageTap.open(stack, new Random(context.seed + 1));
  try {
    await act(stack, context);
    const breaches: string[] = [];
    // Repeated events cause new events.
    for (let repeated = 1; repeated > 0;) {
      breaches.push(...(await untilQuiet(stack, context.say)).breaches);
      repeated = await tap.repeat(TIMES);
      context.say(`${repeated} more deliveries, in random order`);
    }
    const found = differences(expected, await finalState(stack));
    return {
      figures: [
        ['messages', tap.messages],
        ['deliveries of each to each consumer, on average', (tap.deliveries / tap.messages).toFixed(2)],
        ['differences from the final state of one delivery', found.length],
      ],
      breaches: [...breaches, ...found.slice(0, MAX_PRINTED)],
    };
  } finally {
    await tap.close();
  }
}

async function finalState(stack: ChaosStack): Promise<string[]> {
  const database = await connectWhenBack(stack.databaseUrl);
  try {
    return await describeFinalState(database, stack.storage);
  } finally {
    await database.end();
  }
}

/** The actions of one person, the same in each run: uploads, posts and deletions. */
async function act(stack: ChaosStack, context: ScenarioContext): Promise<void> {
  const client = await signUp(stack.addresses);
  const [files, random] = [await SampleFiles.create(), new Random(context.seed)];
  for (let number = 1; number <= setting(context, 'uploads'); number++) {
    const file = await files.next(random);
    const [isDeleted, isPosted] = [
      random.integer(1, DELETED_ONE_IN) === 1,
      random.integer(1, POSTED_ONE_IN) === 1,
    ];
    const {
      status,
      body: media,
      reason,
    } = await outcomeOf(client.media.upload(file.bytes, { name: file.name }));
    if (status === 422 && !file.decodable) continue;
    if (!media) throw new Error(`Without a failure, an upload was answered ${status} ${reason}`);
    if (isPosted) await client.posts.create({ media_ids: [media.id], title: `Post ${number}` });
    if (!isDeleted) continue;
    // After a random pause, some files are being processed and some aren't.
    await pause(random.integer(0, 300));
    await client.media.delete(media.slug);
  }
}

/** A fault in the database keeps some media from being recorded as processed, so that their messages always fail. */
async function poison(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const [good, bad] = [setting(context, 'good'), setting(context, 'poison')];
  const client = await signUp(stack.addresses);
  const database = await connectWhenBack(stack.databaseUrl);
  const transport = createTransport({ url: stack.busUrl }, 'chaos');
  try {
    await transport.declare(QUEUES);
    await database.query(`
      create table chaos_poison (received_sha256 bytea primary key);
      create function chaos_refuse() returns trigger language plpgsql as $$
      begin
        if new.processed and exists (select from chaos_poison p where p.received_sha256 = new.received_sha256) then
          raise exception 'a fault of the chaos harness';
        end if;
        return new;
      end $$;
      create trigger chaos_refuse before update on media for each row execute function chaos_refuse();`);
    const [files, random] = [await SampleFiles.create(), new Random(context.seed + 2)];
    let left = good + bad;
    let poisonLeft = bad;
    const uploadNext = async (): Promise<void> => {
      while (left > 0) {
        const isPoison = random.next() < poisonLeft / left--;
        if (isPoison) poisonLeft--;
        const file = await files.thumbnail(random);
        if (isPoison) {
          await database.query('insert into chaos_poison values ($1)', [sha256(file)]);
        }
        await client.media.upload(file.bytes, { name: file.name });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, uploadNext));
    context.say('all are uploaded; waiting until each is handled or a dead letter');

    const counts = async (): Promise<{ processed: number; healthy: number; dead: number }> => {
      const { rows } = await database.query<{ processed: number; healthy: number }>(
        `select count(*) filter (where processed)::int as processed,
                count(*) filter (where processed and decided_at is not null
                  and not exists (select from chaos_poison p where p.received_sha256 = media.received_sha256))::int
                  as healthy
         from media`,
      );
      const { processed = 0, healthy = 0 } = rows[0] ?? {};
      return { processed, healthy, dead: await countDead(transport) };
    };
    const began = Date.now();
    let state = await counts();
    while (state.healthy < good || state.dead < bad) {
      if (Date.now() > began + DEATH_PATIENCE_MS) break;
      await pause(POLL_MS);
      state = await counts();
    }
    const died = state;
    await database.query('drop trigger chaos_refuse on media');
    const replay = await admin(stack, 'dead-letters', 'replay', '--all');
    context.say(replay.trim());
    const quiet = await untilQuiet(stack, context.say);
    const healed = await counts();
    const breaches = [...quiet.breaches];
    if (died.healthy !== good) breaches.push(`${died.healthy} of ${good} good messages were handled`);
    if (died.dead !== bad) breaches.push(`${died.dead} of ${bad} poison messages were dead-lettered`);
    if (healed.processed !== good + bad || healed.dead !== 0) {
      breaches.push(`After the replay ${healed.processed} are processed and ${healed.dead} dead`);
    }
    return {
      figures: [
        ['good messages, handled', `${good}, ${died.healthy}`],
        ['poison messages, dead-lettered', `${bad}, ${died.dead}`],
        ['after the fix and the replay: processed, dead', `${healed.processed}, ${healed.dead}`],
      ],
      breaches,
    };
  } finally {
    await transport.close();
    await database.end();
  }
}

const sha256 = ({ bytes }: SampleFile): Buffer => createHash('sha256').update(bytes).digest();

async function countDead(transport: MessageTransport): Promise<number> {
  const depths = await Promise.all(QUEUES.map(({ name }) => transport.depth(name)));
  return depths.reduce((sum, { dead }) => sum + dead, 0);
}

/** Runs the `admin` command on this stack. Returns its output. */
async function admin(stack: ChaosStack, ...args: readonly string[]): Promise<string> {
  const environment = stack.environmentOf('upload-service');
  const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...args], { env: environment });
  return stdout;
}
