import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { RuntimeConfig } from '../config/runtime.config';
import { loadConfig } from '../config/setting';
import { Health } from './health';
import { listen, ManagementServer, PortInUseError } from './management-server';

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await listen(probe, 0, '127.0.0.1', 'NONE');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

describe('the management port', () => {
  const health = new Health();
  let server: ManagementServer;
  let base: string;

  beforeAll(async () => {
    const port = await freePort();
    const config = loadConfig(RuntimeConfig, { MANAGEMENT_PORT: String(port) });
    server = new ManagementServer(config, health, new Registry());
    await server.onApplicationBootstrap();
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.onApplicationShutdown());

  it('is alive and unready while the process starts', async () => {
    const port = await freePort();
    const config = loadConfig(RuntimeConfig, { MANAGEMENT_PORT: String(port) });
    const starting = new ManagementServer(config, new Health(), new Registry());
    await new Promise(setImmediate);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(503);
    await starting.onApplicationBootstrap();
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    await starting.onApplicationShutdown();
  });

  it('is alive even if a dependency fails', async () => {
    health.require('broker', () => Promise.reject(new Error('away')));
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    const ready = await fetch(`${base}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'down', checks: { broker: 'down' } });
  });

  it('is ready when every dependency answers', async () => {
    health.require('broker', () => undefined);
    expect(await (await fetch(`${base}/health/ready`)).json()).toEqual({
      status: 'up',
      checks: { broker: 'up' },
    });
  });

  it('serves metrics, and 404 for other paths', async () => {
    const metrics = await fetch(`${base}/metrics`);
    expect(metrics.headers.get('content-type')).toContain('text/plain');
    expect(await metrics.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`${base}/`)).status).toBe(404);
  });

  it('is unready as soon as the process begins to stop', async () => {
    server.beforeApplicationShutdown();
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });
});

describe('listen', () => {
  let taken: Server;
  afterEach(() => new Promise((resolve) => taken.close(resolve)));

  it('names the port and the setting that moves it when the port is taken', async () => {
    taken = createServer();
    await listen(taken, 0, '127.0.0.1', 'NONE');
    const { port } = taken.address() as AddressInfo;
    const attempt = listen(createServer(), port, '127.0.0.1', 'API_PORT');
    await expect(attempt).rejects.toThrow(PortInUseError);
    await expect(attempt).rejects.toThrow(
      `Port ${port} is in use by another program. Stop it, or choose another port with API_PORT.`,
    );
  });
});
