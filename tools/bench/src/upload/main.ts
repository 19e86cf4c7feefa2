import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMigrations } from '@vitrine/database';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { createToken } from '../harness/admin-token';
import { alternate } from '../harness/alternate';
import { startBareServer } from '../harness/bare-server';
import { atMost, type Figure, readOptions, report, runBenchmark } from '../harness/benchmark';
import { startTestPostgres, STREAMING_ENVIRONMENT } from '@vitrine/dev';
import { PeakMemory, residentMebibytes } from '../processes/process-usage';
import { median } from '../statistics/statistics';
import { photograph, video } from './sample-files';
import { multipart, send, sendAll, type Target } from './upload-client';

const SMALL_BYTES = 200_000;
const CONCURRENT = 50;
/** Uploads after which code is compiled and pools are full: memory that grows later grows with the uploads. */
const WARM_UP = 40;
const MB = 1_000_000;

/**
 * npm run bench:upload [-- --megabytes 95 --rounds 9]. Compares the built upload-service with a bare Node server that hashes and writes the same
 * stream: alternating, in one run, medians. The figures are ratios, which can be compared between machines.
 */
async function main(): Promise<boolean> {
  const options = readOptions({
    megabytes: { default: 95, least: 1, most: 95 },
    rounds: { default: 9, least: 1 },
  });
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  await chmod(folder, 0o700);
  const postgres = await startTestPostgres();
  const bare = await startBareServer(join(__dirname, 'bare-server.js'), [folder]);
  let service: ServiceProcess | undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  try {
    await runMigrations(postgres.url);
    const token = await createToken(postgres.url, 'bench', { isNew: true });
    service = await startService('upload-service', {
      env: {
        ...STREAMING_ENVIRONMENT,
        DATABASE_URL: postgres.url,
        STORAGE_URL: pathToFileURL(join(folder, 'objects')).href,
        RATE_LIMIT_USER_PER_MINUTE: '1000000',
        UPLOADS_PER_DAY: '1000000',
      },
    });
    const own: Target = { url: `${service.url}/api/v1/media`, token, agent };
    const other: Target = { url: `${bare.url}/`, token, agent };
    return report([
      ...(await largeUploads(own, other, service.pid, options)),
      await manyUploads(own, other, Math.ceil((options.rounds * 2) / 3)),
    ]);
  } finally {
    agent.destroy();
    bare.stop();
    await service?.stop('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function largeUploads(
  own: Target,
  bare: Target,
  pid: number,
  { megabytes, rounds }: Readonly<Record<'megabytes' | 'rounds', number>>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const small = multipart(await photograph(SMALL_BYTES));
  for (let i = 0; i < WARM_UP; i++) await send(own, small);
  const before = residentMebibytes([pid]);
  const memory = new PeakMemory(pid);
  for (const [name, file] of [
    ['video', video(megabytes * MB)],
    ['photograph', await photograph(megabytes * MB)],
  ] as const) {
    const body = multipart(file);
    const measurements = [bare, own].map((target) => () => send(target, body));
    const results = await alternate(measurements, { rounds, warmUp: 2 });
    const [bareMs = 0, ownMs = 0] = results.map(median);
    const what = `${name} of ${Math.round(file.length / MB)} MB, time / bare server's`;
    const details = ` (${ownMs.toFixed(0)} / ${bareMs.toFixed(0)} ms)`;
    figures.push(atMost(what, ownMs / bareMs, 2, undefined, details));
  }
  const growth = memory.stop() - before;
  // Only Linux has /proc.
  if (before > 0) {
    const mebibytes = (value: number): string => `${value.toFixed(0)} MiB`;
    figures.push(atMost('growth of resident memory after the warm-up', growth, 40, mebibytes));
  }
  return figures;
}

async function manyUploads(own: Target, bare: Target, rounds: number): Promise<Figure> {
  const bodies = await Promise.all(
    Array.from({ length: CONCURRENT }, async () => multipart(await photograph(SMALL_BYTES))),
  );
  const measurements = [bare, own].map((target) => () => sendAll(target, bodies));
  const results = await alternate(measurements, { rounds, warmUp: 1 });
  const [bareRate = '', ownRate = ''] = results.map(
    (took) => `${((CONCURRENT / median(took)) * 1000).toFixed(0)}/s`,
  );
  return {
    what: `${CONCURRENT} of ${SMALL_BYTES / 1000} KB at the same time, rate / bare server's`,
    measured: `${ownRate} / ${bareRate}`,
    target: 'no error',
    met: true,
  };
}

runBenchmark('upload', main);
