import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { loadConfig, PublicServerConfig } from '@vitrine/runtime';
import { eventually } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { HttpConfig } from '../config/http.config';
import { type AnswerTimeLimits, type RequestLane, Overload } from './overload';
import { RequestClients } from '../clients/request-clients';

/** No limit per address. */
const perAddress = 1000;

/** All that Jest can replace and a request needs: only intervals are left. */
const OTHER_TIMERS = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

describe('Overload', () => {
  let overload: Overload;
  let server: Server;
  /** Requests by path that have reached the handler and are not answered yet. */
  let atWork: Map<string, ServerResponse>;
  let arrived: (path: string) => void;
  let addresses = 0;
  /** Each request comes from its own address unless a test says otherwise. */
  const nextAddress = (): string => `198.51.100.${addresses++ % 250}`;

  const start = async (lanes: readonly RequestLane[], patience?: AnswerTimeLimits): Promise<void> => {
    atWork = new Map();
    arrived = () => undefined;
    overload = new Overload(
      new Registry(),
      new RequestClients(
        loadConfig(HttpConfig, {}),
        loadConfig(PublicServerConfig, { TRUSTED_PROXIES: '127.0.0.1' }),
      ),
    );
    const limit = overload.limit(lanes, { 'X-Content-Type-Options': 'nosniff' }, patience);
    server = createServer((request, response) =>
      limit(request, response, () => {
        atWork.set(request.url ?? '', response);
        arrived(request.url ?? '');
      }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  afterEach(async () => {
    overload.onApplicationShutdown();
    jest.useRealTimers();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const ask = async (path: string, from = nextAddress()): Promise<number> => {
    const { status } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      headers: { 'X-Forwarded-For': from },
    });
    return status;
  };
  /** Sends a request, and resolves when the handler has it. */
  const begin = async (path: string, from?: string): Promise<{ readonly status: Promise<number> }> => {
    const reached = new Promise<void>((resolve) => {
      arrived = (handled) => handled === path && resolve();
    });
    const status = ask(path, from);
    await reached;
    return { status };
  };
  const finish = (path: string): void => {
    atWork.get(path)?.end('done');
    atWork.delete(path);
  };

  /** Nothing looks how long requests wait: on a busy machine, a test takes longer than they may wait. */
  const stopTicks = (): void => void jest.useFakeTimers({ doNotFake: OTHER_TIMERS });

  it('serves the latest request first, and refuses the one that has waited longest for a new one', async () => {
    stopTicks();
    await start([{ start: '', limit: 1, waiting: 2, perAddress }]);
    const order: string[] = [];
    arrived = (path) => void order.push(path);
    const statuses: Promise<number>[] = [];
    for (const path of ['/a', '/b', '/c', '/d']) {
      const admitted = once(server, 'request');
      statuses.push(ask(path));
      await admitted;
    }
    expect(await statuses[1]).toBe(503);
    for (const path of ['/a', '/d', '/c']) {
      await eventually(() => expect(order).toContain(path));
      finish(path);
    }
    expect(await Promise.all(statuses)).toEqual([200, 503, 200, 200]);
    expect(order).toEqual(['/a', '/d', '/c']);
  });

  it('frees the places of a client that pipelined several requests and closed the connection', async () => {
    await start([{ start: '', limit: 4, waiting: 0, perAddress }]);
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(
      ['/a', '/b', '/c', '/d']
        .map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${nextAddress()}\r\n\r\n`)
        .join(''),
    );
    await eventually(() => expect(atWork.size).toBe(4));
    expect(await ask('/e')).toBe(503);
    const goes = [...atWork.values()].map(({ req }) => once(req.socket, 'close'));
    client.destroy();
    await Promise.all(goes);
    const others = [];
    for (const path of ['/f', '/g', '/h', '/i']) others.push(await begin(path));
    ['/f', '/g', '/h', '/i'].forEach(finish);
    expect(await Promise.all(others.map(({ status }) => status))).toEqual([200, 200, 200, 200]);
  });

  it('limits the places of one connection that pipelines many requests', async () => {
    await start([{ start: '', limit: 100, waiting: 100, perAddress }]);
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    client.setEncoding('latin1').on('data', (part: string) => (text += part));
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
    await eventually(() => expect(atWork.size).toBe(16));
    const { status } = await begin('/other');
    paths.slice(0, 16).forEach(finish);
    finish('/other');
    expect(await status).toBe(200);
    await eventually(() => expect(text.match(/HTTP\/1\.1 \d+/g)).toHaveLength(60));
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(16);
    // Answered requests free their places.
    const again = new Promise<void>((resolve) => (arrived = () => resolve()));
    client.write('GET /again HTTP/1.1\r\nHost: a\r\n\r\n');
    await again;
    client.destroy();
  });

  it('limits each lane separately', async () => {
    await start([
      { start: '/f/', limit: 1, waiting: 0, perAddress },
      { start: '', limit: 1, waiting: 0, perAddress },
    ]);
    const { status: file } = await begin('/f/one');
    expect(await ask('/f/two')).toBe(503);
    const { status: other } = await begin('/other');
    expect(await ask('/another')).toBe(503);
    finish('/f/one');
    finish('/other');
    expect(await Promise.all([file, other])).toEqual([200, 200]);
    const { status: again } = await begin('/f/three');
    finish('/f/three');
    expect(await again).toBe(200);
  });

  it('refuses a request that has waited too long, also without new requests', async () => {
    await start([{ start: '', limit: 1, waiting: 10, perAddress }]);
    const { status } = await begin('/first');
    expect(await Promise.all(['/a', '/b', '/c'].map((path) => ask(path)))).toEqual([503, 503, 503]);
    finish('/first');
    expect(await status).toBe(200);
  });

  // Promise [security]: Each address has a share of the requests in progress.
  it('refuses the requests of one address beyond its share with 429, and serves others', async () => {
    await start([{ start: '', limit: 9, waiting: 0, perAddress: 3 }]);
    const greedy = '2001:db8:1:2::1';
    const held = [];
    for (const path of ['/a', '/b', '/c']) held.push(await begin(path, greedy));
    // The whole /64 has one share.
    expect(await ask('/d', '2001:db8:1:2:3:4:5:6')).toBe(429);
    const other = await begin('/other', '2001:db8:1:3::1');
    finish('/a');
    expect(await held[0]?.status).toBe(200);
    const next = await begin('/e', greedy);
    ['/b', '/c', '/e', '/other'].forEach(finish);
    expect(await Promise.all([held[1]?.status, next.status, other.status])).toEqual([200, 200, 200]);
  });

  it('leaves places for others in a lane of long requests, for any number of greedy addresses', async () => {
    await start([{ start: '', limit: 16, waiting: 0, perAddress: 16 }]);
    const statuses: Promise<number>[] = [];
    for (const [address, places] of [8, 4, 2, 1].entries()) {
      const from = `192.0.2.${address}`;
      for (let place = 0; place < places; place++) {
        const { status } = await begin(`/${statuses.length}`, from);
        statuses.push(status);
      }
      expect(await ask('/refused', from)).toBe(429);
    }
    expect(overload.isCrowded('')).toBe(true);
    [...atWork.keys()].forEach(finish);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(overload.isCrowded('')).toBe(false);
  });

  it('serves others before an address that has its share, and that address when it has a free place', async () => {
    stopTicks();
    await start([{ start: '', limit: 4, waiting: 4, perAddress: 1 }]);
    const first = await begin('/first', '192.0.2.1');
    const admitted = once(server, 'request');
    const second = ask('/second', '192.0.2.1');
    await admitted;
    const other = await begin('/other', '192.0.2.2');
    expect(atWork.has('/second')).toBe(false);
    finish('/first');
    await eventually(() => expect(atWork.has('/second')).toBe(true));
    finish('/second');
    finish('/other');
    expect(await Promise.all([first.status, second, other.status])).toEqual([200, 200, 200]);
  });

  it('frees the places of clients that do not read their answers', async () => {
    stopTicks();
    await start([{ start: '', limit: 4, waiting: 0, perAddress }], { usually: 60_000, crowded: 100 });
    const { port } = server.address() as AddressInfo;
    const idle = ['/a', '/b', '/c', '/d'].map((path) => {
      const client = connect(port, '127.0.0.1').pause();
      client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${nextAddress()}\r\n\r\n`);
      return client;
    });
    await eventually(() => expect(atWork.size).toBe(4));
    // More than the system buffers for a client that reads nothing.
    for (const response of atWork.values()) response.end(Buffer.alloc(32 << 20));
    expect(await ask('/refused')).toBe(503);
    arrived = finish;
    await eventually(async () => {
      jest.advanceTimersByTime(50);
      expect(await ask('/other')).toBe(200);
    });
    for (const client of idle) client.destroy();
  });
});
