import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { RuntimeConfig } from '../config/runtime.config';
import { Health } from './health';

/** The management port: liveness, readiness and Prometheus metrics, apart from all public traffic. */
@Injectable()
export class ManagementServer
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly logger = new Logger(ManagementServer.name);
  private readonly server = createServer((request, response) => void this.answer(request, response));

  constructor(
    @Inject(RuntimeConfig) private readonly config: RuntimeConfig,
    private readonly health: Health,
    private readonly metrics: Registry,
  ) {
    collectDefaultMetrics({ register: metrics });
  }

  async onApplicationBootstrap(): Promise<void> {
    await listen(this.server, this.config.managementPort, this.config.managementHost, 'MANAGEMENT_PORT');
  }

  beforeApplicationShutdown(): void {
    this.health.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url === '/health/live') return this.json(response, 200, { status: 'up' });
      if (request.url === '/health/ready') {
        const { ready, checks } = await this.health.read();
        return this.json(response, ready ? 200 : 503, { status: ready ? 'up' : 'down', checks });
      }
      if (request.url === '/metrics') {
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
    response
      .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end(JSON.stringify(body));
  }
}

/** Listens, and where the port is taken says which setting moves it. */
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

/** Another program has the port. */
export class PortInUseError extends Error {
  override readonly name = 'PortInUseError';
  constructor(port: number, setting: string) {
    super(`Port ${port} is in use by another program. Stop it, or choose another port with ${setting}.`);
  }
}
