import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { startRabbitMq, type TestRabbitMq } from '@vitrine/testing';
import { currentHolder } from '../data-folder/data-folder-lock';
import { LogLines } from '../supervisor/log-lines';
import { checkPorts } from '../supervisor/ports';
import { LOG_NAMES, Supervisor } from '../supervisor/supervisor';
import { SupervisorConfig } from '../supervisor/supervisor.config';
import type { Addresses } from './vitrine-client';

export type Bus = 'postgres' | 'rabbitmq';

const ROOT = resolve(__dirname, '../../..');

/** Sweepers at the pace of a run of minutes, and limits that its one client doesn't reach. */
const SETTINGS = {
  LOG_FORMAT: 'text',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  UPLOADS_PER_DAY: '1000000',
  SWEEP_INTERVAL_SECONDS: '5',
  REANNOUNCE_AFTER_SECONDS: '30',
  CLEANUP_INTERVAL_SECONDS: '5',
  ORPHAN_AGE_SECONDS: '30',
} as const;

/** The whole of Vitrine as `npm start` runs it, in a folder and on ports of its own. */
export class ChaosStack {
  private constructor(
    readonly folder: string,
    readonly addresses: Addresses,
    readonly databaseUrl: string,
    readonly busUrl: string,
    private readonly supervisor: Supervisor,
    private readonly rabbitMq: TestRabbitMq | undefined,
    private readonly log: WriteStream,
  ) {}

  static async start(bus: Bus): Promise<ChaosStack> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-'));
    // Root's PostgreSQL runs as another user, who has to pass through.
    await chmod(folder, 0o711);
    const temporary = join(folder, 'tmp');
    await mkdir(temporary, { mode: 0o700 });
    const rabbitMq = bus === 'rabbitmq' ? await startRabbitMq() : undefined;
    const port = await freePorts(8);
    const dataFolder = join(folder, 'data');
    // The processes get these settings and none of the caller's own.
    // eslint-disable-next-line no-restricted-properties
    const { PATH, HOME, FFMPEG_PATH } = process.env;
    const environment: NodeJS.ProcessEnv = {
      ...SETTINGS,
      PATH,
      HOME,
      ...(FFMPEG_PATH && { FFMPEG_PATH }),
      ...(rabbitMq && { BUS_URL: rabbitMq.url }),
      TMPDIR: temporary,
      VITRINE_DATA_DIR: dataFolder,
      API_PORT: String(port),
      UPLOAD_PORT: String(port + 1),
      SITE_PORT: String(port + 2),
      MANAGEMENT_PORT: String(port + 3),
    };
    const config = loadConfig(SupervisorConfig, environment);
    const log = createWriteStream(join(folder, 'stack.log'));
    const supervisor = new Supervisor({ root: ROOT, config, environment, log: new LogLines(log, LOG_NAMES) });
    try {
      await supervisor.start();
      const databaseUrl = currentHolder(dataFolder)?.environment?.['DATABASE_URL'];
      if (!databaseUrl) throw new Error('The supervisor has not made its database known');
      const addresses = { api: config.api, upload: config.upload };
      return new ChaosStack(
        folder,
        addresses,
        databaseUrl,
        rabbitMq?.url ?? databaseUrl,
        supervisor,
        rabbitMq,
        log,
      );
    } catch (error) {
      await supervisor.stop();
      await rabbitMq?.remove();
      throw new Error(`The stack did not start; its log is ${join(folder, 'stack.log')}`, { cause: error });
    }
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  /** Where processes put temporary files of their own. */
  get temporaryFolder(): string {
    return join(this.folder, 'tmp');
  }

  get logFile(): string {
    return join(this.folder, 'stack.log');
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    await this.rabbitMq?.remove();
    await new Promise((done) => this.log.end(done));
  }

  /** Takes away all that the run has left. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The first of `count` free ports in a row. */
async function freePorts(count: number): Promise<number> {
  for (let first = 20_000 + (process.pid % 1000) * 10; first < 60_000; first += count) {
    const claims = Array.from({ length: count }, (_, index) => ({
      port: first + index,
      setting: `port ${index}`,
      process: 'chaos',
    }));
    const free = await checkPorts(claims).then(
      () => true,
      () => false,
    );
    if (free) return first;
  }
  throw new Error(`No ${count} free ports in a row`);
}
