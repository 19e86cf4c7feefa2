import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { FolderStorage } from '@vitrine/storage';
import { eventually } from '@vitrine/testing';
import { MULTIPART_TYPE, multipart } from './support/raw-http';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { useUploadHost } from './support/upload-host';

const REQUESTS = 12;
const MISSES = 2 * REQUESTS;
const OPTIONS = 20 * REQUESTS;
const SHARE = 3;
/** More than the system buffers of a connection. */
const LARGE = 32 * 1024 ** 2;

interface Asked {
  readonly from?: string;
  readonly method?: string;
  readonly hosts?: readonly string[];
}

describe('in front of the file host', () => {
  const host = useUploadHost({
    TRUSTED_PROXIES: '127.0.0.1',
    MAX_CONCURRENT_FILES: String(4 * SHARE),
    RATE_LIMIT_PUBLIC_PER_MINUTE: String(REQUESTS),
  });
  let sockets: Socket[];
  /** Path of a stored picture. */
  let path: string;
  /** Path of a file that is larger than a connection's buffers. */
  let largePath: string;

  beforeAll(async () => {
    const account = await host.createAccount();
    const [small, large] = [
      await uploadFile(host, account, png(6, 5)),
      await uploadFile(host, account, png(7, 5)),
    ];
    await new FolderStorage(host.objects).put(`f/${large.slug}.png`, Buffer.alloc(LARGE));
    path = `/f/${small.slug}.png`;
    largePath = `/f/${large.slug}.png`;
  });
  beforeEach(() => (sockets = []));
  afterEach(() => sockets.forEach((socket) => socket.destroy()));

  const open = (): Socket => {
    const { hostname, port } = new URL(host.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };
  let addresses = 0;
  const newAddress = (): string => `2001:db8:0:${(++addresses).toString(16)}::1`;
  const head = (target: string, { from = newAddress(), method = 'GET', hosts = ['test'] }: Asked): string =>
    [
      `${method} ${target} HTTP/1.1`,
      ...hosts.map((one) => `Host: ${one}`),
      `X-Forwarded-For: ${from}`,
      'Connection: close',
      '',
      '',
    ].join('\r\n');
  /** Sends the target unchanged, and returns the whole answer. */
  const ask = async (target: string, asked: Asked = {}) => {
    const socket = open();
    socket.setEncoding('latin1').write(head(target, asked));
    const [answerHead = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const [statusLine = '', ...lines] = answerHead.split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
    return { status: Number(statusLine.split(' ')[1]), headers, body };
  };
  /** A reader that reads the first bytes and then stops. */
  const read = async (from: string, target = largePath): Promise<Socket> => {
    const socket = open();
    socket.write(head(target, { from }));
    await new Promise((resolve) => socket.once('readable', resolve));
    return socket;
  };

  // Promise [requests]: A path has exactly one spelling.
  it('serves a file under one spelling of its path only, and counts requests for other spellings', async () => {
    const slug = path.slice(3, 10);
    for (const target of [
      `/F/${slug}.png`,
      `//f/${slug}.png`,
      `/f//${slug}.png`,
      `/f/${slug}.png/`,
      `/f/./${slug}.png`,
      `/x/../f/${slug}.png`,
      `/%66/${slug}.png`,
      `/f%2F${slug}.png`,
      `/f/${slug}%2Epng`,
      `/f/%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}.png`,
      `/f/${slug}.PNG`,
      `http://test/F/${slug}.png`,
      `http://test//f/${slug}.png`,
      '/API/v1/media',
      '/api/v1/media//',
      '/api/v1/%6dedia',
    ]) {
      const { status, headers, body } = await ask(target);
      expect([target, status, body]).toEqual([target, 404, '{"message":"Not found."}']);
      const isFile = target === `/f/${slug}.PNG`;
      expect([target, headers.get('X-RateLimit-Remaining')]).toEqual([
        target,
        isFile ? null : String(REQUESTS - 1),
      ]);
      expect(headers.get('Content-Security-Policy')).toMatch(isFile ? /^sandbox;/ : /^default-src 'none';/);
    }
  });

  it.each(['PATCH', 'PUT', 'DELETE'])('answers 405 to %s on media, and names the API', async (method) => {
    const form = new Uint8Array(multipart({ name: 'file', filename: 'a.png', body: png(2, 2) }));
    for (const [target, allowed] of [
      ['/api/v1/media', 'POST'],
      ['/api/v1/media/aB3dE5f', 'OPTIONS'],
    ] as const) {
      const headers = { 'Content-Type': MULTIPART_TYPE };
      const answer = await fetch(host.url + target, { method, headers, body: form });
      expect([answer.status, answer.headers.get('Allow'), await answer.json()]).toEqual([
        405,
        allowed,
        {
          message: `The ${method} method is not supported for this route. This host only accepts new files, by POST. Read, change and delete media at http://api.test/api/v1/media.`,
        },
      ]);
    }
  });

  // Promise [requests]: A target in absolute form that names this host is treated as its path.
  it('treats a target in absolute form that names this host as its path', async () => {
    for (const [target, hosts] of [
      [`http://test${path}`, ['test']],
      [`HTTP://TEST:80${path}`, ['test']],
      [`http://cdn.test${path}`, ['other']],
    ] as const) {
      const { status, headers } = await ask(target, { hosts });
      expect([target, status, headers.get('Content-Type')]).toEqual([target, 200, 'image/png']);
      expect(headers.get('Content-Security-Policy')).toMatch(/^sandbox;/);
      expect(headers.get('X-RateLimit-Limit')).toBeNull();
    }
  });

  it('answers 400 to a target of another host, to two Host headers and to none', async () => {
    const unreadable = '{"message":"The request could not be read."}';
    for (const [target, hosts] of [
      [`http://elsewhere.test${path}`, ['test']],
      [path, ['test', 'test']],
      [path, ['test', 'elsewhere.test']],
      [path, []],
      [path, ['test/f']],
    ] as const) {
      const { status, headers, body } = await ask(target, { hosts });
      expect([status, body, headers.get('X-Content-Type-Options')]).toEqual([400, unreadable, 'nosniff']);
    }
  });

  // Promise [requests]: Each address has a share of the places for readers of files.
  it('limits the idle readers of one address to its share, also with targets in absolute form, and serves others', async () => {
    const greedy = '2001:db8:ffff:1::1';
    await read(greedy);
    await read(greedy, `http://test${largePath}`);
    const last = await read(greedy);
    for (const target of [path, `http://test${path}`]) {
      const refused = await ask(target, { from: '2001:db8:ffff:1:2:3:4:5' });
      expect([refused.status, refused.body]).toEqual([429, '{"message":"Too Many Attempts."}']);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      expect(refused.headers.get('X-RateLimit-Limit')).toBeNull();
    }
    expect((await ask(path, { from: '2001:db8:ffff:2::1' })).status).toBe(200);
    last.destroy();
    await eventually(async () => expect((await ask(path, { from: greedy })).status).toBe(200));
  });

  // Promise [requests]: Requests of one address for missing files are limited.
  it('limits an address’s requests for files that do not exist, but not its other requests nor those of others', async () => {
    const from = newAddress();
    for (let miss = 0; miss < MISSES; miss++) {
      const { status, headers } = await ask(`/f/aaaa${10 + miss}a.png`, { from });
      expect([status, headers.get('X-RateLimit-Limit')]).toEqual([404, null]);
    }
    for (const missing of ['/f/aaaaaaa.png', '/f/none', '/f/..png', '/f/a/aaaaaaa.png', '/f/a/b/c']) {
      const { status, headers, body } = await ask(missing, { from });
      expect([missing, status, body]).toEqual([missing, 429, '{"message":"Too Many Attempts."}']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('Retry-After'))).toBeLessThanOrEqual(60);
    }
    for (let hit = 0; hit < 2 * MISSES; hit++) expect((await ask(path, { from })).status).toBe(200);
    expect((await ask('/f/aaaaaaa.png')).status).toBe(404);
  });

  it('limits OPTIONS separately, for files and uploads together', async () => {
    const from = newAddress();
    const statuses = [];
    for (let asked = 0; asked < OPTIONS + 2; asked++) {
      const { status, headers } = await ask(asked % 2 ? path : '/api/v1/media', { from, method: 'OPTIONS' });
      statuses.push(status);
      if (status === 204) expect(headers.get('Access-Control-Max-Age')).toBe('86400');
      else expect(Number(headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    }
    expect(statuses).toEqual([...Array.from({ length: OPTIONS }, () => 204), 429, 429]);
    expect((await ask(path, { from })).status).toBe(200);
  });

  it('reads hostile names and fields of an upload as fast as ordinary ones', async () => {
    const { token } = await host.createAccount();
    const marks = '\u0300\u0316'.repeat(500_000);
    const processorSeconds = async (): Promise<number> => {
      const metrics = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
      return Number(/^process_cpu_seconds_total ([\d.e+-]+)$/m.exec(metrics)?.[1]);
    };
    const before = await processorSeconds();
    const file = { name: 'file', filename: 'a.png', body: png(2, 2) };
    for (const parts of [
      [{ name: 'post_id', body: marks }, file],
      [{ name: 'title', body: marks }, file],
      [{ ...file, filename: `${marks.slice(0, 7000)}.png` }],
      [{ ...file, filename: `${';a="\\'.repeat(3000)}` }],
      [{ name: marks.slice(0, 7000), body: 'x' }, file],
    ]) {
      const response = await fetch(`${host.url}/api/v1/media`, {
        method: 'POST',
        body: new Uint8Array(multipart(...parts)),
        headers: { 'Content-Type': MULTIPART_TYPE, Authorization: `Bearer ${token}` },
      });
      expect(response.status).toBeLessThan(500);
    }
    expect((await processorSeconds()) - before).toBeLessThan(3);
  });
});
