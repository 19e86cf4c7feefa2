import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { bitmapHead } from '../clients/bitmap';
import { type Latencies, latenciesOf, type ProcessUsage, usageOf } from '@vitrine/bench';
import { type SlowClients, type SlowOrder, type SlowReport, startSlowClients } from '../load/slow-clients';
import { Random } from '@vitrine/demo/random';
import { SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { findVictim } from '../stack/victims';
import type { VitrineClient } from '@vitrine/client';
import {
  clientOf,
  describeOutcome,
  open,
  outcomeOf,
  PASSWORD,
  type RequestOutcome,
  signUp,
} from '../clients/client';

const SLOW_ACCOUNTS = 5;
const ABORTING_ACCOUNTS = 20;
/** Size of the file that slow readers read; large enough that none completes it. */
const READ_BYTES = 20_000_000;
/** The slow clients act as a trusted proxy, so that each of them has its own address. */
const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } as const;
/** Pause between two rounds of normal requests. */
const REST_MS = 100;
const POLL_MS = 1000;
/** Time in which the kernel's buffers of the readers' connections fill. */
const BUFFERED_MS = 5000;

export const slowClientsScenario: Scenario = {
  name: 'slow-clients',
  promise:
    'Hundreds of slow uploaders and readers and a thousand aborted uploads make normal requests at most twice ' +
    "as slow and don't prevent other uploads. Within thirty seconds after their end, they leave no " +
    'descriptor, file or memory behind.',
  settings: {
    slowUploaders: 500,
    abortedUploads: 1000,
    slowReaders: 200,
    measuredSeconds: 20,
    p95Times: 2,
    restoredSeconds: 30,
    memoryMebibytes: 64,
  },
  buses: ['postgres'],
  run: (context) =>
    withStack({ bus: context.bus, env: BEHIND_PROXY }, context.say, (stack) => runWaves(stack, context)),
};

async function runWaves(stack: ChaosStack, context: ScenarioContext): Promise<Verdict> {
  const { say } = context;
  const normal = await NormalClient.create(stack, context.seed);
  const large = await normal.uploadLarge();
  const tokens = await openSessions(stack, 'slow', SLOW_ACCOUNTS);
  const abortingTokens = await openSessions(stack, 'hasty', ABORTING_ACCOUNTS);
  const measured = setting(context, 'measuredSeconds');

  const upload = new URL(stack.addresses.upload);
  const wave = {
    host: upload.hostname,
    port: Number(upload.port),
    uploadPath: upload.pathname,
    tokens,
    abortingTokens,
    uploaders: setting(context, 'slowUploaders'),
    abortedUploads: setting(context, 'abortedUploads'),
    abortingSeconds: measured,
    readers: setting(context, 'slowReaders'),
    filePath: new URL(large).pathname,
  };

  // The first wave compiles code, fills pools and caches and grows the heap; only what later waves leave behind matters.
  say('a first wave, which is not measured');
  await normal.measure(5);
  const first = await startWave(wave);
  await first.abort();
  await first.leave();
  await pause(setting(context, 'restoredSeconds') * 1000);
  await untilIdle(stack);
  const before = usageOfHosts(stack);
  say('measuring normal requests in quiet');
  const quiet = await normal.measure(measured);

  const slow = await startWave(wave);
  say('slow clients are connected; measuring normal requests among them, while others abort their uploads');
  const [among] = await Promise.all([normal.measure(measured), slow.abort()]);
  const most = usageOfHosts(stack);
  const report = await slow.leave();
  say('slow clients are disconnected; waiting until their resources are free');
  const left = Date.now();
  // Requests continue, because an idle process collects no garbage.
  await normal.measure(setting(context, 'restoredSeconds') / 2);
  let leftovers: readonly string[];
  do {
    await pause(POLL_MS);
    leftovers = await leftoversOf(stack, before, setting(context, 'memoryMebibytes'));
  } while (leftovers.length > 0 && Date.now() - left < setting(context, 'restoredSeconds') * 1000);
  const restored = (Date.now() - left) / 1000;
  const after = usageOfHosts(stack);

  const times = among.took.p95 / Math.max(quiet.took.p95, 0.1);
  const show = ({ mebibytes, descriptors }: ProcessUsage): string => `${mebibytes} MiB, ${descriptors}`;
  return {
    figures: [
      ['slow uploads in progress', report.uploadsInProgress],
      ['slow uploads answered', JSON.stringify(report.uploadsAnswered)],
      ['aborted uploads', report.aborted],
      ['answered before they could be aborted', JSON.stringify(report.abortsAnswered)],
      ['slow readers', report.readersInProgress],
      ['normal requests in quiet / among them', `${quiet.took.count} / ${among.took.count}`],
      ['quiet p50 / p95, ms', `${quiet.took.p50} / ${quiet.took.p95}`],
      ['among them p50 / p95, ms', `${among.took.p50} / ${among.took.p95}`],
      ['p95, times the quiet one', times.toFixed(2)],
      ['normal uploads among them, accepted', among.uploads],
      ['upload-service before', show(before.upload)],
      ['upload-service among them', show(most.upload)],
      ['upload-service after', show(after.upload)],
      ['api-gateway before / after', `${show(before.gateway)} / ${show(after.gateway)}`],
      ['seconds until all resources were free', restored.toFixed(0)],
    ],
    breaches: [
      ...quiet.failures.map((failure) => `In quiet, ${failure}`),
      ...among.failures.map((failure) => `Among slow clients, ${failure}`),
      ...(times > setting(context, 'p95Times')
        ? [`The p95 of normal requests was ${times.toFixed(2)} times the quiet one`]
        : []),
      ...missing(report, wave),
      ...leftovers,
    ],
  };
}

/**
 * Starts the slow clients. Resolves when they are connected and the buffers of the readers' connections are full: about
 * four megabytes each on one machine.
 */
async function startWave(wave: SlowOrder): Promise<SlowClients> {
  const slow = startSlowClients(wave);
  await slow.arrived;
  await pause(BUFFERED_MS);
  return slow;
}

interface Measurement {
  readonly took: Latencies;
  readonly uploads: number;
  readonly failures: readonly string[];
}

/** A normal user, who reads lists and files and uploads pictures. */
class NormalClient {
  private constructor(
    private readonly client: VitrineClient,
    private readonly files: SampleFiles,
    private readonly random: Random,
    private readonly fileUrl: string,
  ) {}

  static async create(stack: ChaosStack, seed: number): Promise<NormalClient> {
    const client = await signUp(stack.addresses);
    const [files, random] = [await SampleFiles.create(), new Random(seed)];
    const { urls } = await client.media.upload((await files.picture(random)).bytes);
    return new NormalClient(client, files, random, urls.original);
  }

  /** Uploads a large file. Returns its address. */
  async uploadLarge(): Promise<string> {
    return (await this.client.media.upload(noise(READ_BYTES), { name: 'large.bmp' })).urls.original;
  }

  async measure(seconds: number): Promise<Measurement> {
    const took: number[] = [];
    const failures: string[] = [];
    let uploads = 0;
    const enter = (what: string, began: number, outcome: RequestOutcome): void => {
      took.push(performance.now() - began);
      if (outcome.status !== 'done') failures.push(`${what} was answered ${describeOutcome(outcome)}`);
      else if (what === 'an upload') uploads++;
    };
    const { client } = this;
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await pause(REST_MS)) {
      const { bytes, name } = await this.files.picture(this.random);
      enter('a list', performance.now(), await outcomeOf(client.posts.list()));
      enter('an account', performance.now(), await outcomeOf(client.me.get()));
      enter('a file', performance.now(), await open(this.fileUrl));
      enter('an upload', performance.now(), await outcomeOf(client.media.upload(bytes, { name })));
    }
    return { took: latenciesOf(took), uploads, failures };
  }
}

/** A bitmap that can't be compressed. */
function noise(bytes: number): Buffer {
  const head = bitmapHead(bytes);
  return Buffer.concat([head, randomBytes(head.readUInt32LE(34))]);
}

/** Reasons why the run proves nothing, because slow clients were missing; one sentence each. */
function missing(report: SlowReport, wave: SlowOrder): string[] {
  const { uploadsInProgress, readersInProgress, aborted } = report;
  return [
    ...(uploadsInProgress === 0 ? ['No slow upload was in progress'] : []),
    ...(readersInProgress < wave.readers ? [`Only ${readersInProgress} slow readers were in progress`] : []),
    ...(aborted < wave.abortedUploads ? [`Only ${aborted} uploads were aborted`] : []),
  ];
}

/** Registers accounts. Returns their sessions. */
async function openSessions({ addresses }: ChaosStack, name: string, count: number): Promise<string[]> {
  const { auth } = clientOf(addresses);
  const sessions: string[] = [];
  for (let index = 0; index < count; index++)
    sessions.push((await auth.register({ username: name + index, password: PASSWORD })).session);
  return sessions;
}

interface HostUsage {
  readonly upload: ProcessUsage;
  readonly gateway: ProcessUsage;
}

function usageOfHosts(stack: ChaosStack): HostUsage {
  const of = (name: 'upload-service' | 'api-gateway'): ProcessUsage => {
    const pid = findVictim(name, stack.dataFolder);
    if (pid === undefined) throw new Error(`${name} is not running`);
    return usageOf(pid);
  };
  return { upload: of('upload-service'), gateway: of('api-gateway') };
}

/** Allowed growth: connections of idle clients, which a host keeps open for their next request. */
const IDLE_CONNECTIONS = 10;

/** The resources that a host holds in addition to those before, one sentence each. */
async function leftoversOf(stack: ChaosStack, before: HostUsage, mebibytes: number): Promise<string[]> {
  const now = usageOfHosts(stack);
  const leftovers: string[] = [];
  for (const name of ['upload', 'gateway'] as const) {
    const descriptors = now[name].descriptors - before[name].descriptors;
    const memory = now[name].mebibytes - before[name].mebibytes;
    if (descriptors > IDLE_CONNECTIONS)
      leftovers.push(`The ${name} host keeps ${descriptors} more descriptors`);
    if (memory > mebibytes) leftovers.push(`The ${name} host keeps ${memory} more MiB`);
  }
  // Folders of media-processor belong to the pictures of the normal requests.
  const files = (await stack.temporaryFiles()).filter((path) => !path.includes('/variants-'));
  if (files.length > 0) leftovers.push(`${files.length} temporary files are left, e.g. ${files[0]}`);
  return leftovers;
}

/** Waits until the first pictures are processed, which would affect the measurement. */
async function untilIdle(stack: ChaosStack): Promise<void> {
  for (let rounds = 0; rounds < 60 && (await stack.temporaryFiles()).length > 0; rounds++) {
    await pause(POLL_MS);
  }
}
