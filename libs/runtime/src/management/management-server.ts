import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { RuntimeConfig } from '../config/runtime.config';
import { Health } from './health';

/** Probes are short requests; connections that are slower or send more are closed. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 } as const;
const MAX_CONNECTIONS = 128;

/**
 * The pause of the timer by whose delays prom-client measures the lag of the event loop. Its default of 10 ms wakes every
 * process a hundred times a second.
 */
const EVENT_LOOP_SAMPLE_MS = 500;

/** Only programs use this port: no web page may read, frame or run its answers. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * The management port: liveness, readiness and Prometheus metrics, separate from public traffic. It is open while the
 * process starts: a process that waits for its database is alive, and a restart would not help it. `@nestjs/terminus`
 * answers on the application's server, which is public, and which two services don't have.
 */
@Injectable()
export class ManagementServer
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(ManagementServer.name);
  private readonly server = createServer(LIMITS, (request, response) => void this.answer(request, response));
  private readonly listening: Promise<void>;
  private started = false;

  constructor(
    config: RuntimeConfig,
    private readonly health: Health,
    private readonly metrics: Registry,
  ) {
    collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS });
    this.server.maxConnections = MAX_CONNECTIONS;
    this.listening = listen(this.server, config.managementPort, config.managementHost, 'MANAGEMENT_PORT');
    // `onApplicationBootstrap` reports the failure; a start that fails earlier reports its own reason.
    this.listening.catch(() => undefined);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listening;
    this.started = true;
  }

  beforeApplicationShutdown(): void {
    this.health.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        // The body, which may be long, isn't read.
        response.setHeader('Connection', 'close').setHeader('Allow', 'GET, HEAD');
        const message = `The ${request.method} method is not supported for this route.`;
        return this.json(response, 405, { message });
      }
      const [path] = (request.url ?? '').split('?', 1);
      if (path === '/health/live') return this.json(response, 200, { status: 'up' });
      if (path === '/health/ready') {
        const { ready, checks } = await this.health.read();
        const isUp = this.started && ready;
        return this.json(response, isUp ? 200 : 503, { status: isUp ? 'up' : 'down', checks });
      }
      if (path === '/metrics') {
        const body = await this.metrics.metrics();
        response.writeHead(200, { 'Content-Type': this.metrics.contentType }).end(body);
        return;
      }
      this.json(response, 404, { message: 'Not found.' });
    } catch (error) {
      this.logger.error(error);
      this.json(response, 500, { message: 'Server Error' });
    }
  }

  private json(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }
}

/** Listens on a port. Rejects with `PortInUseError`, which names the setting, if the port is taken. */
export function listen(
  server: ReturnType<typeof createServer>,
  port: number,
  host: string | undefined,
  setting: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(port, setting) : error),
    );
    server.listen(port, host, () => resolve());
  });
}

/** Another program uses the port. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  constructor(port: number, setting: string) {
    super(`Port ${port} is in use by another program. Stop it, or choose another port with ${setting}.`);
  }
}
