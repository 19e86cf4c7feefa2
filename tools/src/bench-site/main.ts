import { randomBytes, randomInt } from 'node:crypto';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { alternate } from '../bench-harness/alternate';
import { atMost, type Figure, print, readOptions, report, runBenchmark } from '../bench-harness/benchmark';
import { HttpProbe } from '../bench-harness/http-probe';
import { openScratchDatabases } from '../bench-seed/scratch-databases';
import { median, percentile } from '../statistics/statistics';
import { type PageWeight, measureWeight } from './page-weight';

const POSTS = 1000;
const CARDS = 30;
const MAX_RATIO = 1.5;
const MAX_BYTES = 60_000;
const MAX_SCRIPT_BYTES = 15_000;
const WARM_UP = 100;
const UNLIMITED = '1000000';
const AS_BROWSER = { 'Accept-Encoding': 'gzip, deflate, br' };
const SITE_KEY = 'the-key-of-the-website-only-in-benchmarks';

/** The request to the API that the feed page makes. */
const API_CALL = `/posts?limit=${CARDS}&page=1&nsfw=0`;

/**
 * npm run bench:site [-- --runs 5 --rounds 200 --server URL]. Compares the feed page of a built website, with thirty
 * cards, with the call of a built api-gateway that the page makes: one request at a time, alternating. The 95th
 * percentiles of each run are compared, and the median of the runs' ratios counts.
 */
async function main(): Promise<boolean> {
  const { runs, rounds, server } = readOptions(
    { runs: { default: 5, least: 1 }, rounds: { default: 200, least: 20 } },
    ['server'],
  );
  const databases = await openScratchDatabases(server, print);
  const services: ServiceProcess[] = [];
  try {
    const url = await databases.seeded(POSTS);
    await makeVarious(url);
    const api = await startService('api-gateway', {
      env: {
        DATABASE_URL: url,
        SITE_SERVICE_KEY: SITE_KEY,
        RATE_LIMIT_PUBLIC_PER_MINUTE: UNLIMITED,
        RATE_LIMIT_USER_PER_MINUTE: UNLIMITED,
      },
    });
    services.push(api);
    const base = `${api.url}/api/v1`;
    const site = await startService('website', {
      env: { SITE_API_URL: base, SITE_SERVICE_KEY: SITE_KEY },
    });
    services.push(site);
    const page = new HttpProbe(site.url, AS_BROWSER);
    const call = new HttpProbe(base, {
      ...AS_BROWSER,
      'X-Vitrine-Site-Key': SITE_KEY,
      'X-Vitrine-Visitor': '127.0.0.1',
    });
    try {
      await expectCards(page, call);
      return report([await compare(page, call, runs, rounds), ...sizes(await measureWeight(page, '/'))]);
    } finally {
      page.close();
      call.close();
    }
  } finally {
    for (const service of services.reverse()) await service.stop();
    await databases.stop();
  }
}

/** Gives media different shapes and placeholders: the seeded ones are all alike, which compresses too well. */
async function makeVarious(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; thumbhash: string }>(
      'select id, thumbhash from media order by id desc limit $1',
      [8 * CARDS],
    );
    for (const { id, thumbhash } of rows) {
      const header = Buffer.from(thumbhash, 'base64').subarray(0, 5);
      const various = Buffer.concat([header, randomBytes(16)]).toString('base64');
      await client.query('update media set thumbhash = $2, width = $3, height = $4 where id = $1', [
        id,
        various,
        randomInt(800, 5000),
        randomInt(800, 5000),
      ]);
    }
  } finally {
    await client.end();
  }
}

/** Throws unless the page and the API show the same posts. */
async function expectCards(page: HttpProbe, call: HttpProbe): Promise<void> {
  const { data } = JSON.parse((await call.get(API_CALL)).text) as { data: { slug: string }[] };
  const shown = [...(await page.get('/')).text.matchAll(/href="\/p\/([A-Za-z0-9]{7})"/g)].map(
    (match) => match[1],
  );
  const expected = data.map(({ slug }) => slug);
  if (expected.length !== CARDS || shown.join() !== expected.join()) {
    throw new Error(`The page shows ${shown.length} posts, the API ${expected.length}, and they differ.`);
  }
}

/** Prints each run, and returns the median of their ratios as a figure. */
async function compare(page: HttpProbe, call: HttpProbe, runs: number, rounds: number): Promise<Figure> {
  const measurements = [async () => (await page.get('/')).ms, async () => (await call.get(API_CALL)).ms];
  const ratios: number[] = [];
  for (let run = 1; run <= runs; run++) {
    const warmUp = run === 1 ? WARM_UP : 0;
    const [ofPage = [], ofCall = []] = await alternate(measurements, { rounds, warmUp });
    const show = (share: number): string =>
      [ofPage, ofCall].map((took) => percentile(took, share).toFixed(2)).join(' / ');
    const ratio = percentile(ofPage, 0.95) / percentile(ofCall, 0.95);
    ratios.push(ratio);
    print(
      `run ${run}: page / API call, p95 ${show(0.95)} ms: ${ratio.toFixed(2)}   (medians ${show(0.5)} ms)`,
    );
  }
  return atMost(`page / API call, p95, median of ${runs} runs`, median(ratios), MAX_RATIO);
}

/** Prints the sizes, and returns those that have a budget. */
function sizes({ html, css, js }: PageWeight): Figure[] {
  print(`compressed: HTML ${kilobytes(html)}, CSS ${kilobytes(css)}, JS ${kilobytes(js)}`);
  return [
    atMost('HTML + CSS + JS', html + css + js, MAX_BYTES, kilobytes),
    atMost('JS', js, MAX_SCRIPT_BYTES, kilobytes),
  ];
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

runBenchmark('site', main);
