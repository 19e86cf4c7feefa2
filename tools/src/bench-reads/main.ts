import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { type ServiceProcess, startService } from '@vitrine/testing';
import autocannon from 'autocannon';
import { openScratchDatabases } from '../bench-seed/scratch-databases';
import { SEEDED } from '../bench-seed/seed-sql';

const USAGE = 'npm run bench:reads [-- --rounds 7 --seconds 4 --server URL]';

const POSTS = 10_000;
const CONNECTIONS = 32;
/** Of either server; pg's own default. */
const POOL_SIZE = 10;
const LEAST_PART = 0.7;
/** Things asked for in turn, so that no one row is all there is. */
const ASKED = 200;
const run = promisify(execFile);

/**
 * npm run bench:reads. One built api-gateway, which authenticates and counts every request, beside a bare Express
 * server on pg with one indexed query a request; 32 connections from this process, rounds in turn, medians.
 */
async function main(): Promise<void> {
  const { rounds, seconds, server } = readOptions(process.argv.slice(2));
  const databases = await openScratchDatabases(server, print);
  let service: ServiceProcess | undefined;
  let bare: ReturnType<typeof fork> | undefined;
  try {
    const url = await databases.seeded(POSTS);
    const token = await createToken(url);
    bare = fork(join(__dirname, 'bare-server.js'), [url, String(POOL_SIZE)]);
    const [address] = (await once(bare, 'message')) as [AddressInfo];
    service = await startService('api-gateway', {
      env: {
        DATABASE_URL: url,
        DATABASE_POOL_SIZE: String(POOL_SIZE),
        RATE_LIMIT_USER_PER_MINUTE: '1000000',
      },
    });
    const ours = service.url;
    const theirs = `http://127.0.0.1:${address.port}`;
    for (const [what, slug] of [
      ['media', SEEDED.mediaSlug],
      ['posts', SEEDED.postSlug],
    ] as const) {
      // None of the busy user's, who asks: an owner is shown more.
      const paths = Array.from({ length: ASKED }, (_, n) => `/api/v1/${what}/${slug(40 * n + 1 + (n % 2))}`);
      const rates = { ours: [] as number[], theirs: [] as number[] };
      for (let round = -1; round < rounds; round++) {
        for (const [base, list] of [
          [theirs, rates.theirs],
          [ours, rates.ours],
        ] as const) {
          const rate = await measure(base, paths, token, seconds);
          if (round >= 0) list.push(rate);
        }
      }
      const [our, their] = [median(rates.ours), median(rates.theirs)];
      const met = our >= LEAST_PART * their;
      print(
        `GET /${what}/<slug>   ${our.toFixed(0)}/s, the bare server ${their.toFixed(0)}/s: ${(our / their).toFixed(2)}   target at least ${LEAST_PART}   ${met ? 'met' : 'MISSED'}`,
      );
      if (!met) process.exitCode = 1;
    }
  } finally {
    bare?.disconnect();
    await service?.stop();
    await databases.stop();
  }
}

/** Requests a second. Throws where any isn't answered 200: a refusal is quick, and would pass for speed. */
async function measure(
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
    throw new Error(`${base}: ${result.non2xx} answers other than 200, ${result.errors} errors`);
  }
  return result.requests.total / result.duration;
}

async function createToken(url: string): Promise<string> {
  const admin = join(__dirname, '../admin/main.js');
  // The tool gets this database and nothing of the caller's settings.
  // eslint-disable-next-line no-restricted-properties
  const env = { PATH: process.env['PATH'], DATABASE_URL: url };
  const { stdout } = await run(process.execPath, [admin, 'token', SEEDED.busyUser], { env });
  return stdout.trim().split('\n').at(-1)!;
}

function readOptions(args: string[]): { rounds: number; seconds: number; server: string | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '4' },
      server: { type: 'string' },
    },
  });
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seconds) || seconds < 1) {
    throw new Error(USAGE);
  }
  return { rounds, seconds, server: values.server };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`bench:reads failed: ${error.message}\n`);
  process.exitCode = 1;
});
