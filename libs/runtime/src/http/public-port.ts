import type { Server } from 'node:http';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { PortInUseError } from '../management/management-server';

/**
 * Longer than the idle time of the usual load balancers (60 s), because the load balancer must close a connection
 * first.
 */
const KEEP_ALIVE_MS = 65_000;

/** What of an Express application is needed here. */
interface Router {
  enable(setting: string): unknown;
}

/**
 * Makes an Express application distinguish `/API/v1/posts` and `/api/v1/posts/` from `/api/v1/posts`. A router takes its
 * settings when it is first used, which Nest's adapter does at once; so this comes before the adapter.
 */
export function matchExactly<App extends Router>(app: App): App {
  app.enable('case sensitive routing');
  app.enable('strict routing');
  return app;
}

/** Opens the public port. Throws `PortInUseError` with the name of the setting that changes the port, if it is in use. */
export async function listenPublicly(
  app: INestApplicationContext,
  port: number,
  setting: string,
): Promise<void> {
  try {
    const server = (await (app as INestApplication).listen(port)) as Server;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? new PortInUseError(port, setting) : error;
  }
}
