import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import { startRabbitMq, startRedis, type TestRabbitMq, type TestRedis } from '@vitrine/testing';
import { createStorage, type ObjectStorage, StorageConfig } from '@vitrine/storage';
import { currentHolder } from '../data-folder/data-folder-lock';
import { LogLines } from '../supervisor/log-lines';
import { checkPorts } from '../supervisor/ports';
import { SERVICE_NAMES } from '../supervisor/services';
import { LOG_NAMES, Supervisor } from '../supervisor/supervisor';
import { SupervisorConfig } from '../supervisor/supervisor.config';
import { isKept } from './results';
import type { Bus, Verdict } from './scenario';
import type { Addresses } from './vitrine-client';

const ROOT = resolve(__dirname, '../../..');

/** Sweepers at the pace of a run of minutes, and limits that its one client doesn't reach. */
const SETTINGS = {
  LOG_FORMAT: 'text',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  ACCOUNTS_PER_ADDRESS_PER_DAY: '1000000',
  UPLOADS_PER_DAY: '1000000',
  SWEEP_INTERVAL_SECONDS: '5',
  REANNOUNCE_AFTER_SECONDS: '30',
  CLEANUP_INTERVAL_SECONDS: '5',
  ORPHAN_AGE_SECONDS: '30',
} as const;

export interface ChaosStackOptions {
  readonly bus: Bus;
  /** Settings of all processes, over those of the harness. */
  readonly env?: Readonly<Record<string, string>>;
  /** Has the last word over the settings of one process, e.g. to lead it to an engine through a proxy. */
  readonly adjust?: (name: string, environment: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** Lines of `rabbitmq.conf`. */
  readonly rabbitMqConfig?: string;
  /** A database of the scenario's own instead of the embedded one. */
  readonly databaseUrl?: string;
  /** Whether the limits are counted in a Redis; in each process's memory where not. */
  readonly redis?: boolean;
}

/** The whole of Vitrine as `npm start` runs it, in a folder and on ports of its own. */
export class ChaosStack {
  private readonly endings: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly folder: string,
    readonly addresses: Addresses,
    /** The embedded database, or the scenario's own: without any proxy before it. */
    readonly databaseUrl: string,
    private readonly parts: {
      readonly supervisor: Supervisor;
      readonly log: WriteStream;
      readonly managementPort: number;
      readonly environments: ReadonlyMap<string, NodeJS.ProcessEnv>;
      /** As the harness itself reaches it, without any proxy before it. */
      readonly storage: ObjectStorage;
      readonly rabbitMq?: TestRabbitMq;
      readonly redis?: TestRedis;
    },
  ) {}

  /** Resolves when all five processes are ready. Throws, with everything ended and the log kept, where they aren't. */
  static async start(options: ChaosStackOptions): Promise<ChaosStack> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-'));
    // Root's PostgreSQL runs as another user, who has to pass through.
    await chmod(folder, 0o711);
    const temporary = join(folder, 'tmp');
    await mkdir(temporary, { mode: 0o700 });
    const rabbitMq =
      options.bus === 'rabbitmq' ? await startRabbitMq({ config: options.rabbitMqConfig }) : undefined;
    const redis = options.redis ? await startRedis() : undefined;
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
      ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
      ...(rabbitMq && { BUS_URL: rabbitMq.url }),
      ...(redis && { REDIS_URL: redis.url }),
      TMPDIR: temporary,
      VITRINE_DATA_DIR: dataFolder,
      API_PORT: String(port),
      UPLOAD_PORT: String(port + 1),
      SITE_PORT: String(port + 2),
      MANAGEMENT_PORT: String(port + 3),
      ...options.env,
    };
    const config = loadConfig(SupervisorConfig, environment);
    const log = createWriteStream(join(folder, 'stack.log'));
    const environments = new Map<string, NodeJS.ProcessEnv>();
    const supervisor = new Supervisor({
      root: ROOT,
      config,
      environment,
      log: new LogLines(log, LOG_NAMES),
      adjust: (name, own) => {
        const adjusted = options.adjust?.(name, own) ?? own;
        environments.set(name, adjusted);
        return adjusted;
      },
    });
    try {
      await supervisor.start();
      const databaseUrl = currentHolder(dataFolder)?.environment?.['DATABASE_URL'];
      if (!databaseUrl) throw new Error('The supervisor has not made its database known');
      const addresses = { api: config.api, upload: config.upload, site: config.site };
      const { managementPort } = config;
      const storage = createStorage(loadConfig(StorageConfig, environment));
      const parts = { supervisor, log, managementPort, environments, storage, rabbitMq, redis };
      return new ChaosStack(folder, addresses, databaseUrl, parts);
    } catch (error) {
      await supervisor.stop();
      await rabbitMq?.remove();
      await redis?.stop();
      throw new Error(`The stack did not start; its log is ${join(folder, 'stack.log')}`, { cause: error });
    }
  }

  /** Where the bus is, without any proxy before it. */
  get busUrl(): string {
    return this.parts.rabbitMq?.url ?? this.databaseUrl;
  }

  /** The broker, to be stopped and started again. Throws where the bus is PostgreSQL. */
  get rabbitMq(): TestRabbitMq {
    if (!this.parts.rabbitMq) throw new Error('This stack has no RabbitMQ');
    return this.parts.rabbitMq;
  }

  /** Throws where the stack was started without one. */
  get redis(): TestRedis {
    if (!this.parts.redis) throw new Error('This stack has no Redis');
    return this.parts.redis;
  }

  /** Where the objects are, without any proxy before it. */
  get storage(): ObjectStorage {
    return this.parts.storage;
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

  /** The settings that a process runs with, e.g. to start a second one beside it. */
  environmentOf(service: string): NodeJS.ProcessEnv {
    const environment = this.parts.environments.get(service);
    if (!environment) throw new Error(`There is no ${service}`);
    return environment;
  }

  /** Origin of a process's health and metrics. */
  managementUrl(service: string): string {
    return `http://127.0.0.1:${this.parts.managementPort + SERVICE_NAMES.indexOf(service)}`;
  }

  /** Ends the named processes in order and starts them again. */
  async renew(...services: readonly string[]): Promise<void> {
    await this.parts.supervisor.renew(new Set(services));
  }

  /** Has `work` done when the stack is about to end, however the scenario ended. */
  beforeStop(work: () => Promise<unknown>): void {
    this.endings.push(work);
  }

  /** Ends everything; the folder stays for `remove`, or for whoever looks into it. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.endings.map((work) => work()));
    await this.parts.supervisor.stop();
    await this.parts.storage.close();
    await this.parts.rabbitMq?.remove();
    await this.parts.redis?.stop();
    await new Promise((done) => this.parts.log.end(done));
  }

  /** Takes away all that the run has left. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Runs `work` on a stack of its own and ends that afterwards. Its folder, with the log and all data, stays only where
 * `work` throws or finds a breach.
 */
export async function withStack(
  options: ChaosStackOptions,
  say: (line: string) => void,
  work: (stack: ChaosStack) => Promise<Verdict>,
): Promise<Verdict> {
  const stack = await ChaosStack.start(options);
  let kept = false;
  try {
    const verdict = await work(stack);
    kept = isKept(verdict);
    return verdict;
  } finally {
    await stack.stop();
    if (kept) await stack.remove();
    else say(`the stack's log and data are in ${stack.folder}`);
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
