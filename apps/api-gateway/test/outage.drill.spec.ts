import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { createTestDatabase, freePort, type ServiceProcess, startService } from '@vitrine/testing';
import { askUrl } from './gateway';

/** A proxy in front of the tests' PostgreSQL whose connections can be cut. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  readonly url: string;
  private readonly target: NetConnectOpts;

  constructor(
    databaseUrl: string,
    private readonly port: number,
  ) {
    const url = new URL(databaseUrl);
    const folder = url.searchParams.get('host');
    const databasePort = Number(url.port || 5432);
    this.target = folder
      ? { path: `${folder}/.s.PGSQL.${databasePort}` }
      : { host: url.hostname, port: databasePort };
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(port);
    this.url = url.toString();
  }

  async join(): Promise<void> {
    this.server = createServer((near) => {
      const far = connect(this.target);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => [near, far].forEach((end) => end.destroy()));
      }
      near.pipe(far).pipe(near);
    }).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async cut(): Promise<void> {
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }
}

/** A load balancer in front of one process: it answers 502 itself unless the process is ready. */
async function balance({ url, managementUrl }: ServiceProcess): Promise<{ url: string; server: Server }> {
  const server = createHttpServer(async (incoming, response) => {
    const ready = await fetch(`${managementUrl}/health/ready`);
    if (!ready.ok) return void response.writeHead(502).end('{"message":"no backend"}');
    const { method, headers, url: path } = incoming;
    const forwarded = request(url + path, { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('while the database is unreachable', () => {
  // Promise [requests]: During an outage of PostgreSQL the API answers 503 with `Retry-After`, stays ready,
  // and recovers automatically.
  it('answers 503 with Retry-After, also behind a load balancer, and recovers automatically', async () => {
    const database = await createTestDatabase();
    const wire = new Wire(database.url, await freePort());
    await wire.join();
    const gateway = await startService('api-gateway', { env: { DATABASE_URL: wire.url } });
    const balancer = await balance(gateway);
    const api = `${balancer.url}/api/v1`;
    const up = async (): Promise<unknown> =>
      /^vitrine_database_up (\d)$/m.exec(await (await fetch(`${gateway.managementUrl}/metrics`)).text())?.[1];
    try {
      const body = { username: 'ada', password: 'correct horse battery' };
      const session = String((await askUrl('POST', `${api}/auth/register`, { body })).body['session']);
      expect((await askUrl('GET', `${api}/me`, { token: session })).status).toBe(200);

      await wire.cut();
      for (const ask of [{ token: session }, {}]) {
        const answer = await askUrl('GET', `${api}/media/abcdefg`, ask);
        expect(answer).toMatchObject({
          status: 503,
          body: { message: 'Service unavailable, please retry.' },
        });
        expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
        expect(answer.headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
      }
      expect((await askUrl('GET', `${gateway.managementUrl}/health/live`)).status).toBe(200);
      expect(await up()).toBe('0');

      await wire.join();
      expect((await askUrl('GET', `${api}/me`, { token: session })).status).toBe(200);
      expect(gateway.output()).not.toContain('"level":"error"');
    } finally {
      balancer.server.close();
      expect(await gateway.stop()).toBe(0);
      await wire.cut();
      await database.drop();
    }
  });
});

describe('if its port is in use', () => {
  it('names the port and the setting, and exits', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const database = await createTestDatabase();
    try {
      const start = startService('api-gateway', {
        env: { DATABASE_URL: database.url, API_PORT: String(port) },
      });
      await expect(start).rejects.toThrow(
        `Port ${port} is in use by another program. Stop it, or choose another port with API_PORT.`,
      );
    } finally {
      server.close();
      await database.drop();
    }
  });
});
