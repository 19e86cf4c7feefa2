import { execFileSync } from 'node:child_process';
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type S3Fault, startS3, type TestS3 } from '@vitrine/testing';
import { Random } from '@vitrine/demo/random';
import { isTemporaryRefusal, open } from '../clients/client';
import { repeat } from '../clients/repeat';
import { countBy, describeCounts } from '../contract/results';
import { type Scenario, type ScenarioContext, setting, type Verdict } from '../contract/scenario';
import { type ChaosStack, withStack } from '../stack/chaos-stack';
import { type Failure, type LoadRun, underLoad } from './load';

const VIEW_EVERY_MS = 200;
const RETURN_SECONDS = 60;
const MIB = 1024 * 1024;

/** One kind of failure of the storage. */
interface Break extends Failure {
  /** Whether uploads must still be accepted during the failure. */
  readonly acceptsUploads: boolean;
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
    ...{ name: 'disk full', seconds: setting(context, 'seconds'), acceptsUploads: false },
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
    ...{ name, seconds: setting(context, 'seconds'), acceptsUploads },
    begin: () => s3.setFault(faultOf),
    end: () => s3.setFault(null),
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

function breakStorage(
  stack: ChaosStack,
  context: ScenarioContext,
  breaks: readonly Break[],
  refusal: 503 | 507,
): Promise<Verdict> {
  return underLoad(
    stack,
    context,
    async (run) => {
      for (const each of breaks) await breakOnce(run, each, refusal);
      // Only uploads and views use the storage.
      for (const [outcome, count] of run.ledger.outcomes) {
        if (/ 50[37]$/.test(outcome) && !outcome.startsWith('upload '))
          run.breaches.push(`${count} times ${outcome}`);
      }
    },
    { isExcused: (outcome) => isTemporaryRefusal(outcome) || (refusal === 507 && outcome.status === 507) },
  );
}

async function breakOnce(run: LoadRun, failure: Break, refusal: number): Promise<void> {
  const { name, seconds, acceptsUploads } = failure;
  const views: string[] = [];
  const view = await prepareView(run);
  const lookOn = async (): Promise<void> => {
    views.push(await view());
    await pause(VIEW_EVERY_MS);
  };
  let stopViewing = (): Promise<void> => Promise.resolve();
  const outcomes = await run.inflict({
    ...failure,
    begin: async () => {
      await failure.begin();
      stopViewing = repeat(lookOn);
    },
    end: async () => {
      await stopViewing();
      await failure.end();
    },
  });
  const uploads = outcomes.get('upload done') ?? 0;
  const refusals = outcomes.get(`upload ${refusal}`) ?? 0;
  const recovered = await run.recover(name, RETURN_SECONDS);
  const drained = await run.drain(name);
  if (acceptsUploads && uploads === 0) run.breaches.push(`${name}: no upload was accepted meanwhile`);
  if (!acceptsUploads && refusals === 0) run.breaches.push(`${name}: no upload was refused with ${refusal}`);
  run.figures.push(
    [`${name}, seconds`, seconds],
    ['  uploads accepted meanwhile', uploads],
    [`  uploads answered ${refusal} meanwhile`, refusals],
    ['  views of files meanwhile', describeCounts(countBy(views))],
    ['  seconds from its end until uploads were accepted', recovered.toFixed(1)],
    ['  seconds until no work was left', drained.toFixed(1)],
  );
}

/**
 * Uploads a file to view. A view must get the right bytes, 503 with Retry-After, or be visibly incomplete; other answers are
 * breaches.
 */
async function prepareView({ traffic, random, breaches }: LoadRun): Promise<() => Promise<string>> {
  const url = (await traffic.upload(await traffic.files.picture(random)))?.urls.original;
  if (url === undefined) throw new Error('The file for the viewers was not accepted');
  const { body: expected } = await open(url);
  if (!expected) throw new Error(`${url} can't be read`);
  return async () => {
    const outcome = await open(url);
    const { status, body } = outcome;
    if (status === 'done' && !body?.bytes.equals(expected.bytes))
      breaches.push(`A viewer of ${url} got other bytes`);
    if (typeof status === 'number' && !isTemporaryRefusal(outcome))
      breaches.push(`A viewer of ${url} was answered ${status}`);
    return String(status);
  };
}

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
  const file = await openFile(path, 'w');
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
