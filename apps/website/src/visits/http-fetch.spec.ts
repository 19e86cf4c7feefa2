import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpFetch } from './http-fetch';

describe('httpFetch', () => {
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('sends method, path, headers and text, and returns status, headers and text', async () => {
    let seen: object = {};
    answer = (request, response) => {
      void text(request).then((body) => {
        const { method, url: path, headers } = request;
        seen = { method, path, body, key: headers['x-key'], length: headers['content-length'] };
        response.writeHead(201, { 'X-Request-Id': 'r1', 'Set-Cookie': ['a=1', 'b=2'] }).end('“made”');
      });
    };
    const response = await httpFetch(`${url}/things?a=1`, {
      method: 'POST',
      headers: { 'X-Key': 'k' },
      body: 'à',
    });

    expect(seen).toEqual({ method: 'POST', path: '/things?a=1', body: 'à', key: 'k', length: '2' });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-request-id')).toBe('r1');
    expect(response.headers.get('Set-Cookie')).toBe('a=1, b=2');
    expect(response.headers.get('Location')).toBeNull();
    expect(await response.text()).toBe('“made”');
  });

  it.each(['POST', 'PATCH', 'DELETE'])(
    'sends the whole body of a %s, and then the next request',
    async (method) => {
      answer = (request, response) => {
        void text(request).then((body) => response.end(`${request.method} ${body}`));
      };
      for (const body of ['{"password":"gänsefüßchen"}', '', undefined]) {
        const response = await httpFetch(url, { method, ...(body !== undefined && { body }) });
        expect(await response.text()).toBe(`${method} ${body ?? ''}`);
      }
    },
  );

  it.each([204, 304])('handles %s, which has no body', async (status) => {
    answer = (_, response) => response.writeHead(status).end();
    expect((await httpFetch(url, {})).status).toBe(status);
  });

  it('does not follow redirects', async () => {
    answer = (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end();
    expect((await httpFetch(url, {})).status).toBe(302);
  });

  it('reuses the connection', async () => {
    const ports = new Set<number | undefined>();
    answer = ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('x');
    };
    for (let i = 0; i < 3; i++) await (await httpFetch(url, {})).text();
    expect(ports.size).toBe(1);
  });

  it('rejects if a response is cut off', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('x', () => response.destroy());
    };
    await expect(httpFetch(url, {})).rejects.toThrow();
  });

  it('rejects if its signal aborts, before and during the response', async () => {
    answer = () => undefined;
    await expect(httpFetch(url, { signal: AbortSignal.abort() })).rejects.toThrow();
    await expect(httpFetch(url, { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    const half = new AbortController();
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('x', () => half.abort());
    };
    await expect(httpFetch(url, { signal: half.signal })).rejects.toThrow();
  });

  it('rejects if nothing listens on the port', async () => {
    await expect(httpFetch('http://127.0.0.1:1', {})).rejects.toThrow('ECONNREFUSED');
  });
});
