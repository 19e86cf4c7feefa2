import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type S3Fault, startS3, type TestS3 } from '@vitrine/testing';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { untilQuiet } from '../inspection/quiet';
import { Random } from '../../random/random';
import { describeCounts } from '../contract/results';
import { SampleFiles } from '../clients/sample-files';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { Traffic } from './traffic';
import { isTemporaryRefusal } from '../clients/chaos-client';

/** Duration of the traffic before each failure, so that work of all stages is in progress. */
const WARM_UP_MS = 5_000;
const VIEW_EVERY_MS = 200;
const RETURN_PATIENCE_MS = 60_000;
const MIB = 1024 * 1024;

/** One kind of failure of the storage. */
interface Break {
  readonly name: string;
  /** Whether uploads must still be accepted during the failure. */
  readonly acceptsUploads: boolean;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** The disk of a folder is full; a bucket refuses everything, is slow, or fails in changing ways. */
export const storageScenario: Scenario = {
  name: 'storage',
  promise:
    'If the storage is full, slow, or refuses requests, an upload is either stored completely or refused: with 507 if the ' +
    'disk is full, otherwise with 503 and Retry-After. No client gets a part of a file or another file. The rest of the API ' +
    'works, and everything recovers automatically.',
  settings: { seconds: 30, slowMs: 2_000, diskMegabytes: 48, quietSeconds: 60 },
  run: async (context) => {
    const disk = await onSmallDisk(context);
    const bucket = await inBucket(context);
    return {
      figures: [...disk.figures, ...bucket.figures],
      breaches: [...disk.breaches, ...bucket.breaches],
    };
  },
};

async function onSmallDisk(context: ScenarioContext): Promise<Verdict> {
  const disk = await mkdtemp(join(tmpdir(), 'vitrine-disk-'));
  try {
    mount(disk, setting(context, 'diskMegabytes'));
  } catch (error) {
    await rm(disk, { recursive: true });
    context.say(`a small disk can't be mounted, which needs root on Linux: ${(error as Error).message}`);
    return { figures: [['disk full', 'not run: it needs root on Linux']], breaches: [] };
  }
  const ballast = join(disk, 'ballast');
  const full: Break = {
    name: 'disk full',
    acceptsUploads: false,
    begin: () => fill(ballast),
    end: () => rm(ballast),
  };
  try {
    // Without a reserve, uploads are accepted until the disk is full. The default reserve is larger than this disk.
    const env = { STORAGE_URL: pathToFileURL(join(disk, 'objects')).href, STORAGE_RESERVE_BYTES: '0' };
    return await withStack({ bus: context.bus, env }, context.say, (stack) =>
      breakStorage(stack, context, [full], 507),
    );
  } finally {
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  }
}

async function inBucket(context: ScenarioContext): Promise<Verdict> {
  const s3 = await startS3();
  const random = new Random(context.seed);
  const withBucketFault = (
    name: string,
    acceptsUploads: boolean,
    faultOf: () => S3Fault | undefined,
  ): Break => ({
    name,
    acceptsUploads,
    begin: async () => s3.setFault(faultOf),
    end: async () => s3.setFault(null),
  });
  const refusal: S3Fault = { kind: 'refuse', status: 503, code: 'SlowDown' };
  const slow: S3Fault = { kind: 'delay', milliseconds: setting(context, 'slowMs') };
  const breaks = [
    withBucketFault('bucket refuses', false, () => refusal),
    withBucketFault('bucket slow', true, () => slow),
    withBucketFault('bucket unstable', true, () => pickFault(random)),
  ];
  try {
    const verdict = await withStack({ bus: context.bus, env: s3.settings('media') }, context.say, (stack) =>
      breakStorage(stack, context, breaks, 503),
    );
    return { ...verdict, breaches: [...verdict.breaches, ...unfinished(s3)] };
  } finally {
    await s3.stop();
  }
}

async function breakStorage(
  stack: ChaosStack,
  context: ScenarioContext,
  breaks: readonly Break[],
  refusal: 503 | 507,
): Promise<Verdict> {
  const { say } = context;
  const quietSeconds = setting(context, 'quietSeconds');
  const traffic = await Traffic.create(stack, context, {
    isExcused: (outcome) => isTemporaryRefusal(outcome) || (refusal === 507 && outcome.status === 507),
  });
  const countsOf = ({ ledger }: Traffic): { readonly accepted: number; readonly refused: number } => ({
    accepted: ledger.entries.length,
    refused: ledger.outcomes.get(`upload ${refusal}`) ?? 0,
  });
  const figures: [string, string | number][] = [];
  const breaches: string[] = [];
  for (const { name, acceptsUploads, begin, end } of breaks) {
    traffic.start();
    await pause(WARM_UP_MS);
    const viewer = await Viewer.create(traffic, context);
    const before = countsOf(traffic);
    await begin();
    say(`${name}, for ${setting(context, 'seconds')} s`);
    viewer.start();
    await pause(setting(context, 'seconds') * 1000);
    const [accepted, refused] = [
      countsOf(traffic).accepted - before.accepted,
      countsOf(traffic).refused - before.refused,
    ];
    await viewer.stop();
    await end();
    const returned = Date.now();
    const upToThen = countsOf(traffic).accepted;
    while (countsOf(traffic).accepted === upToThen && Date.now() < returned + RETURN_PATIENCE_MS)
      await pause(50);
    const acceptedAfter = (Date.now() - returned) / 1000;
    await traffic.stop();
    const quiet = await untilQuiet(stack, say);
    breaches.push(...quiet.breaches.map((breach) => `${name}: ${breach}`), ...viewer.breaches);
    if (acceptedAfter * 1000 >= RETURN_PATIENCE_MS)
      breaches.push(`${name}: no upload was accepted a minute after its end`);
    if (acceptsUploads && accepted === 0) breaches.push(`${name}: no upload was accepted meanwhile`);
    if (!acceptsUploads && refused === 0) breaches.push(`${name}: no upload was refused: nothing was broken`);
    figures.push(
      [`${name}, seconds`, setting(context, 'seconds')],
      ['  uploads answered 201 meanwhile', accepted],
      [`  uploads answered ${refusal} meanwhile`, refused],
      ['  views of files meanwhile', describeCounts(viewer.outcomes)],
      ['  seconds from its end to the next 201', acceptedAfter.toFixed(1)],
      ['  seconds until no work was left', quiet.seconds.toFixed(1)],
    );
  }
  // Only uploads and views use the storage.
  for (const [outcome, count] of traffic.ledger.outcomes) {
    if (/ 50[37]$/.test(outcome) && !outcome.startsWith('upload '))
      breaches.push(`${count} times ${outcome}`);
  }
  const verdict = await traffic.inspect(quietSeconds);
  return { figures: [...figures, ...verdict.figures], breaches: [...breaches, ...verdict.breaches] };
}

/** Reads one file repeatedly: the answer must be the right bytes, 503 with Retry-After, or visibly incomplete. */
class Viewer {
  readonly outcomes = new Map<string, number>();
  readonly breaches: string[] = [];
  private stopped = false;
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private readonly sha256: string,
  ) {}

  /** Uploads the file to read. */
  static async create(traffic: Traffic, { seed }: ScenarioContext): Promise<Viewer> {
    const files = await SampleFiles.create();
    const slug = await traffic.uploadOne(await files.picture(new Random(seed)));
    const media = slug === undefined ? undefined : (await traffic.client.read(slug)).body;
    const url = media?.data.urls['original'];
    if (url === undefined) throw new Error('The file for the viewers was not accepted');
    return new Viewer(url, sha256Of(await (await fetch(url)).arrayBuffer()));
  }

  start(): void {
    this.running = this.look();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async look(): Promise<void> {
    while (!this.stopped) {
      const outcome = await this.view();
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      await pause(VIEW_EVERY_MS);
    }
  }

  private async view(): Promise<string> {
    try {
      const response = await fetch(this.url);
      const sha256 = sha256Of(await response.arrayBuffer());
      if (response.status === 200 && sha256 !== this.sha256)
        this.breaches.push(`A viewer of ${this.url} got other bytes`);
      const isRefusal = response.status === 503 && response.headers.has('retry-after');
      if (response.status !== 200 && !isRefusal)
        this.breaches.push(`A viewer of ${this.url} was answered ${response.status}`);
      return String(response.status);
    } catch {
      return 'broken off';
    }
  }
}

const sha256Of = (bytes: ArrayBuffer): string =>
  createHash('sha256').update(Buffer.from(bytes)).digest('hex');

/** Returns no fault for most requests, and one of several faults for the others. */
function pickFault(random: Random): S3Fault | undefined {
  const milliseconds = random.integer(100, 1_500);
  const afterBytes = random.integer(0, 40_000);
  const fault = random.pick<S3Fault | 'none'>([
    'none',
    'none',
    'none',
    'none',
    { kind: 'refuse', status: 503, code: 'SlowDown' },
    { kind: 'refuse', status: 500, code: 'InternalError' },
    { kind: 'reset' },
    { kind: 'lose-answer' },
    { kind: 'break-off', afterBytes },
    { kind: 'delay', milliseconds },
  ]);
  return fault === 'none' ? undefined : fault;
}

const unfinished = (s3: TestS3): readonly string[] =>
  s3.openUploads().map((id) => `Upload ${id} was begun in the bucket, but neither completed nor aborted`);

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'vitrine-chaos', folder], {
    stdio: 'pipe',
  });
}

/** Writes until the disk is full. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let size = MIB; size >= 1;) {
      const { bytesWritten } = await file.write(Buffer.alloc(size)).catch(fullDisk);
      if (bytesWritten < size) size = Math.floor(size / 2);
    }
  } finally {
    await file.close();
  }
}

function fullDisk(error: NodeJS.ErrnoException): { readonly bytesWritten: number } {
  if (error.code !== 'ENOSPC') throw error;
  return { bytesWritten: 0 };
}
