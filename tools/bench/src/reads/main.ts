import { join } from 'node:path';
import { type ServiceProcess, startService } from '@vitrine/testing';
import autocannon from 'autocannon';
import { createToken } from '../harness/admin-token';
import { alternate } from '../harness/alternate';
import { type BareServer, startBareServer } from '../harness/bare-server';
import { atLeast, type Figure, print, readOptions, report, runBenchmark } from '../harness/benchmark';
import { openScratchDatabases } from '../seed/scratch-databases';
import { SEEDED } from '../seed/seed-sql';
import { median } from '../statistics/statistics';

const POSTS = 10_000;
const CONNECTIONS = 32;
/** Connections of each server to the database; pg's own default. */
const POOL_SIZE = 10;
const MIN_RATIO = 0.7;
/** The number of different items that are requested in turn, so that the result isn't that of one row. */
const ITEMS = 200;

/**
 * npm run bench:reads [-- --rounds 7 --seconds 4 --server URL]. Compares one built api-gateway, which authenticates and
 * counts every request, with a bare Express server that makes one indexed query a request: 32 connections from this
 * process, alternating rounds, medians.
 */
async function main(): Promise<boolean> {
  const { rounds, seconds, server } = readOptions(
    { rounds: { default: 7, least: 1 }, seconds: { default: 4, least: 1 } },
    ['server'],
  );
  const databases = await openScratchDatabases(server, print);
  let service: ServiceProcess | undefined;
  let bare: BareServer | undefined;
  try {
    const url = await databases.seeded(POSTS);
    const token = await createToken(url, SEEDED.busyUser);
    bare = await startBareServer(join(__dirname, 'bare-server.js'), [url, String(POOL_SIZE)]);
    service = await startService('api-gateway', {
      env: {
        DATABASE_URL: url,
        DATABASE_POOL_SIZE: String(POOL_SIZE),
        RATE_LIMIT_USER_PER_MINUTE: '1000000',
      },
    });
    const bases = [bare.url, service.url];
    const figures: Figure[] = [];
    for (const [what, slug] of [
      ['media', SEEDED.mediaSlug],
      ['posts', SEEDED.postSlug],
    ] as const) {
      // None belongs to the busy user, whose token is used: owners see more fields.
      const paths = Array.from({ length: ITEMS }, (_, n) => `/api/v1/${what}/${slug(40 * n + 1 + (n % 2))}`);
      const measurements = bases.map((base) => () => measureRate(base, paths, token, seconds));
      const [bareRate = 0, ownRate = 0] = (await alternate(measurements, { rounds, warmUp: 1 })).map(median);
      const rates = ` (${ownRate.toFixed(0)} / ${bareRate.toFixed(0)} a second)`;
      figures.push(
        atLeast(`GET /${what}/<slug>, rate / bare server's`, ownRate / bareRate, MIN_RATIO, rates),
      );
    }
    return report(figures);
  } finally {
    bare?.stop();
    await service?.stop();
    await databases.stop();
  }
}

/** Requests a second. Throws when an answer isn't a success: refusals are quick and would look like speed. */
async function measureRate(
  base: string,
  paths: readonly string[],
  token: string,
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    duration: seconds,
    requests: paths.map((path) => ({ path, headers: { Authorization: `Bearer ${token}` } })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${base}: ${result.non2xx} answers without success, ${result.errors} errors`);
  }
  return result.requests.total / result.duration;
}

runBenchmark('reads', main);
