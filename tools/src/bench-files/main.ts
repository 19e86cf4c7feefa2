import { randomFillSync } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMigrations } from '@vitrine/database';
import { type GuardedServer, type ServiceProcess, startNginx, startService } from '@vitrine/testing';
import { createToken } from '../bench-harness/admin-token';
import { alternate } from '../bench-harness/alternate';
import { type BareServer, startBareServer } from '../bench-harness/bare-server';
import {
  atLeast,
  atMost,
  type Figure,
  readOptions,
  report,
  runBenchmark,
  times,
} from '../bench-harness/benchmark';
import { startTestPostgres } from '../embedded-postgres/test-postgres';
import { median } from '../statistics/statistics';
import { addMedia, type StoredFile } from './stored-files';
import { uploadPicture } from './upload-picture';
import { type Load, measureLoad } from './wrk';

const KB = 1000;
const CONNECTIONS = 32;
/** More bytes than Vitrine keeps in memory, and as many files as a page of a busy site shows in some minutes. */
const COLD = { files: 1500, bytes: 200 * KB };
const MANY_CONNECTIONS = 1000;
const SMALL_BYTES = 8 * KB;

interface Case {
  readonly what: string;
  readonly files: readonly StoredFile[];
  readonly connections: number;
  readonly of: (load: Load) => number;
  readonly figure: (own: number, express: number, nginx: number) => readonly Figure[];
}

/**
 * npm run bench:files [-- --rounds 3 --seconds 4]. One folder is served by nginx, by `express.static` and by Vitrine's
 * file host, each loaded by wrk in alternating rounds; the figures are medians. nginx and wrk are Debian packages.
 */
async function main(): Promise<boolean> {
  const { rounds, seconds } = readOptions({
    rounds: { default: 3, least: 1 },
    seconds: { default: 4, least: 1 },
  });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  await chmod(folder, 0o755);
  const objects = join(folder, 'objects');
  const postgres = await startTestPostgres();
  let service: ServiceProcess | undefined;
  let bare: BareServer | undefined;
  let nginx: GuardedServer | undefined;
  try {
    await runMigrations(postgres.url);
    const token = await createToken(postgres.url, 'bench', { isNew: true });
    service = await startService('upload-service', { env: settings(postgres.url, objects) });
    const uploaded = await uploadPicture(service.url, token);
    const add = (count: number, bytes: number): Promise<StoredFile[]> =>
      addMedia(postgres.url, objects, uploaded, noise(count, bytes));
    bare = await startBareServer(join(__dirname, 'express-server.js'), [objects]);
    nginx = await startNginx(`server { listen 127.0.0.1:PORT; root ${objects}; }`);
    const cases = await casesOf(add);
    const figures: Figure[] = [];
    for (const { what, files, connections, of, figure } of cases) {
      const load = (base: string, path: (file: StoredFile) => string) => async (): Promise<number> =>
        of(await measureLoad({ base, paths: files.map(path), connections, seconds }));
      const results = await alternate(
        [
          load(service.url, ({ own }) => own),
          load(bare.url, ({ plain }) => plain),
          load(nginx.url, ({ plain }) => plain),
        ],
        { rounds, warmUp: 2 },
      );
      const [own = 0, express = 0, fastest = 0] = results.map(median);
      figures.push(
        ...figure(own, express, fastest).map((each) => ({ ...each, what: `${what}: ${each.what}` })),
      );
    }
    return report(figures);
  } finally {
    bare?.stop();
    await nginx?.stop();
    await service?.stop('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function casesOf(
  add: (count: number, bytes: number) => Promise<StoredFile[]>,
): Promise<readonly Case[]> {
  const rate = ({ perSecond }: Load): number => perSecond;
  const rateFigure =
    (least: number) =>
    (own: number, express: number, nginx: number): readonly Figure[] => [
      atLeast(
        'rate / express.static',
        own / express,
        least,
        ` (${own.toFixed(0)} / ${express.toFixed(0)} a second)`,
      ),
      {
        what: 'rate / nginx',
        measured: `${times(own / nginx)} (${own.toFixed(0)} / ${nginx.toFixed(0)} a second)`,
        target: 'none',
        met: true,
      },
    ];
  const hot = async (name: string, bytes: number, least: number): Promise<Case> => ({
    what: `hot file of ${name}`,
    files: await add(1, bytes),
    connections: CONNECTIONS,
    of: rate,
    figure: rateFigure(least),
  });
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  return [
    await hot('322 KB', 322 * KB, 5),
    await hot('200 KB', 200 * KB, 5),
    await hot('20 MB', 20_000 * KB, 1),
    {
      what: `${COLD.files} cold files of 200 KB`,
      files: await add(COLD.files, COLD.bytes),
      connections: CONNECTIONS,
      of: rate,
      figure: rateFigure(1),
    },
    {
      // The first and the last byte of such an answer arrive together.
      what: `${MANY_CONNECTIONS} connections, 8 KB`,
      files: await add(20, SMALL_BYTES),
      connections: MANY_CONNECTIONS,
      of: ({ p99 }) => p99,
      figure: (own, express, nginx) => [
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

/** Every limit is above what wrk does from one address. */
const settings = (databaseUrl: string, objects: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrl,
  STORAGE_URL: pathToFileURL(objects).href,
  MAX_CONCURRENT_FILES: '4000',
  MAX_CONCURRENT_FILES_PER_ADDRESS: '2000',
  MAX_CONNECTIONS: '8000',
  MAX_CONNECTIONS_PER_ADDRESS: '4000',
});

function* noise(count: number, bytes: number): Generator<Buffer> {
  for (let index = 0; index < count; index++) yield randomFillSync(Buffer.allocUnsafe(bytes));
}

runBenchmark('files', main);
