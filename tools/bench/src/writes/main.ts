import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { meanUsage, ProcessTree, shares, since, type Usage } from '../cost/process-tree';
import { alternate, timed } from '../harness/alternate';
import { atLeast, atMost, type Figure, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { HttpProbe } from '../harness/http-probe';
import { median, percentile } from '../statistics/statistics';
import { photograph } from '../upload/sample-files';
import { multipart, send } from '../upload/upload-client';
import { MAX_CLIENTS, OWNER, POSTS, slugOf, startWritingSite, type WritingSite } from './writing-site';

const UPLOAD_BYTES = 20_000;
const MIN_RATIO = 0.9;
const MIN_HOT_RATIO = 1;
const REST_WRITES = 20;
const REST_MS = 100;

type Rounds = Readonly<Record<'seconds' | 'rounds', number>>;

/** One kind of write: sends one and resolves with its success. `turn` counts the writes of the client. */
interface Writing {
  readonly what: string;
  write(client: number, turn: number): Promise<unknown>;
}

/**
 * npm run bench:writes [-- --seconds 1 --rounds 5 --standby-ms 3]. Writes a second of a built api-gateway and upload-service,
 * beside the same transactions without an event, without and with a synchronous standby; and the rates of one hot row.
 */
async function main(): Promise<boolean> {
  const options = readOptions({
    seconds: { default: 1, least: 1 },
    rounds: { default: 5, least: 1 },
    'standby-ms': { default: 3, least: 0 },
  });
  const site = await startWritingSite(options['standby-ms']);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CLIENTS });
  const probes = site.tokens.map(
    (token) => new HttpProbe(`${site.api.url}/api/v1`, { Authorization: `Bearer ${token}` }),
  );
  try {
    const bodies = await Promise.all(
      Array.from({ length: MAX_CLIENTS }, async () => multipart(await photograph(UPLOAD_BYTES))),
    );
    const target = { url: `${site.upload.url}/api/v1/media`, agent };
    /** No two clients write to the same post. */
    const postOf = (client: number, turn: number): string => slugOf((client + MAX_CLIENTS * turn) % POSTS);
    const [votes, comments, uploads, hotVotes, hotFollows]: readonly Writing[] = [
      {
        what: 'votes',
        write: (client, turn) => probes[client]!.send('POST', `/posts/${postOf(client, turn)}/upvote`),
      },
      {
        what: 'comments',
        write: (client, turn) =>
          probes[client]!.send('POST', `/posts/${postOf(client, turn)}/comments`, { content: `No. ${turn}` }),
      },
      {
        what: `uploads of ${UPLOAD_BYTES / 1000} KB`,
        write: (client) => send({ ...target, token: site.tokens[client]! }, bodies[client]!),
      },
      {
        what: 'votes on one post',
        write: (client) => probes[client]!.send('POST', `/posts/${slugOf(0)}/upvote`),
      },
      {
        what: 'follows of one account',
        write: (client, turn) =>
          probes[client]!.send(turn % 2 === 0 ? 'POST' : 'DELETE', `/users/${OWNER}/follow`),
      },
    ];
    const figures: Figure[] = [await measureAtRest(site, votes!)];
    for (const standby of [false, true]) {
      await site.waitForStandby(standby);
      const where = standby ? `, standby ${options['standby-ms']} ms away` : '';
      for (const writing of [votes!, comments!, uploads!]) {
        for (const clients of standby ? [MAX_CLIENTS] : [1, 16, MAX_CLIENTS]) {
          figures.push(await compare(site, writing, clients, options, where));
        }
      }
      figures.push(...(await compareHot(site, votes!, [hotVotes!, hotFollows!], options, where)));
    }
    return report(figures);
  } finally {
    for (const probe of probes) probe.close();
    agent.destroy();
    await site.stop();
  }
}

/** Compares the rates with and without events, in alternating rounds. Prints what a write costs. */
async function compare(
  site: WritingSite,
  writing: Writing,
  clients: number,
  { seconds, rounds }: Rounds,
  where: string,
): Promise<Figure> {
  const costs = new Map<boolean, Usage[]>([
    [true, []],
    [false, []],
  ]);
  const [withEvents = [], without = []] = await alternate(
    [true, false].map((add) => async () => {
      await site.addEvents(add);
      return measureRate(site, writing, clients, seconds, costs.get(add));
    }),
    { rounds, warmUp: 1 },
  );
  await site.addEvents(true);
  const what = `${writing.what}, ${of(clients)}${where}`;
  const [cost, bareCost] = [true, false].map((add) => meanUsage(costs.get(add)!));
  const total = `${cost!.get('all')!.toFixed(1)} / ${bareCost!.get('all')!.toFixed(1)} without events`;
  print(`${what}: ${shares(cost!, `ms of processor time for each, ${total}`)}`);
  const [own, bare] = [median(withEvents), median(without)];
  const rates = ` (${own.toFixed(0)} / ${bare.toFixed(0)} a second)`;
  return atLeast(`${what}: rate / without events`, own / bare, MIN_RATIO, rates);
}

/** Compares writes that change one row with those that change many, in alternating rounds. */
async function compareHot(
  site: WritingSite,
  spread: Writing,
  hot: readonly Writing[],
  { seconds, rounds }: Rounds,
  where: string,
): Promise<Figure[]> {
  const results = await alternate(
    [spread, ...hot].map((writing) => () => measureRate(site, writing, MAX_CLIENTS, seconds)),
    { rounds, warmUp: 1 },
  );
  const [usual = NaN, ...rates] = results.map(median);
  return hot.map(({ what }, at) =>
    atLeast(
      `${what}, ${of(MAX_CLIENTS)}${where}: rate / votes on many posts`,
      rates[at]! / usual,
      MIN_HOT_RATIO,
      ` (${rates[at]!.toFixed(0)} / ${usual.toFixed(0)} a second)`,
    ),
  );
}

/** Writes a second. Adds to `costs` the processor time of a write, with the publication of its event. */
async function measureRate(
  { published }: WritingSite,
  { write }: Writing,
  clients: number,
  seconds: number,
  costs: Usage[] = [],
): Promise<number> {
  const tree = new ProcessTree(process.pid);
  const before = tree.processorTime();
  let writes = 0;
  const took = await timed(async () => {
    const deadline = performance.now() + seconds * 1000;
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = 0; performance.now() < deadline; turn++, writes++) await write(client, turn);
      }),
    );
  });
  await published();
  costs.push(new Map([...since(before, tree.processorTime())].map(([name, ms]) => [name, ms / writes])));
  return (writes / took) * 1000;
}

/** The time from the answer of a single write to the publication of its event by another process. */
async function measureAtRest({ published }: WritingSite, { write }: Writing): Promise<Figure> {
  const times: number[] = [];
  for (let turn = 0; turn < REST_WRITES; turn++) {
    await write(0, turn);
    times.push(await timed(published));
    await pause(REST_MS);
  }
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  return atMost(
    'from an answer of api-gateway to its published event, at rest, 95th percentile',
    percentile(times, 0.95),
    100,
    milliseconds,
    ` (median ${milliseconds(median(times))})`,
  );
}

const of = (clients: number): string => `${clients} client${clients === 1 ? '' : 's'}`;

runBenchmark('writes', main);
