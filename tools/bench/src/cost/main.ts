import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
import { mean, shares, since, type Usage } from './process-tree';
import { RunningStack } from './running-stack';
import { Uploader } from './uploader';

const CONCURRENT = 50;
const CONCURRENT_BYTES = 200_000;
const ROUNDS = 5;
const SAMPLE_SECONDS = 5;

/**
 * npm run bench:cost. Starts Vitrine with `npm start` and an empty data folder, and measures what it costs: the processor
 * time of uploads until they are processed and moderated, of all processes and PostgreSQL, beside what sharp alone takes
 * for the same pictures; and memory and processor time without work.
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
const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

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

async function uploads(stack: RunningStack, pictures: number, photographs: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const uploader = await Uploader.create(stack);
  const floor = fork(join(__dirname, 'floor.js'));
  const floorOf = async (files: readonly Uint8Array[]): Promise<number> => {
    const took: number[] = [];
    for (const [index, file] of files.entries()) {
      const path = join(folder, `floor-${index}.jpg`);
      await writeFile(path, file);
      floor.send(path);
      const [result] = (await once(floor, 'message')) as [number];
      took.push(result);
    }
    return median(took);
  };
  /** Milliseconds of processor time and of time for each file until all are processed and moderated. */
  const cost = async (
    what: string,
    files: readonly Uint8Array[],
    atOnce: number,
  ): Promise<[number, number]> => {
    const before = stack.tree.processorTime();
    const took = await timed(() => uploader.live(files, atOnce));
    const used = since(before, stack.tree.processorTime());
    print(`${what}: ${shares(used, 'ms of processor time for each', files.length)}`);
    return [all(used) / files.length, took / files.length];
  };
  try {
    print('Making pictures …');
    const small = await makePictures(2 * pictures, 640, 480, 1);
    const large = await makePictures(photographs + 2, 4000, 3000, 1001);
    print(`small pictures have ${median(small.map(({ length }) => length / 1024)).toFixed(0)} KiB`);
    // Compiles code and fills pools; classifier and decoders start.
    await uploader.live([...(await makePictures(20, 640, 480, 2001)), ...large.slice(0, 2)], 4);
    const [smallCost] = await cost('small pictures, one after the other', small.slice(0, pictures), 1);
    const smallFloor = await floorOf(small.slice(0, pictures));
    const [, smallTime] = await cost('small pictures, eight at a time', small.slice(pictures), 8);
    const [largeCost] = await cost('photographs of 12 megapixels', large.slice(2), 1);
    const largeFloor = await floorOf(large.slice(2));
    const ratio = (own: number, lowest: number): string => ` (${own.toFixed(0)} / ${lowest.toFixed(0)} ms)`;
    return [
      atMost(
        'processor time of a small picture, all processes',
        smallCost,
        80,
        milliseconds,
        ` (floor ${smallFloor.toFixed(0)} ms)`,
      ),
      atMost(
        'photograph of 12 megapixels / floor',
        largeCost / largeFloor,
        1.5,
        undefined,
        ratio(largeCost, largeFloor),
      ),
      atLeastRate('small pictures to processed and moderated', 1000 / smallTime, 18),
      await manyAtOnce(uploader, folder, stack),
    ];
  } finally {
    floor.disconnect();
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
      `${CONCURRENT} uploads at once until the last answer: ${shares(mean(costs), 'ms of processor time for each', CONCURRENT)}`,
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

const atLeastRate = (what: string, rate: number, least: number): Figure => ({
  what,
  measured: `${rate.toFixed(1)}/s`,
  target: `≥ ${least}/s`,
  met: rate >= least,
});

runBenchmark('cost', main);
