import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@vitrine/testing';
import { ClientAddresses } from './client-address';
import { guardServer } from './guard-server';
import { isMisspelt } from './request-target';

describe('a guarded server', () => {
  let server: Server;
  let sockets: Socket[];

  const start = async (
    connections = { maxConnections: 100, maxConnectionsPerAddress: 100 },
    proxies: readonly string[] = [],
  ): Promise<void> => {
    sockets = [];
    server = createServer((request, response) => {
      const told = [isMisspelt(request) ? 'misspelt' : 'exact', request.url, request.headers.host];
      request.resume().once('end', () => response.end(JSON.stringify(told)));
    });
    guardServer(server, {
      addresses: new ClientAddresses(proxies),
      connections,
      urls: ['https://Files.Example.org/f', 'http://upload.example.org:3001'],
      answer: (message) => ({ headers: { 'X-Kind': 'plain' }, body: message }),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  /** Sends these lines, and returns the answer up to the end of the connection. */
  const say = async (...lines: readonly string[]): Promise<string> => {
    const socket = await open();
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
    return text(socket);
  };
  const get = async (target: string): Promise<unknown> => {
    const answer = await say(`GET ${target} HTTP/1.1`, 'Host: here.test:8080');
    return answer.startsWith('HTTP/1.1 200 ')
      ? JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
      : answer.split('\r\n')[0];
  };
  const BAD = 'HTTP/1.1 400 Bad Request';

  it.each([
    '/',
    '/f/aB3dE5f_xs.png',
    '/f/a?x=/../%2e//',
    '/t/two%20words',
    '/t/%C3%A9%c3%a9',
    "/a-b.c_d~e!$&'()*+,;=:@",
    '/...',
    '/a%25b',
  ])('does not change the target %s', async (target) => {
    await start();
    expect(await get(target)).toEqual(['exact', target, 'here.test:8080']);
  });

  it.each([
    '//f/a.png',
    '/f//a.png',
    '/f/',
    '/f/a.png/',
    '/f/./a.png',
    '/f/../f/a.png',
    '/f/..',
    '/.',
    '/%66/a.png',
    '/f%2Fa.png',
    '/f/%2e%2e/a.png',
    '/f/a%2Epng',
    '/f/%00a.png',
    '/f/a%7F',
    '/f/%5Ca',
    '/f/a\\b',
    '/f/%zz',
    '/f/%',
    '/f/%ff%fe',
    '/f/a"b',
    '/f/a%7Eb',
    '/F%69/a',
  ])('marks %s as misspelt', async (target) => {
    await start();
    expect(await get(target)).toEqual(['misspelt', target, 'here.test:8080']);
  });

  it('treats an absolute target that names this host as its path', async () => {
    await start();
    expect(await get('http://here.test:8080/f/a.png?b')).toEqual(['exact', '/f/a.png?b', 'here.test:8080']);
    expect(await get('HTTPS://FILES.example.org/f/a.png')).toEqual([
      'exact',
      '/f/a.png',
      'FILES.example.org',
    ]);
    expect(await get('https://files.example.org:443')).toEqual(['exact', '/', 'files.example.org:443']);
    expect(await get('http://upload.example.org:3001?q')).toEqual([
      'exact',
      '/?q',
      'upload.example.org:3001',
    ]);
    expect(await get('http://here.test:8080//f/a.png')).toEqual(['misspelt', '//f/a.png', 'here.test:8080']);
  });

  it.each([
    'http://elsewhere.test/f/a.png',
    'http://here.test/f/a.png',
    'http://here.test:8080@elsewhere.test/',
    'http://user@here.test:8080/',
    'ftp://here.test:8080/f/a.png',
    'http:///f/a.png',
    'http://here.test:8080:80/',
    '*',
    '/f/a.png#part',
  ])('answers 400 to the target %s', async (target) => {
    await start();
    expect(await get(target)).toBe(BAD);
  });

  // Promise [requests]: Two `Host` headers, none in HTTP/1.1, or an invalid one give 400.
  it('answers 400 to two Host headers, to none in HTTP/1.1, and to an invalid one', async () => {
    await start();
    const answers = [
      await say('GET / HTTP/1.1', 'Host: here.test', 'Host: here.test'),
      await say('GET / HTTP/1.1', 'Host: here.test', 'hOST: elsewhere.test'),
      await say('GET / HTTP/1.1'),
      await say('GET / HTTP/1.1', 'Host: here.test/f/'),
      await say('GET / HTTP/1.1', `Host: ${'a'.repeat(301)}`),
    ];
    for (const answer of answers) {
      expect(answer.split('\r\n')[0]).toBe(BAD);
      expect(answer).toContain('X-Kind: plain');
      expect(answer).toContain('\r\n\r\nThe request could not be read.');
    }
    expect(await say('GET / HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await say('OPTIONS * HTTP/1.1', 'Host: [::1]:3000')).toMatch(/^HTTP\/1\.1 200 /);
  });

  // Promise [security]: Each address has a share of a port’s connections.
  it('limits the connections of one address to its share, idle ones included', async () => {
    await start({ maxConnections: 8, maxConnectionsPerAddress: 3 });
    const held = [await open(), await open(), await open()];
    const refused = await open();
    refused.write('GET / HTTP/1.1\r\nHost: here.test\r\n\r\n');
    const answer = await text(refused);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    held[0]?.destroy();
    await eventually(async () => expect(await get('/')).toEqual(['exact', '/', 'here.test:8080']));
  });

  it('limits a trusted proxy’s connections only by the total', async () => {
    await start({ maxConnections: 4, maxConnectionsPerAddress: 1 }, ['127.0.0.1']);
    const held = [await open(), await open(), await open(), await open()];
    expect(await get('/')).toBe('HTTP/1.1 503 Service Unavailable');
    held[0]?.destroy();
    await eventually(async () => expect(await get('/')).toEqual(['exact', '/', 'here.test:8080']));
  });

  const ended = (socket: Socket): Promise<unknown> =>
    new Promise((resolve) => socket.resume().once('close', resolve));
  const AHEAD = 'GET / HTTP/1.1\r\nHost: here.test\r\n\r\n';

  it('answers requests that are sent ahead of their answers', async () => {
    await start();
    const socket = await open();
    socket.write(AHEAD.repeat(60) + AHEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    expect((await text(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(61);
  });

  it.each([
    ['sends thousands of requests ahead', AHEAD.repeat(2000)],
    [
      'sends a body byte by byte',
      `POST / HTTP/1.1\r\nHost: here.test\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(3000)}`,
    ],
  ])('closes a connection that %s, and blocks its address', async (_, bytes) => {
    await start();
    const greedy = await open();
    greedy.write(bytes);
    await ended(greedy);
    expect(await get('/')).toBe('HTTP/1.1 429 Too Many Requests');
  });

  it('accepts a body in small chunks that are not tiny', async () => {
    await start();
    const piece = `40\r\n${'a'.repeat(64)}\r\n`;
    const head =
      'POST / HTTP/1.1\r\nHost: here.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    const socket = await open();
    socket.write(`${head}${piece.repeat(3000)}0\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('does not block a trusted proxy', async () => {
    await start(undefined, ['127.0.0.1']);
    const greedy = await open();
    greedy.write(AHEAD.repeat(2000));
    await ended(greedy);
    expect(await get('/')).toEqual(['exact', '/', 'here.test:8080']);
  });
});
