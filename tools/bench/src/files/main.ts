import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VitrineClient } from '@vitrine/client';
import { runMigrations } from '@vitrine/database';
import {
  type GuardedServer,
  type ServiceProcess,
  startNginx,
  startSendingNginx,
  startService,
} from '@vitrine/testing';
import { createToken } from '../harness/admin-token';
import { alternate } from '../harness/alternate';
import { type BareServer, startBareServer } from '../harness/bare-server';
import { atLeast, atMost, type Figure, readOptions, report, runBenchmark, times } from '../harness/benchmark';
import { startTestPostgres } from '@vitrine/dev';
import { median } from '../statistics/statistics';
import { photograph } from '../upload/sample-files';
import { addMedia, type StoredFile } from './stored-files';
import { type Load, measureLoad } from './wrk';

const KB = 1000;
const CONNECTIONS = 32;
/** More bytes than Vitrine keeps in memory, and as many files as a page of a busy site shows in some minutes. */
const COLD = { files: 1500, bytes: 200 * KB };
const SMALL_BYTES = 8 * KB;
const SAMPLE_BYTES = 20 * KB;

interface Case {
  readonly what: string;
  readonly files: readonly StoredFile[];
  readonly connections: number;
  readonly of: (load: Load) => number;
  readonly figure: (results: Results) => readonly Figure[];
}

/**
 * Results of Vitrine alone, `express.static`, nginx alone, a second nginx that caches the first one's files, and nginx that sends
 * files for Vitrine (`FILE_SENDING=x-accel`).
 */
interface Results {
  readonly own: number;
  readonly express: number;
  readonly nginx: number;
  readonly cache: number;
  readonly behind: number;
}

/**
 * npm run bench:files [-- --rounds 3 --seconds 4 --connections 1000]. One folder is served by nginx, by `express.static` and by Vitrine's
 * file host, each loaded by wrk in alternating rounds; the figures are medians. nginx and wrk are Debian packages.
 */
async function main(): Promise<boolean> {
  const {
    rounds,
    seconds,
    connections: many,
  } = readOptions({
    rounds: { default: 3, least: 1 },
    seconds: { default: 4, least: 1 },
    connections: { default: 1000, least: 1 },
  });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  await chmod(folder, 0o755);
  const objects = join(folder, 'objects');
  const postgres = await startTestPostgres();
  let service: ServiceProcess | undefined;
  let bare: BareServer | undefined;
  let nginx: GuardedServer | undefined;
  let cache: GuardedServer | undefined;
  let deciding: ServiceProcess | undefined;
  let front: GuardedServer | undefined;
  try {
    await runMigrations(postgres.url);
    const token = await createToken(postgres.url, 'bench', { isNew: true });
    service = await startService('upload-service', { env: settings(postgres.url, objects) });
    const [baseUrl, uploadUrl] = [`${service.url}/api/v1`, `${service.url}/api/v1/media`];
    const { media } = new VitrineClient({ baseUrl, uploadUrl, token });
    const { slug: uploaded } = await media.upload(await photograph(SAMPLE_BYTES));
    const add = (count: number, bytes: number): Promise<StoredFile[]> =>
      addMedia(postgres.url, objects, uploaded, noise(count, bytes));
    bare = await startBareServer(join(__dirname, 'express-server.js'), [objects]);
    nginx = await startNginx(`server { listen 127.0.0.1:PORT; root ${objects}; }`);
    cache = await startNginx(cacheOf(nginx.url));
    deciding = await startService('upload-service', {
      env: { ...settings(postgres.url, objects), FILE_SENDING: 'x-accel' },
    });
    front = await startSendingNginx({ upload: deciding.url, objects, perClient: 2 * (CONNECTIONS + many) });
    const cases = await casesOf(add, many);
    const figures: Figure[] = [];
    for (const { what, files, connections, of, figure } of cases) {
      const load = (base: string, path: (file: StoredFile) => string) => async (): Promise<number> =>
        of(await measureLoad({ base, paths: files.map(path), connections, seconds }));
      const results = await alternate(
        [
          load(service.url, ({ own }) => own),
          load(bare.url, ({ plain }) => plain),
          load(nginx.url, ({ plain }) => plain),
          load(cache.url, ({ plain }) => plain),
          load(front.url, ({ own }) => own),
        ],
        { rounds, warmUp: 2 },
      );
      const [own = 0, express = 0, alone = 0, cached = 0, behind = 0] = results.map(median);
      figures.push(
        ...figure({ own, express, nginx: alone, cache: cached, behind }).map((each) => ({
          ...each,
          what: `${what}: ${each.what}`,
        })),
      );
    }
    return report(figures);
  } finally {
    bare?.stop();
    await cache?.stop();
    await nginx?.stop();
    await front?.stop();
    await deciding?.stop('SIGKILL');
    await service?.stop('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function casesOf(
  add: (count: number, bytes: number) => Promise<StoredFile[]>,
  many: number,
): Promise<readonly Case[]> {
  const rate = ({ bytesPerSecond }: Load): number => bytesPerSecond / 1e6;
  const perSecond = (...rates: number[]): string =>
    ` (${rates.map((value) => value.toFixed(0)).join(' / ')} MB a second)`;
  const rateFigure =
    (least: number, leastBehind: number | null) =>
    ({ own, express, nginx, cache, behind }: Results): readonly Figure[] => [
      atLeast('rate / express.static', own / express, least, perSecond(own, express)),
      open('rate / nginx', own / nginx, perSecond(own, nginx)),
      open('rate of nginx’s cache / nginx', cache / nginx, perSecond(cache, nginx)),
      leastBehind === null
        ? open('rate with x-accel / nginx', behind / nginx, perSecond(behind, nginx))
        : atLeast('rate with x-accel / nginx', behind / nginx, leastBehind, perSecond(behind, nginx)),
    ];
  const hot = async (
    name: string,
    bytes: number,
    least: number,
    leastBehind: number | null,
  ): Promise<Case> => ({
    what: `hot file of ${name}`,
    files: await add(1, bytes),
    connections: CONNECTIONS,
    of: rate,
    figure: rateFigure(least, leastBehind),
  });
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  return [
    await hot('322 KB', 322 * KB, 5, null),
    await hot('200 KB', 200 * KB, 5, 0.9),
    await hot('20 MB', 20_000 * KB, 1, 0.9),
    {
      what: `${COLD.files} cold files of 200 KB`,
      files: await add(COLD.files, COLD.bytes),
      connections: CONNECTIONS,
      of: rate,
      figure: rateFigure(1, null),
    },
    {
      // The first and the last byte of such an answer arrive together.
      what: `${many} connections, 8 KB`,
      files: await add(20, SMALL_BYTES),
      connections: many,
      of: ({ p99 }) => p99,
      figure: ({ own, express, nginx }) => [
        atMost(
          '99th percentile of the time to the first byte / express.static',
          own / express,
          1,
          times,
          ` (${[own, express, nginx].map(milliseconds).join(', ')} with nginx)`,
        ),
      ],
    },
  ];
}

/**
 * nginx with a cache in front of another server. It looks up each request in the cache and opens the file that it finds there, so
 * it shows what x-accel would cost if no decision were needed.
 */
const cacheOf = (url: string): string => `
proxy_cache_path FOLDER/cache keys_zone=files:8m max_size=1g use_temp_path=off;
server {
  listen 127.0.0.1:PORT;
  location / {
    proxy_pass ${url};
    proxy_cache files;
    proxy_cache_valid 200 10m;
  }
}`;

/** A figure without a target. */
const open = (what: string, value: number, details: string): Figure => ({
  what,
  measured: times(value) + details,
  target: 'none',
  met: true,
});

/** Every limit is above what wrk does from one address. */
const settings = (databaseUrl: string, objects: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  STORAGE_URL: pathToFileURL(objects).href,
  MAX_CONCURRENT_FILES: '8000',
  MAX_CONNECTIONS: '40000',
});

function* noise(count: number, bytes: number): Generator<Buffer> {
  for (let index = 0; index < count; index++) yield randomFillSync(Buffer.allocUnsafe(bytes));
}

runBenchmark('files', main);
