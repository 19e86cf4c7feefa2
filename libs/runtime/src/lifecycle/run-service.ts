import { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { Registry } from 'prom-client';
import { checkConfigs } from '../config/check-configs';
import { configsOf } from '../config/configs-of';
import { loadConfig, ConfigurationError } from '../config/setting';
import { RuntimeConfig } from '../config/runtime.config';
import { ServiceLogger } from '../logging/service-logger';
import { Health } from '../management/health';
import { PortInUseError } from '../management/management-server';
import { announceBuild } from '../metrics/build-info';
import { startTracing } from '../tracing/tracing';
import { TracingConfig } from '../tracing/tracing.config';
import { ServerDrain } from './server-drain';

export interface Service<App extends INestApplicationContext> {
  /** The root module; all its configuration classes are checked together before it is built. */
  readonly module: Type;
  /** Builds the Nest application with the given logger, without starting it. */
  readonly build: (logger: ServiceLogger) => Promise<App>;
  /** Starts the application: microservices, then the public port. */
  readonly start: (app: App) => Promise<void>;
}

/**
 * Runs a process from start to end. On SIGTERM or SIGINT it becomes unready immediately, serves for another
 * `STOP_GRACE_SECONDS`, until load balancers send no more requests, and then finishes its work and ends; after
 * `STOP_TIMEOUT_SECONDS` it ends in any case. If it can't start, it prints why, one line for each problem of its
 * configuration, and ends with status 1.
 */
export async function runService<App extends INestApplicationContext>(
  name: string,
  { module, build, start }: Service<App>,
): Promise<void> {
  let logger: ServiceLogger | undefined;
  let app: App | undefined;
  try {
    // eslint-disable-next-line no-restricted-properties
    const environment = process.env;
    const warnings = checkConfigs([RuntimeConfig, TracingConfig, ...configsOf(module)], environment);
    const config = loadConfig(RuntimeConfig, environment);
    logger = new ServiceLogger(name, config);
    for (const warning of warnings) logger.warn(warning, 'Configuration');
    const stopTracing = await startTracing(name, loadConfig(TracingConfig, environment));
    app = await build(logger);
    announceBuild(app.get(Registry), name);
    const isStopping = stopOnSignal(app, logger, config, stopTracing);
    await start(app);
    // The application may have been closed before its start opened the public port.
    if (isStopping()) return void publicServerOf(app)?.close();
    logger.log(`${name} is up`, 'Runtime');
  } catch (error) {
    process.stderr.write(
      reasonsOf(error)
        .map((reason) => `${name} can't start: ${reason}\n`)
        .join(''),
    );
    process.exitCode = 1;
    await app?.close().catch(() => undefined);
    forceExitAfter(5);
  }
}

/** Returns one line for each reason that an operator can remove; any other error with its stack. */
function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigurationError) return error.problems;
  if (error instanceof PortInUseError) return [error.message];
  return [(error as Error).stack ?? String(error)];
}

/** Stops the process on a signal. Returns a function that tells whether it is stopping. */
function stopOnSignal(
  app: INestApplicationContext,
  logger: ServiceLogger,
  { stopGraceSeconds, stopTimeoutSeconds }: RuntimeConfig,
  stopTracing: () => Promise<void>,
): () => boolean {
  const server = publicServerOf(app);
  const drain = server && new ServerDrain(server);
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.log(`${signal}: finishing current work, then stopping`, 'Runtime');
    forceExitAfter(stopTimeoutSeconds, () =>
      logger.error(
        `Forced to stop after ${stopTimeoutSeconds} s; still in use: ${resourcesInUse()}`,
        'Runtime',
      ),
    );
    app.get(Health).stop();
    drain?.begin();
    pause(stopGraceSeconds * 1000)
      .then(() => app.close())
      .finally(stopTracing)
      .then(
        () => logger.log('Stopped', 'Runtime'),
        (error: unknown) => {
          logger.error(error, 'Runtime');
          process.exitCode = 1;
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  return () => stopping;
}

/** Returns the server of the public port; undefined if the process has none. */
function publicServerOf(app: INestApplicationContext): Server | undefined {
  const server: unknown =
    'getHttpServer' in app && typeof app.getHttpServer === 'function' && app.getHttpServer();
  return server instanceof Server ? server : undefined;
}

/** Ends the process after this time, whatever is still running. */
function forceExitAfter(seconds: number, say?: () => void): void {
  setTimeout(() => {
    say?.();
    // The only forced end of a process: a drain that hangs must not block the shutdown of its machine.
    // eslint-disable-next-line no-restricted-properties
    process.exit(process.exitCode ?? 1);
  }, seconds * 1000).unref();
}

/** Returns what keeps this process alive, in Node's names, e.g. "TCPSocketWrap × 2, Timeout × 1". */
function resourcesInUse(): string {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} × ${count}`).join(', ') || 'nothing';
}
