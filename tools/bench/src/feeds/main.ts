import { type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { createToken } from '../harness/admin-token';
import { alternate } from '../harness/alternate';
import { atMost, print, readOptions, report, runBenchmark, times } from '../harness/benchmark';
import { HttpProbe } from '../harness/http-probe';
import { openScratchDatabases } from '../seed/scratch-databases';
import { SEEDED } from '../seed/seed-sql';
import { percentile } from '../statistics/statistics';
import { DISCOVERY, feedCases, type FeedCase } from './feed-cases';

/** The number of posts that the larger site is compared with. */
const SMALL = 1000;
const MAX_RATIO = 1.5;
const WARM_UP = 30;

interface Site {
  readonly posts: number;
  /** `meta.total` of all posts and of all media before the measurements. */
  readonly totals: Readonly<Record<'posts' | 'media', number>>;
  readonly probe: HttpProbe;
  readonly database: Client;
  readonly service: ServiceProcess;
}

/** One kind of request to measure: sends it and returns the milliseconds until its answer. */
interface Subject {
  readonly what: string;
  /** The subject with which it is compared on the larger site. */
  readonly latest?: string | undefined;
  time(site: Site, round: number): Promise<number>;
}

/**
 * npm run bench:feeds [-- --posts 1000000 --rounds 300 --server URL]. Two built api-gateways on one PostgreSQL, one with
 * a thousand posts and one with a million. Their requests alternate, and their 95th percentiles are compared.
 */
async function main(): Promise<boolean> {
  const { posts, rounds, server } = readOptions(
    { posts: { default: 1_000_000, least: SMALL }, rounds: { default: 300, least: 2 } },
    ['server'],
  );
  const databases = await openScratchDatabases(server, print);
  const sites: Site[] = [];
  try {
    const small = await open(await databases.seeded(SMALL), SMALL);
    sites.push(small);
    const large = await open(await databases.seeded(posts), posts);
    sites.push(large);
    const cases = [...feedCases('posts'), ...feedCases('media')];
    const exactBefore = await checkTotals(sites, cases);
    const met = await compare(small, large, [...cases.map(reading), ...WRITES], rounds);
    await printDiscovery(sites, rounds);
    const exact = (await checkTotals(sites, cases)) && exactBefore;
    print(
      exact
        ? 'meta.total was count(*) in every feed, before and after the writes.'
        : 'meta.total was not count(*) in every feed.',
    );
    return met && exact;
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
  const token = await createToken(url, SEEDED.busyUser);
  const service = await startService('api-gateway', {
    env: { DATABASE_URL: url, RATE_LIMIT_USER_PER_MINUTE: '1000000' },
  });
  const database = new Client({ connectionString: url });
  await database.connect();
  const probe = new HttpProbe(`${service.url}/api/v1`, { Authorization: `Bearer ${token}` });
  const totals = { posts: await totalOf(probe, '/posts'), media: await totalOf(probe, '/media') };
  return { posts, totals, service, database, probe };
}

async function totalOf(probe: HttpProbe, path: string): Promise<number> {
  const { text } = await probe.get(path);
  return (JSON.parse(text) as { meta: { total: number } }).meta.total;
}

const reading = ({ what, items, path, latest }: FeedCase): Subject => ({
  what,
  latest,
  time: async ({ probe, totals }, round) => (await probe.get(path(round, totals[items]))).ms,
});

/** A post of the busy user, a different one in each round, so that no two requests change the same row. */
const postOfRound = ({ posts }: Site, round: number): number =>
  SEEDED.busyPost(1 + (round % Math.floor(posts / 20)));

const WRITES: readonly Subject[] = [
  {
    what: 'creating a post',
    time: async (site, round) => {
      const post = postOfRound(site, round);
      const media_ids = [2 * post - 1, 2 * post];
      return (await site.probe.send('POST', '/posts', { media_ids, title: `Made in round ${round}` })).ms;
    },
  },
  {
    what: 'voting',
    time: async (site, round) =>
      (await site.probe.send('POST', `/posts/${SEEDED.postSlug(postOfRound(site, round))}/upvote`)).ms,
  },
  {
    what: 'changing visibility',
    time: async (site, round) => {
      const path = `/posts/${SEEDED.postSlug(postOfRound(site, round))}`;
      const { ms } = await site.probe.send('PATCH', path, { visibility: 'hidden' });
      const back = await site.probe.send('PATCH', path, { visibility: 'public' });
      return (ms + back.ms) / 2;
    },
  },
];

/** Prints the table and returns whether every line is within the target. */
async function compare(
  small: Site,
  large: Site,
  subjects: readonly Subject[],
  rounds: number,
): Promise<boolean> {
  const measurements = subjects.flatMap(({ time }) =>
    [small, large].map((site) => (round: number) => time(site, round)),
  );
  const results = await alternate(measurements, { rounds, warmUp: WARM_UP });
  for (const [index, { what, latest }] of subjects.entries()) {
    const other = subjects.findIndex((subject) => subject.what === latest);
    if (other < 0) continue;
    const ratio = p95(results[2 * index + 1]) / p95(results[2 * other + 1]);
    print(`${what}: ${times(ratio)} ${latest}, both with ${count(large)} posts`);
  }
  print(`p95 with ${count(large)} posts / p95 with ${count(small)}, ${rounds} rounds`);
  return report(
    subjects.map(({ what }, index) => {
      const [of, to] = [p95(results[2 * index]), p95(results[2 * index + 1])];
      return atMost(what, to / of, MAX_RATIO, times, ` (${to.toFixed(2)} / ${of.toFixed(2)} ms)`);
    }),
  );
}

/** Prints the times of the requests that have no target. */
async function printDiscovery(sites: readonly Site[], rounds: number): Promise<void> {
  const measurements = DISCOVERY.flatMap(({ path }) =>
    sites.map(
      ({ probe }) =>
        async () =>
          (await probe.get(path)).ms,
    ),
  );
  const results = await alternate(measurements, { rounds, warmUp: WARM_UP });
  for (const [index, { what }] of DISCOVERY.entries()) {
    const [few, many] = [p95(results[2 * index]), p95(results[2 * index + 1])];
    print(
      `${what}: ${many.toFixed(1)} ms with ${count(sites[1]!)} posts, ${few.toFixed(1)} ms with ${count(sites[0]!)}`,
    );
  }
}

/** Prints each feed whose `meta.total` isn't the number of its items. Returns whether there is none. */
async function checkTotals(sites: readonly Site[], cases: readonly FeedCase[]): Promise<boolean> {
  let exact = true;
  for (const { probe, database, posts, totals } of sites) {
    for (const { what, items, path, count } of cases) {
      const total = await totalOf(probe, path(1, totals[items]));
      const { rows } = await database.query<{ count: string }>(count);
      if (total === Number(rows[0]?.count)) continue;
      print(`${what}, of ${posts} posts: meta.total is ${total}, count(*) ${rows[0]?.count}`);
      exact = false;
    }
  }
  return exact;
}

const count = ({ posts }: Site): string => posts.toLocaleString('en');
const p95 = (values: readonly number[] = []): number => percentile(values, 0.95);

runBenchmark('feeds', main);
