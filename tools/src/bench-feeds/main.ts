import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { openScratchDatabases } from '../bench-seed/scratch-databases';
import { SEEDED } from '../bench-seed/seed-sql';
import { feedCases, type FeedCase } from './feed-cases';
import { HttpProbe } from './http-probe';

const USAGE = 'npm run bench:feeds [-- --posts 1000000 --rounds 300 --server URL]';

/** The size that everything is compared with. */
const SMALL = 1000;
const MOST_TIMES = 1.5;
const WARM_UP = 30;
const run = promisify(execFile);

interface Site {
  readonly posts: number;
  /** What everyone finds at first. */
  readonly totals: Readonly<Record<'posts' | 'media', number>>;
  readonly probe: HttpProbe;
  readonly database: Client;
  readonly service: ServiceProcess;
}

/** One thing to time: sends one request and says how long its answer took. */
interface Subject {
  readonly what: string;
  time(site: Site, round: number): Promise<number>;
}

/**
 * npm run bench:feeds. Two built api-gateways on one PostgreSQL, one with a thousand posts and one with a million;
 * their requests take turns, so that a neighbour's load falls on both, and their 95th percentiles are compared.
 */
async function main(): Promise<void> {
  const { posts, rounds, server } = readOptions(process.argv.slice(2));
  const databases = await openScratchDatabases(server, print);
  const sites: Site[] = [];
  try {
    for (const size of [SMALL, posts]) sites.push(await open(await databases.seeded(size), size));
    const cases = [...feedCases('posts'), ...feedCases('media')];
    let exact = await expectExact(sites, cases);
    const met = await compare(sites, [...cases.map(reading), ...WRITES], rounds);
    exact = (await expectExact(sites, cases)) && exact;
    print(
      exact ? 'meta.total was count(*) in every feed, before and after the writes.' : 'meta.total DIFFERED.',
    );
    if (!met || !exact) process.exitCode = 1;
  } finally {
    for (const { probe, database, service } of sites) {
      probe.close();
      await database.end();
      await service.stop();
    }
    await databases.stop();
  }
}

async function open(url: string, posts: number): Promise<Site> {
  const admin = join(__dirname, '../admin/main.js');
  // The tool gets this database and nothing of the caller's settings.
  // eslint-disable-next-line no-restricted-properties
  const env = { PATH: process.env['PATH'], DATABASE_URL: url };
  const { stdout } = await run(process.execPath, [admin, 'token', SEEDED.busyUser], { env });
  const service = await startService('api-gateway', {
    env: { DATABASE_URL: url, RATE_LIMIT_USER_PER_MINUTE: '1000000' },
  });
  const database = new Client({ connectionString: url });
  await database.connect();
  const probe = new HttpProbe(`${service.url}/api/v1`, stdout.trim().split('\n').at(-1)!);
  const totals = { posts: await totalAt(probe, '/posts'), media: await totalAt(probe, '/media') };
  return { posts, totals, service, database, probe };
}

async function totalAt(probe: HttpProbe, path: string): Promise<number> {
  const { body } = await probe.send('GET', path);
  return (JSON.parse(body) as { meta: { total: number } }).meta.total;
}

const reading = ({ what, items, path }: FeedCase): Subject => ({
  what,
  time: async ({ probe, totals }, round) => (await probe.send('GET', path(round, totals[items]))).ms,
});

/** The busy user's posts serve in turn; a round's own, so that no two requests meet at one row. */
const turn = ({ posts }: Site, round: number): number =>
  SEEDED.busyPost(1 + (round % Math.floor(posts / 20)));

const WRITES: readonly Subject[] = [
  {
    what: 'creating a post',
    time: async (site, round) => {
      const post = turn(site, round);
      const media_ids = [2 * post - 1, 2 * post];
      return (await site.probe.send('POST', '/posts', { media_ids, title: `Made in round ${round}` })).ms;
    },
  },
  {
    what: 'voting',
    time: async (site, round) =>
      (await site.probe.send('POST', `/posts/${SEEDED.postSlug(turn(site, round))}/upvote`)).ms,
  },
  {
    what: 'changing visibility',
    time: async (site, round) => {
      const path = `/posts/${SEEDED.postSlug(turn(site, round))}`;
      const { ms } = await site.probe.send('PATCH', path, { visibility: 'hidden' });
      const back = await site.probe.send('PATCH', path, { visibility: 'public' });
      return (ms + back.ms) / 2;
    },
  },
];

/** Prints the table, and returns whether every line is within the target. */
async function compare(
  sites: readonly Site[],
  subjects: readonly Subject[],
  rounds: number,
): Promise<boolean> {
  const [small, large] = sites as [Site, Site];
  const times = subjects.map(() => ({ small: [] as number[], large: [] as number[] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) {
      const order = round % 2 === 0 ? ([small, large] as const) : ([large, small] as const);
      for (const site of order) {
        const ms = await subject.time(site, round + WARM_UP);
        if (round >= 0) times[index]![site === small ? 'small' : 'large'].push(ms);
      }
    }
  }
  const count = (posts: number): string => posts.toLocaleString('en');
  print(
    `${'p95 in ms'.padEnd(34)} ${count(small.posts).padStart(10)} ${count(large.posts).padStart(10)}  ratio`,
  );
  let met = true;
  for (const [index, { what }] of subjects.entries()) {
    const [of, to] = [percentile(times[index]!.small), percentile(times[index]!.large)];
    const ratio = to / of;
    met &&= ratio <= MOST_TIMES;
    print(
      `${what.padEnd(34)} ${of.toFixed(2).padStart(10)} ${to.toFixed(2).padStart(10)} ${ratio.toFixed(2).padStart(6)}  ${ratio <= MOST_TIMES ? 'met' : 'MISSED'}`,
    );
  }
  print(`Target: at most ${MOST_TIMES} times. ${rounds} rounds.`);
  return met;
}

/** Whether `meta.total` of each feed is what counting its items gives. */
async function expectExact(sites: readonly Site[], cases: readonly FeedCase[]): Promise<boolean> {
  let exact = true;
  for (const { probe, database, posts, totals } of sites) {
    for (const { what, items, path, count } of cases) {
      const total = await totalAt(probe, path(1, totals[items]));
      const { rows } = await database.query<{ count: string }>(count);
      if (total === Number(rows[0]?.count)) continue;
      print(`${what}, of ${posts} posts: meta.total is ${total}, count(*) ${rows[0]?.count}`);
      exact = false;
    }
  }
  return exact;
}

function readOptions(args: string[]): { posts: number; rounds: number; server: string | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      posts: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '300' },
      server: { type: 'string' },
    },
  });
  const [posts, rounds] = [Number(values.posts), Number(values.rounds)];
  if (!Number.isInteger(posts) || posts < SMALL || !Number.isInteger(rounds) || rounds < 20) {
    throw new Error(USAGE);
  }
  return { posts, rounds, server: values.server };
}

/** The 95th. */
const percentile = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`bench:feeds failed: ${error.message}\n`);
  process.exitCode = 1;
});
