import { randomBytes, randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { Client } from 'pg';
import { openScratchDatabases } from '../bench-seed/scratch-databases';
import { BrowserProbe } from './browser-probe';
import { type PageWeight, weigh } from './page-weight';

const USAGE = 'npm run bench:site [-- --runs 5 --rounds 200 --server URL]';

const POSTS = 1000;
const CARDS = 30;
const MOST_TIMES = 1.5;
const MOST_BYTES = 60_000;
const MOST_SCRIPT_BYTES = 15_000;
const WARM_UP = 100;
const UNLIMITED = '1000000';
const SITE_KEY = 'the-key-of-the-website-in-benchmarks-alone';

/** What the feed page asks the API for. */
const API_CALL = `/posts?limit=${CARDS}&page=1&nsfw=0`;

/**
 * npm run bench:site. A built website on a built api-gateway: its feed page of thirty cards against the very call of
 * the API that it makes, one request at a time and in turns, so that a neighbour's load falls on both. The 95th
 * percentiles of each run are compared; of the runs' ratios the median counts.
 */
async function main(): Promise<void> {
  const { runs, rounds, server } = readOptions(process.argv.slice(2));
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
    const page = new BrowserProbe(site.url);
    const call = new BrowserProbe(base, { 'X-Vitrine-Site-Key': SITE_KEY, 'X-Vitrine-Visitor': '127.0.0.1' });
    try {
      await expectCards(page, call);
      const fast = await compare(page, call, runs, rounds);
      const light = report(await weigh(page, '/'));
      if (!fast || !light) process.exitCode = 1;
    } finally {
      page.close();
      call.close();
    }
  } finally {
    for (const service of services.reverse()) await service.stop();
    await databases.stop();
  }
}

/** Seeded media are all alike, which compresses too well: these get shapes and placeholders of their own. */
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

/** That both show the same posts; else nothing is compared. */
async function expectCards(page: BrowserProbe, call: BrowserProbe): Promise<void> {
  const { data } = JSON.parse((await call.get(API_CALL)).text) as { data: { slug: string }[] };
  const shown = [...(await page.get('/')).text.matchAll(/href="\/p\/([A-Za-z0-9]{7})"/g)].map(
    (match) => match[1],
  );
  const expected = data.map(({ slug }) => slug);
  if (expected.length !== CARDS || shown.join() !== expected.join()) {
    throw new Error(`The page shows ${shown.length} posts, the API ${expected.length}, and not the same.`);
  }
}

/** Prints each run, and returns whether the median of their ratios is within the target. */
async function compare(
  page: BrowserProbe,
  call: BrowserProbe,
  runs: number,
  rounds: number,
): Promise<boolean> {
  for (let round = 0; round < WARM_UP; round++) {
    await page.get('/');
    await call.get(API_CALL);
  }
  const ratios: number[] = [];
  for (let run = 1; run <= runs; run++) {
    const times = { page: [] as number[], call: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const ask = {
        page: async () => times.page.push((await page.get('/')).ms),
        call: async () => times.call.push((await call.get(API_CALL)).ms),
      };
      for (const subject of round % 2 === 0 ? (['page', 'call'] as const) : (['call', 'page'] as const)) {
        await ask[subject]();
      }
    }
    const [of, to] = [percentile(times.call, 0.95), percentile(times.page, 0.95)];
    const medians = `medians ${percentile(times.page, 0.5).toFixed(2)} / ${percentile(times.call, 0.5).toFixed(2)} ms`;
    ratios.push(to / of);
    print(
      `run ${run}: page / API call, p95 ${to.toFixed(2)} / ${of.toFixed(2)} ms: ${(to / of).toFixed(2)}   (${medians})`,
    );
  }
  const ratio = percentile(ratios, 0.5);
  const met = ratio <= MOST_TIMES;
  print(`median of ${runs} runs: ${ratio.toFixed(2)}   target at most ${MOST_TIMES}   ${verdict(met)}`);
  return met;
}

/** Prints the bytes, and returns whether they are within the budget. */
function report({ html, css, js }: PageWeight): boolean {
  const total = html + css + js;
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
  print(`compressed: HTML ${kilobytes(html)}, CSS ${kilobytes(css)}, JS ${kilobytes(js)}`);
  print(
    `HTML + CSS + JS: ${kilobytes(total)}   target at most ${kilobytes(MOST_BYTES)}   ${verdict(total <= MOST_BYTES)}`,
  );
  print(
    `JS: ${kilobytes(js)}   target at most ${kilobytes(MOST_SCRIPT_BYTES)}   ${verdict(js <= MOST_SCRIPT_BYTES)}`,
  );
  return total <= MOST_BYTES && js <= MOST_SCRIPT_BYTES;
}

const verdict = (met: boolean): string => (met ? 'met' : 'MISSED');

function readOptions(args: string[]): { runs: number; rounds: number; server: string | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '200' },
      server: { type: 'string' },
    },
  });
  const [runs, rounds] = [Number(values.runs), Number(values.rounds)];
  if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(rounds) || rounds < 20) throw new Error(USAGE);
  return { runs, rounds, server: values.server };
}

/** The smallest value that `share` of them don't exceed. */
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`bench:site failed: ${error.message}\n`);
  process.exitCode = 1;
});
