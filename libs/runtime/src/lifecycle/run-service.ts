import type { INestApplicationContext } from '@nestjs/common';
import { loadConfig, ConfigurationError } from '../config/setting';
import { RuntimeConfig } from '../config/runtime.config';
import { ServiceLogger } from '../logging/service-logger';
import { PortInUseError } from '../management/management-server';

export interface Service<App extends INestApplicationContext> {
  /** Builds the Nest application with the given logger, without starting it. */
  readonly build: (logger: ServiceLogger) => Promise<App>;
  /** Starts it: microservices, then the public port. */
  readonly start: (app: App) => Promise<void>;
}

/**
 * Runs one process from boot to a clean end: SIGTERM and SIGINT drain it, a failed boot says why in one line
 * and ends with status 1. A drain longer than `STOP_TIMEOUT_SECONDS` is cut short.
 */
export async function runService<App extends INestApplicationContext>(
  name: string,
  { build, start }: Service<App>,
): Promise<void> {
  let logger: ServiceLogger | undefined;
  let app: App | undefined;
  try {
    // eslint-disable-next-line no-restricted-properties
    const config = loadConfig(RuntimeConfig, process.env);
    logger = new ServiceLogger(name, config);
    app = await build(logger);
    stopOnSignal(app, logger, config.stopTimeoutSeconds);
    await start(app);
    logger.log(`${name} is up`, 'Runtime');
  } catch (error) {
    const expected = error instanceof ConfigurationError || error instanceof PortInUseError;
    process.stderr.write(`${name} can't start: ${expected ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
    await app?.close().catch(() => undefined);
    cutShort(5);
  }
}

function stopOnSignal(app: INestApplicationContext, logger: ServiceLogger, timeoutSeconds: number): void {
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.log(`${signal}: finishing what is under way`, 'Runtime');
    cutShort(timeoutSeconds);
    app.close().then(
      () => logger.log('Stopped', 'Runtime'),
      (error: unknown) => {
        logger.error(error, 'Runtime');
        process.exitCode = 1;
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

/** A last resort: whatever still holds the process after the drain's time is let go. */
function cutShort(seconds: number): void {
  // The one forced end of a process: a drain that hangs must not hang the machine's stop.
  // eslint-disable-next-line no-restricted-properties
  setTimeout(() => process.exit(process.exitCode ?? 1), seconds * 1000).unref();
}
