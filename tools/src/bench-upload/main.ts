import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runMigrations } from '@vitrine/database';
import { type ServiceProcess, startService } from '@vitrine/testing';
import { startTestPostgres } from '../embedded-postgres/test-postgres';
import { STREAMING_ENVIRONMENT } from '../supervisor/services';
import { photograph, video } from './sample-files';
import { multipart, send, type Target } from './upload-client';

/**
 * npm run bench:upload. Measures the built upload-service against a bare Node server that hashes and writes the same
 * stream: alternating, in one run, medians. Its figures are ratios, which carry over from machine to machine.
 */
const LARGE_BYTES = 95_000_000;
const ROUNDS = 9;
const SMALL_BYTES = 200_000;
const CONCURRENT = 50;
const SMALL_ROUNDS = 6;
/** Until code is compiled and pools are filled; what grows after that grows with the uploads. */
const WARM_UP = 40;
const PAGE_BYTES = 4096;
const MB = 1_000_000;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

const run = promisify(execFile);

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  await chmod(folder, 0o700);
  const postgres = await startTestPostgres();
  const bare = fork(join(__dirname, 'bare-server.js'), [folder]);
  let service: ServiceProcess | undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT });
  try {
    const token = await createToken(postgres.url);
    service = await startService('upload-service', {
      env: {
        ...STREAMING_ENVIRONMENT,
        DATABASE_URL: postgres.url,
        STORAGE_URL: pathToFileURL(join(folder, 'objects')).href,
        RATE_LIMIT_USER_PER_MINUTE: '1000000',
        UPLOADS_PER_DAY: '1000000',
      },
    });
    const [address] = (await once(bare, 'message')) as [AddressInfo];
    const ours: Target = { url: `${service.url}/api/v1/media`, token, agent };
    const theirs: Target = { url: `http://127.0.0.1:${address.port}/`, token, agent };
    const rows = [...(await largeUploads(ours, theirs, service.pid)), ...(await manyUploads(ours, theirs))];
    for (const { what, measured, target, met } of rows) {
      print(
        `${what.padEnd(56)} ${measured.padStart(30)}   target ${target.padEnd(12)} ${met ? 'met' : 'MISSED'}`,
      );
    }
    if (rows.some(({ met }) => !met)) process.exitCode = 1;
  } finally {
    agent.destroy();
    bare.disconnect();
    await service?.stop('SIGKILL');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** An account with a token, made with the operator's own tool. */
async function createToken(databaseUrl: string): Promise<string> {
  await runMigrations(databaseUrl);
  const admin = join(__dirname, '../admin/main.js');
  // The tool gets this database and nothing of the caller's settings.
  // eslint-disable-next-line no-restricted-properties
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  await run(process.execPath, [admin, 'create-user', 'bench'], { env });
  const { stdout } = await run(process.execPath, [admin, 'token', 'bench'], { env });
  return stdout.trim().split('\n').at(-1)!;
}

/** Rounds alternate, so that a neighbour's load falls on both alike. */
async function largeUploads(ours: Target, theirs: Target, pid: number): Promise<Row[]> {
  const rows: Row[] = [];
  const small = multipart(await photograph(SMALL_BYTES));
  for (let i = 0; i < WARM_UP; i++) await send(ours, small);
  const memory = new MemoryWatch(pid);
  await memory.begin();
  for (const [name, file] of [
    ['video', video(LARGE_BYTES)],
    ['photograph', await photograph(LARGE_BYTES)],
  ] as const) {
    const body = multipart(file);
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = -2; round < ROUNDS; round++) {
      const [theirMs, ourMs] = [await send(theirs, body), await send(ours, body)];
      if (round < 0) continue;
      times.theirs.push(theirMs);
      times.ours.push(ourMs);
    }
    const [ourMs, theirMs] = [median(times.ours), median(times.theirs)];
    rows.push({
      what: `${name} of ${Math.round(file.length / MB)} MB, times the bare server's`,
      measured: `${(ourMs / theirMs).toFixed(2)} (${ourMs.toFixed(0)} / ${theirMs.toFixed(0)} ms)`,
      target: 'at most 2',
      met: ourMs <= 2 * theirMs,
    });
  }
  const growth = memory.end();
  if (growth !== null) {
    rows.push({
      what: 'resident memory above the warm process’s meanwhile',
      measured: `${(growth / MB).toFixed(0)} MB`,
      target: 'at most 40',
      met: growth <= 40 * MB,
    });
  }
  return rows;
}

async function manyUploads(ours: Target, theirs: Target): Promise<Row[]> {
  const bodies = await Promise.all(
    Array.from({ length: CONCURRENT }, async () => multipart(await photograph(SMALL_BYTES))),
  );
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -1; round < SMALL_ROUNDS; round++) {
    for (const [target, list] of [
      [theirs, times.theirs],
      [ours, times.ours],
    ] as const) {
      const began = performance.now();
      await Promise.all(bodies.map((body) => send(target, body)));
      if (round >= 0) list.push(performance.now() - began);
    }
  }
  const rate = (ms: number): string => `${((CONCURRENT / ms) * 1000).toFixed(0)}/s`;
  const [ourMs, theirMs] = [median(times.ours), median(times.theirs)];
  return [
    {
      what: `${CONCURRENT} of ${SMALL_BYTES / 1000} KB at once; rate, and the bare server's`,
      measured: `${rate(ourMs)}, ${rate(theirMs)}`,
      target: 'no error',
      met: true,
    },
  ];
}

/** The most that a process holds resident above where it began; Linux alone tells. */
class MemoryWatch {
  private base: number | null = null;
  private peak = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly pid: number) {}

  async begin(): Promise<void> {
    this.base = await this.resident();
    this.timer = setInterval(() => {
      void this.resident().then((bytes) => (this.peak = Math.max(this.peak, bytes ?? 0)));
    }, 20);
  }

  /** Bytes; null where the system doesn't tell. */
  end(): number | null {
    clearInterval(this.timer);
    return this.base === null ? null : this.peak - this.base;
  }

  private async resident(): Promise<number | null> {
    const pages = await readFile(`/proc/${this.pid}/statm`, 'utf8').catch(() => null);
    return pages === null ? null : Number(pages.split(' ')[1]) * PAGE_BYTES;
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

main().catch((error: Error) => {
  process.stderr.write(`bench:upload failed: ${error.stack}\n`);
  process.exitCode = 1;
});
