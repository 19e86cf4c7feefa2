import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { alternate, timed } from '../harness/alternate';
import { startBareServer } from '../harness/bare-server';
import { atLeast, atMost, type Figure, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { photograph } from '../harness/photograph';
import { photograph as cameraFile } from '../upload/sample-files';
import { multipart, sendAll } from '../upload/upload-client';
import { median } from '../statistics/statistics';
import { meanUsage, ProcessTree, shares, since, type Usage } from './process-tree';
import { RunningStack } from './running-stack';
import { sendSome, Uploader } from './uploader';

const CONCURRENT = 50;
const CONCURRENT_BYTES = 200_000;
const ROUNDS = 5;
const SAMPLE_SECONDS = 5;
/** The files of a comparison are sent in this number of parts, each to both servers. */
const PARTS = 3;

/**
 * npm run bench:cost. Starts Vitrine with `npm start` and an empty data folder, and measures what it costs: the processor
 * time of uploads until they are processed and moderated, of all processes and PostgreSQL, beside a plain server with the
 * same pictures; and memory and processor time without work.
 */
async function main(): Promise<boolean> {
  const options = readOptions({
    pictures: { default: 60, least: 1 },
    photographs: { default: 10, least: 1 },
    'idle-seconds': { default: 60, least: 5 },
    // Children without work are ended before.
    'rest-seconds': { default: 60, least: 0 },
  });
  const stack = await RunningStack.start();
  try {
    const figures = [atMost('npm start on a built tree', stack.startMs / 1000, 6, seconds)];
    figures.push(...(await idle(stack, options['rest-seconds'], options['idle-seconds'])));
    figures.push(...(await uploads(stack, options.pictures, options.photographs)));
    await pause(options['rest-seconds'] * 1000);
    figures.push(atMostMemory(`${options['rest-seconds']} s after the uploads`, stack.tree.memory(), 400));
    return report(figures);
  } finally {
    await stack.stop();
  }
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;

async function idle(stack: RunningStack, restSeconds: number, idleSeconds: number): Promise<Figure[]> {
  print(`Waiting ${restSeconds} s until nothing works any more, then measuring for ${idleSeconds} s …`);
  let most = stack.tree.memory();
  for (let waited = 0; waited < restSeconds; waited += SAMPLE_SECONDS) {
    await pause(Math.min(SAMPLE_SECONDS, restSeconds - waited) * 1000);
    const now = stack.tree.memory();
    if (all(now) > all(most)) most = now;
  }
  const before = stack.tree.processorTime();
  await pause(idleSeconds * 1000);
  const used = since(before, stack.tree.processorTime());
  // Milliseconds for ten seconds are tenths of a percent.
  print(`idle processor: ${shares(used, '% of a core', idleSeconds * 10)}`);
  const percent = (value: number): string => `${value.toFixed(1)} %`;
  return [
    atMost('processor without work, all processes, of one core', all(used) / (idleSeconds * 10), 1, percent),
    atMostMemory(`in the first ${restSeconds} s, at most`, most, 450),
  ];
}

function atMostMemory(when: string, memory: Usage, limit: number): Figure {
  print(`memory ${when}: ${shares(memory, 'MiB')}`);
  return atMost(
    `memory (PSS) ${when}, all processes`,
    all(memory),
    limit,
    (value) => `${value.toFixed(0)} MiB`,
  );
}

/** What files cost until all are processed and moderated: milliseconds of processor time, and of time, for each. */
interface Cost {
  readonly processor: number;
  /** Of `processor`, what the classifier takes. */
  readonly classifier: number;
  readonly time: number;
}

async function uploads(stack: RunningStack, pictures: number, photographs: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const uploader = await Uploader.create(stack);
  const plain = await startBareServer(join(__dirname, 'plain-server.js'), [join(folder, 'plain')]);
  const plainTree = new ProcessTree(plain.pid);
  const plainly = (files: readonly Uint8Array[], atOnce: number): Promise<void> =>
    sendSome({ ...uploader.target, url: `${plain.url}/` }, files, atOnce);
  const costOf = async (
    {
      name,
      tree,
      work,
    }: { readonly name: string; readonly tree: ProcessTree; readonly work: typeof plainly },
    files: readonly Uint8Array[],
    atOnce: number,
  ): Promise<Cost> => {
    const before = tree.processorTime();
    const took = await timed(() => work(files, atOnce));
    const used = since(before, tree.processorTime());
    print(
      `${name}, ${files.length} files, ${atOnce} at a time: ${shares(used, 'ms of processor time for each', files.length)}`,
    );
    const each = (group: string): number => (used.get(group) ?? 0) / files.length;
    return { processor: each('all'), classifier: each('classifier'), time: took / files.length };
  };
  /** Vitrine and the plain server with the same number of files, in turn, because the machine's speed changes. */
  const compare = async (files: readonly Uint8Array[], atOnce: number): Promise<[Cost, Cost]> => {
    const own = {
      name: 'Vitrine',
      tree: stack.tree,
      work: (some: typeof files) => uploader.live(some, atOnce),
    };
    const other = { name: 'plain server', tree: plainTree, work: plainly };
    const part = Math.ceil(files.length / PARTS);
    const costs: [Cost, Cost][] = [];
    for (let from = 0; from < files.length; from += part) {
      const some = files.slice(from, from + part);
      costs.push([await costOf(own, some, atOnce), await costOf(other, some, atOnce)]);
    }
    const medianOf = (which: 0 | 1): Cost => ({
      processor: median(costs.map((each) => each[which].processor)),
      classifier: median(costs.map((each) => each[which].classifier)),
      time: median(costs.map((each) => each[which].time)),
    });
    return [medianOf(0), medianOf(1)];
  };
  try {
    print('Making pictures …');
    const small = await makePictures(3 * pictures, 640, 480, 1);
    const large = await makePictures(photographs + 2, 4000, 3000, 1001);
    print(`small pictures have ${median(small.map(({ length }) => length / 1024)).toFixed(0)} KiB`);
    // Compiles code and fills pools; classifier and decoders start.
    const warmUp = [...(await makePictures(20, 640, 480, 2001)), ...large.slice(0, 2)];
    await uploader.live(warmUp, 4);
    await plainly(warmUp, 4);
    const [smallOwn, smallPlain] = await compare(small.slice(0, pictures), 1);
    const [manyOwn, manyPlain] = await compare(small.slice(pictures, 2 * pictures), 8);
    const [largeOwn, largePlain] = await compare(large.slice(2), 1);
    const counted = small.slice(2 * pictures);
    const statements = await stack.countStatements(() => uploader.live(counted, 1));
    const ratio = (own: number, other: number, unit: string): string =>
      ` (${own.toFixed(0)} / ${other.toFixed(0)} ${unit})`;
    const withoutClassifier = smallOwn.processor - smallOwn.classifier;
    return [
      atMost(
        'processor time of a small picture / plain server',
        smallOwn.processor / smallPlain.processor,
        2.1,
        undefined,
        ratio(smallOwn.processor, smallPlain.processor, 'ms'),
      ),
      atMost(
        'the same without the classifier',
        withoutClassifier / smallPlain.processor,
        1.6,
        undefined,
        ratio(withoutClassifier, smallPlain.processor, 'ms'),
      ),
      atMost(
        'processor time of a photograph / plain server',
        largeOwn.processor / largePlain.processor,
        1,
        undefined,
        ratio(largeOwn.processor, largePlain.processor, 'ms'),
      ),
      atLeast(
        'small pictures, eight at a time, rate / plain server',
        manyPlain.time / manyOwn.time,
        0.6,
        ratio(1000 / manyOwn.time, 1000 / manyPlain.time, 'a second'),
      ),
      atMost('SQL statements for a small picture', statements / counted.length, 50, (count) =>
        count.toFixed(1),
      ),
      await manyAtOnce(uploader, folder, stack),
    ];
  } finally {
    plain.stop();
    await uploader.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const makePictures = (count: number, width: number, height: number, seed: number): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) =>
      (await photograph(width, height, seed + index)).jpeg({ quality: 87 }).toBuffer(),
    ),
  );

/**
 * Uploads at the same time until all are answered, compared with a server that only hashes and writes. Vitrine processes
 * the first of them while it answers the others; what that costs until the last answer is printed.
 */
async function manyAtOnce(uploader: Uploader, folder: string, { tree }: RunningStack): Promise<Figure> {
  const bare = await startBareServer(join(__dirname, '../upload/bare-server.js'), [folder]);
  try {
    const { agent, token } = uploader;
    const makeBodies = (): Promise<Buffer[]> =>
      Promise.all(
        Array.from({ length: CONCURRENT }, async () => multipart(await cameraFile(CONCURRENT_BYTES))),
      );
    const costs: Usage[] = [];
    const measurements = [
      async () => sendAll({ url: `${bare.url}/`, token, agent }, await makeBodies()),
      async () => {
        const bodies = await makeBodies();
        const before = tree.processorTime();
        const took = await sendAll(uploader.target, bodies);
        costs.push(since(before, tree.processorTime()));
        await uploader.settled();
        return took;
      },
    ];
    const results = await alternate(measurements, { rounds: ROUNDS, warmUp: 1 });
    print(
      `${CONCURRENT} uploads at once until the last answer: ${shares(meanUsage(costs), 'ms of processor time for each', CONCURRENT)}`,
    );
    const [bareRate = 0, ownRate = 0] = results.map((took) => (CONCURRENT / median(took)) * 1000);
    return atLeast(
      `${CONCURRENT} uploads of ${CONCURRENT_BYTES / 1000} KB at once, rate / bare server's`,
      ownRate / bareRate,
      0.35,
      ` (${ownRate.toFixed(0)} / ${bareRate.toFixed(0)} a second)`,
    );
  } finally {
    bare.stop();
  }
}

const all = (usage: ReadonlyMap<string, number>): number => usage.get('all') ?? 0;

runBenchmark('cost', main);
