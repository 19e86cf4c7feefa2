import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataFolderLock } from '../data-folder/data-folder-lock';
import { loadSecrets, type Secrets } from '../data-folder/secrets';
import type { EmbeddedPostgres } from '../embedded-postgres/embedded-postgres';
import { Guard } from '../embedded-postgres/guard';
import { runsAsRoot } from '../embedded-postgres/system-user';
import type { LogLines } from './log-lines';
import { findVideoTools, INSTALL_FFMPEG } from '@vitrine/admin/video-tools';
import { checkPorts } from './ports';
import { untilReady } from './readiness';
import { RestartDelay } from './restart-delay';
import { ServiceProcess } from './service-process';
import { portClaims, readinessUrl, SERVICE_NAMES, servicePrograms, STORAGE_SETTINGS } from './services';
import { migrateOwnDatabase, startEmbeddedDatabase, type DatabaseAddresses } from './stack-database';
import { StartError } from './start-error';
import type { SupervisorConfig } from './supervisor.config';

/** If a process fails to start this often before the stack was ever ready, the start is given up. */
const MAX_FAILED_BOOTS = 3;
/** Added to a process's own time for its graceful stop. */
const STOP_MARGIN_MS = 5_000;
const SELF = 'vitrine';

export const LOG_NAMES = [...SERVICE_NAMES, SELF];

export interface SupervisorOptions {
  /** The workspace's root. */
  readonly root: string;
  readonly config: SupervisorConfig;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: LogLines;
  /** Changes the settings of each process last, but not the variables with which it is created. */
  readonly adjust?: (name: string, environment: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
}

/** Starts database and processes, keeps them running, and stops them. */
export class Supervisor {
  private readonly dataFolder: string;
  /** Aborted when the start has failed or the stop begins. */
  private readonly abort = new AbortController();
  private guard: Guard | undefined;
  private starting: Promise<void> = Promise.resolve();
  private lock: DataFolderLock | undefined;
  private postgres: EmbeddedPostgres | undefined;
  private services: ServiceProcess[] = [];
  private stopped: Promise<void> | undefined;
  private ready = false;

  constructor(private readonly options: SupervisorOptions) {
    this.dataFolder = resolve(options.root, options.config.dataFolder);
  }

  /**
   * Starts everything and prints one line when it is ready. Rejects with a `StartError` or `DataFolderInUseError` if it
   * can't; `stop` must then end the processes that were started.
   */
  start(): Promise<void> {
    this.starting = this.bringUp();
    return this.starting;
  }

  /** Stops the processes gracefully, then the database. Can be called again; all callers wait for the same stop. */
  stop(): Promise<void> {
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  /** Kills the processes; the next start continues their work. */
  hurry(): void {
    for (const service of this.services) service.kill();
    void this.postgres?.stop(true);
  }

  /** Restarts those of the named processes that run. */
  async renew(names: ReadonlySet<string>): Promise<void> {
    await Promise.all(this.services.filter(({ name }) => names.has(name)).map((service) => service.renew()));
  }

  /** Aborted when the stop begins. */
  get ending(): AbortSignal {
    return this.abort.signal;
  }

  isStopping(): boolean {
    return this.stopped !== undefined;
  }

  say(message: string): void {
    this.options.log.write(SELF, message);
  }

  private async bringUp(): Promise<void> {
    const { config, root, environment, log, adjust } = this.options;
    const { signal } = this.abort;
    // Root's PostgreSQL runs as another user, who must be able to enter; the folders inside are private.
    mkdirSync(this.dataFolder, { recursive: true, mode: runsAsRoot() ? 0o711 : 0o700 });
    this.lock = await DataFolderLock.acquire(this.dataFolder, 'npm start', signal);
    await checkPorts(portClaims(config));
    signal.throwIfAborted();

    const guard = this.newGuard();
    const secrets = loadSecrets(this.dataFolder);
    const decodesVideos = await this.reportVideoTools(environment);
    signal.throwIfAborted();
    const context = { root, dataFolder: this.dataFolder, config, secrets, environment, decodesVideos };
    this.services = servicePrograms(context).map((program) => {
      const settings: typeof program.settings = (addresses) =>
        adjust ? adjust(program.name, program.settings(addresses)) : program.settings(addresses);
      return new ServiceProcess({ ...program, settings }, log, guard, (service) => this.onFailure(service));
    });
    const database = this.startDatabase(guard, secrets);
    // If a process can't be started, the database must have started or failed before everything is stopped.
    await this.startServices(database).finally(() => database.catch(() => undefined));
    const addresses = await database;
    signal.throwIfAborted();

    this.lock.publish({ environment: this.toolEnvironment(addresses) });
    for (const service of this.services) service.configure(addresses);
    await untilReady(
      SERVICE_NAMES.map((name) => readinessUrl(config, name)),
      signal,
    );
    this.ready = true;
    log.plain(
      `Vitrine is ready: site ${config.site} · API ${config.api} · upload ${config.upload}` +
        ` · files ${config.cdn} · data ${this.dataFolder}`,
    );
  }

  /** Says which ffmpeg processes videos. Returns whether there is one. */
  private async reportVideoTools(environment: NodeJS.ProcessEnv): Promise<boolean> {
    const tools = await findVideoTools(environment);
    if (tools === null) return false;
    if (tools.ffmpeg) this.say(`Videos are processed by ${tools.found}`);
    // media-processor itself reports a wrong setting, and doesn't start.
    else if (!tools.isBroken) this.say(`Videos are refused: ${tools.found}. ${INSTALL_FFMPEG}`);
    return tools.ffmpeg !== null;
  }

  /**
   * Starts the processes, which load their modules while the database starts. Until it has started, one core is left to it: only
   * as many processes load at the same time as there are other cores, but at least one. Rejects if the database fails meanwhile.
   */
  private async startServices(database: Promise<unknown>): Promise<void> {
    const atOnce = Math.max(1, availableParallelism() - 1);
    for (const [index, service] of this.services.entries()) {
      await Promise.race([this.services[index - atOnce]?.loaded, database]);
      if (this.abort.signal.aborted) return;
      service.start();
    }
  }

  private async startDatabase(guard: Guard, secrets: Secrets): Promise<DatabaseAddresses> {
    const { databaseUrl, busUrl } = this.options.config;
    if (databaseUrl) {
      if (!busUrl) {
        this.say('media-processor shares the credential of DATABASE_URL; set BUS_URL to give it another one');
      }
      return migrateOwnDatabase(databaseUrl);
    }
    const { postgres, addresses } = await startEmbeddedDatabase(guard, this.dataFolder, secrets);
    this.postgres = postgres;
    void this.keepDatabaseRunning(postgres);
    return addresses;
  }

  private async keepDatabaseRunning(postgres: EmbeddedPostgres): Promise<void> {
    const restartDelay = new RestartDelay();
    for (;;) {
      const bornAt = Date.now();
      await postgres.ended;
      if (this.isStopping()) return;
      const delayMs = restartDelay.afterLife(Date.now() - bornAt);
      this.say(`PostgreSQL has ended; starting it again in ${delayMs / 1000} s`);
      await pause(delayMs);
      if (this.isStopping()) return;
      await postgres.launch(this.guard ?? this.newGuard()).catch((error: Error) => this.say(error.message));
    }
  }

  private newGuard(): Guard {
    const guard = new Guard();
    this.guard = guard;
    this.lock?.publish({ guardPid: guard.pid });
    void guard.gone.then(() => {
      if (this.isStopping()) return;
      const successor = this.newGuard();
      for (const service of this.services) service.watchBy(successor);
    });
    return guard;
  }

  private onFailure(service: ServiceProcess): void {
    if (this.ready || service.failures < MAX_FAILED_BOOTS) return;
    this.abort.abort(new StartError(`${service.name} does not start; its last lines above say why.`));
  }

  /** For the admin tool, which runs beside the processes with the same database, bus and files. */
  private toolEnvironment(addresses: DatabaseAddresses): Record<string, string> {
    const { environment } = this.options;
    const storage = STORAGE_SETTINGS.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value] as const] : [];
    });
    return {
      DATABASE_URL: addresses.databaseUrl,
      VITRINE_DATA_DIR: this.dataFolder,
      ...(this.options.config.busUrl ? { BUS_URL: this.options.config.busUrl } : {}),
      ...Object.fromEntries(storage),
    };
  }

  private async stopAll(): Promise<void> {
    this.abort.abort(new StartError('Stopped before everything was ready.'));
    const patienceMs = this.options.config.stopTimeoutSeconds * 1000 + STOP_MARGIN_MS;
    await Promise.all(this.services.map((service) => service.stop(patienceMs)));
    await this.postgres?.stop();
    // A start that is still in progress fails when its guard ends, and the guard ends the database that was starting.
    await this.guard?.close();
    await this.starting.catch(() => undefined);
    await this.guard?.close();
    this.lock?.release();
  }
}
