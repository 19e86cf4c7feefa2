import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createWriteStream, type WriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadConfig } from '@vitrine/runtime';
import {
  freePortRange,
  startRabbitMq,
  startRedis,
  type TestRabbitMq,
  type TestRedis,
} from '@vitrine/testing';
import { createStorage, type ObjectStorage, StorageConfig } from '@vitrine/storage';
import {
  currentHolder,
  LOG_NAMES,
  LogLines,
  SERVICE_NAMES,
  Supervisor,
  SupervisorConfig,
} from '@vitrine/dev';
import { isKept } from '../contract/results';
import type { Bus, Verdict } from '../contract/scenario';
import type { Addresses } from '../clients/client';

const ROOT = resolve(__dirname, '../../../..');

/** Sweepers that run often enough for a test of minutes, and limits that its one client doesn't reach. */
const SETTINGS = {
  LOG_FORMAT: 'text',
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
  ACCOUNTS_PER_ADDRESS_PER_DAY: '1000000',
  UPLOADS_PER_DAY: '1000000',
  SWEEP_INTERVAL_SECONDS: '5',
  REANNOUNCE_AFTER_SECONDS: '30',
  CLEANUP_INTERVAL_SECONDS: '5',
  ORPHAN_AGE_SECONDS: '22',
} as const;

export interface ChaosStackOptions {
  readonly bus: Bus;
  /** Settings of all processes; they override those of the harness. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the settings of one process last, e.g. to put a proxy between it and an engine. */
  readonly adjust?: (name: string, environment: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** Whether limits are counted in Redis; otherwise in the memory of each process. */
  readonly redis?: boolean;
}

/** A complete Vitrine as `npm start` runs it, with its own folder and ports. */
export class ChaosStack {
  private readonly endings: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly folder: string,
    readonly addresses: Addresses,
    /** The embedded database, without a proxy. */
    readonly databaseUrl: string,
    private readonly parts: {
      readonly supervisor: Supervisor;
      readonly log: WriteStream;
      readonly managementPort: number;
      readonly environments: ReadonlyMap<string, NodeJS.ProcessEnv>;
      /** The storage for the harness itself, without a proxy. */
      readonly storage: ObjectStorage;
      readonly rabbitMq?: TestRabbitMq;
      readonly redis?: TestRedis;
    },
  ) {}

  /** Resolves when all five processes are ready. If one isn't, stops everything, keeps the log and throws. */
  static async start(options: ChaosStackOptions): Promise<ChaosStack> {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-chaos-'));
    // Under root, PostgreSQL runs as another user, which must be able to enter this folder.
    await chmod(folder, 0o711);
    const temporary = join(folder, 'tmp');
    await mkdir(temporary, { mode: 0o700 });
    const rabbitMq = options.bus === 'rabbitmq' ? await startRabbitMq() : undefined;
    const redis = options.redis ? await startRedis() : undefined;
    const port = await freePortRange(8);
    const dataFolder = join(folder, 'data');
    // The processes get these settings and none of the caller's.
    // eslint-disable-next-line no-restricted-properties
    const { PATH, HOME, FFMPEG_PATH } = process.env;
    const environment: NodeJS.ProcessEnv = {
      ...SETTINGS,
      PATH,
      HOME,
      ...(FFMPEG_PATH && { FFMPEG_PATH }),
      ...(rabbitMq && { BUS_URL: rabbitMq.url }),
      ...(redis && { REDIS_URL: redis.url }),
      TMPDIR: temporary,
      VITRINE_DATA_DIR: dataFolder,
      API_PORT: String(port),
      UPLOAD_PORT: String(port + 1),
      SITE_PORT: String(port + 2),
      MANAGEMENT_PORT: String(port + 3),
      // Work that may wait for hours would keep the stack from becoming quiet.
      ALTERNATIVES_SECONDS_PER_HOUR: '0',
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
      if (!databaseUrl) throw new Error('The supervisor did not publish the address of its database');
      const addresses = { api: config.api, upload: config.upload, site: config.site };
      const { managementPort } = config;
      const storage = await createStorage(loadConfig(StorageConfig, environment));
      const parts = { supervisor, log, managementPort, environments, storage, rabbitMq, redis };
      return new ChaosStack(folder, addresses, databaseUrl, parts);
    } catch (error) {
      await supervisor.stop();
      await rabbitMq?.remove();
      await redis?.stop();
      throw new Error(`The stack did not start; its log is ${join(folder, 'stack.log')}`, { cause: error });
    }
  }

  /** The address of the bus, without a proxy. */
  get busUrl(): string {
    return this.parts.rabbitMq?.url ?? this.databaseUrl;
  }

  /** The broker, which a scenario can stop and start. Throws when the bus is PostgreSQL. */
  get rabbitMq(): TestRabbitMq {
    if (!this.parts.rabbitMq) throw new Error('This stack has no RabbitMQ');
    return this.parts.rabbitMq;
  }

  /** The object storage, without a proxy. */
  get storage(): ObjectStorage {
    return this.parts.storage;
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  /** The temporary files and folders of all processes, without the folders of workers that wait for work. */
  async temporaryFiles(): Promise<readonly string[]> {
    const folders = [join(this.folder, 'tmp'), await this.storage.scratchDirectory()];
    const entries = await Promise.all(
      folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
    );
    return entries
      .flat()
      .map((entry) => ({ isFile: entry.isFile(), path: join(entry.parentPath, entry.name) }))
      .filter(({ isFile, path }) => isFile || !path.includes('/vitrine-worker-'))
      .map(({ path }) => path);
  }

  /** The settings of a process, e.g. to start a second one. */
  environmentOf(service: string): NodeJS.ProcessEnv {
    const environment = this.parts.environments.get(service);
    if (!environment) throw new Error(`There is no ${service}`);
    return environment;
  }

  /** Origin of a process's health and metrics. */
  managementUrl(service: string): string {
    return `http://127.0.0.1:${this.parts.managementPort + SERVICE_NAMES.indexOf(service)}`;
  }

  /** Runs `work` before the stack stops, also when the scenario failed. */
  beforeStop(work: () => Promise<unknown>): void {
    this.endings.push(work);
  }

  /** Stops everything. The folder stays until `remove`, so that it can be examined. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.endings.map((work) => work()));
    await this.parts.supervisor.stop();
    await this.parts.storage.close();
    await this.parts.rabbitMq?.remove();
    await this.parts.redis?.stop();
    await new Promise((done) => this.parts.log.end(done));
  }

  /** Deletes the folder with everything in it. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Starts a stack, runs `work` on it and stops it. Its folder, with the log and all data, is kept only when `work` throws
 * or finds a breach.
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
