import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaResource } from '@vitrine/contracts/api';
import { FolderStorage } from '@vitrine/storage';
import { eventually, withinSeconds } from '@vitrine/testing';
import { failLookUps } from './failing-look-ups';
import { playProcessor } from './play-processor';
import { RawConnection } from './raw-http';
import { bmp, gif, png, svg } from './samples';
import { uploadFile } from './upload-file';
import type { Account, UploadHost } from './upload-host';

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id',
};

/** The tests of a file host: what it answers for each address of a file, also behind a proxy that sends the bytes. */
export function servesFiles(start: () => Promise<UploadHost>): void {
  let host: UploadHost;
  let account: Account;
  let storage: FolderStorage;

  beforeAll(async () => {
    host = await start();
    account = await host.createAccount();
    storage = new FolderStorage(host.objects);
  });
  afterAll(async () => {
    await host.close();
  });

  const get = (path: string, init: RequestInit = {}) => fetch(`${host.url}/f/${path}`, init);
  const headersOf = (response: Response) => Object.fromEntries(response.headers);
  const textOf = async (path: string, init?: RequestInit) => (await get(path, init)).text();

  const process = (media: MediaResource, ext: string, mime: string, content: string): Promise<void> =>
    playProcessor(host, media, { ext, mime, content });

  it('is downloaded under its name with ?download, and otherwise shown', async () => {
    const media = await uploadFile(host, account, png(7, 5));
    const dispositionOf = async (path: string) => (await get(path)).headers.get('content-disposition');
    const asked = `attachment; filename="${media.slug}.png"`;
    expect(await dispositionOf(`${media.slug}.png?download`)).toBe(asked);
    const named = (name: string): string => `${asked}; filename*=UTF-8''${name}.png`;
    for (const [title, name] of [
      ['%22%0D%0AX-Evil:%20yes', named('X-Evil%20yes')],
      ['../../.Nebel%20%C3%BCber%5C%E2%80%AEgnp.exe', named('Nebel%20%C3%BCber%20gnp.exe')],
      ['%E9%9C%A7'.repeat(300), named('%E9%9C%A7'.repeat(60))],
      ["Ada's%20(2)", named('Ada%27s%20%282%29')],
      ['%FF%00..%E2%80%8B', asked],
    ] as const)
      expect(await dispositionOf(`${media.slug}.png?download=${title}`)).toBe(name);
    expect(await dispositionOf(`${media.slug}.png`)).toBeNull();
    expect(await dispositionOf('aaaaaaa.png?download')).toBeNull();
  });

  // Promise [files]: Files are immutable for caches, readable from every origin, and in a sandbox.
  it('serves the original as immutable, to every origin, and in a sandbox', async () => {
    const media = await uploadFile(host, account, png(6, 5));
    const response = await get(`${media.slug}.png`);
    expect(response.status).toBe(200);
    expect(headersOf(response)).toMatchObject({
      ...SECURITY,
      'content-type': 'image/png',
      'content-length': String(media.size),
      'cache-control': 'public, max-age=31536000, s-maxage=3600, immutable',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png(6, 5));
    for (const header of ['set-cookie', 'x-ratelimit-limit', 'x-powered-by']) {
      expect(response.headers.has(header)).toBe(false);
    }
  });

  it('serves an SVG with its own type, and in a sandbox', async () => {
    const media = await uploadFile(host, account, svg('<script>alert(1)</script>'));
    const response = await get(`${media.slug}.svg`);
    expect(headersOf(response)).toMatchObject({
      ...SECURITY,
      'content-type': expect.stringMatching(/^image\/svg\+xml/),
    });
    expect(await response.text()).not.toContain('script');
  });

  it('answers HEAD with the same headers and no body', async () => {
    const { slug } = await uploadFile(host, account, png(7, 5));
    const [head, whole] = [await get(`${slug}.png`, { method: 'HEAD' }), await get(`${slug}.png`)];
    const OF_THE_CONNECTION = ['date', 'connection', 'keep-alive', 'x-request-id'];
    const lasting = (response: Response) =>
      [...response.headers].filter(([name]) => !OF_THE_CONNECTION.includes(name));
    expect(lasting(head)).toEqual(lasting(whole));
    expect(await head.text()).toBe('');
  });

  describe('conditions and ranges', () => {
    let path: string;
    let etag: string;
    let bytes: Buffer;
    beforeAll(async () => {
      const { slug } = await uploadFile(host, account, png(50, 40));
      path = `${slug}.png`;
      const response = await get(path);
      etag = response.headers.get('etag')!;
      bytes = Buffer.from(await response.arrayBuffer());
    });

    it('returns 304 for a matching If-None-Match', async () => {
      for (const tag of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
        const response = await get(path, { headers: { 'If-None-Match': tag } });
        expect(response.status).toBe(304);
        expect(headersOf(response)).toMatchObject({
          etag,
          'cache-control': expect.stringContaining('immutable'),
        });
        expect(response.headers.has('content-length')).toBe(false);
      }
      expect((await get(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    });

    // Promise [files]: The file host answers ranges, HEAD and conditional requests.
    it('serves a file, or a range of it, only if If-Match names its tag, and otherwise returns 412', async () => {
      const asked = (ifMatch: string, others: Record<string, string> = {}) =>
        get(path, { headers: { 'If-Match': ifMatch, ...others } });
      for (const tag of [etag, '*', `"other", ${etag}`]) {
        expect((await asked(tag)).status).toBe(200);
        expect((await asked(tag, { Range: 'bytes=0-1' })).status).toBe(206);
        expect((await asked(tag, { 'If-None-Match': etag })).status).toBe(304);
      }
      // A weak tag never matches strictly (RFC 9110, 13.1.1), and If-Match comes before If-None-Match and Range (13.2.2).
      for (const tag of ['"other"', `W/${etag}`]) {
        const further: Record<string, string>[] = [{}, { 'If-None-Match': etag }, { Range: 'bytes=0-1' }];
        for (const others of further) {
          const response = await asked(tag, others);
          expect([response.status, await response.text()]).toEqual([412, '']);
          expect(headersOf(response)).toMatchObject({ 'cache-control': 'no-store', ...SECURITY });
        }
      }
    });

    it.each([
      ['bytes=0-0', 0, 1],
      ['bytes=2-5', 2, 6],
      ['bytes=10-', 10, undefined],
      ['bytes=10-99999999', 10, undefined],
      ['bytes=-7', -7, undefined],
      ['bytes=-99999999', 0, undefined],
    ])('serves %s', async (range, from, to) => {
      const response = await get(path, { headers: { Range: range } });
      const expected = bytes.subarray(from, to);
      const first = from < 0 ? bytes.length + from : from;
      expect(response.status).toBe(206);
      expect(headersOf(response)).toMatchObject({
        'content-range': `bytes ${first}-${first + expected.length - 1}/${bytes.length}`,
        'content-length': String(expected.length),
        etag,
      });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(expected);
    });

    it.each(['bytes=999999-', 'bytes=-0', 'bytes=999999-9999999'])('returns 416 for %s', async (range) => {
      const response = await get(path, { headers: { Range: range } });
      expect(response.status).toBe(416);
      expect(headersOf(response)).toMatchObject({ 'content-range': `bytes */${bytes.length}`, ...SECURITY });
    });

    it('ignores Range in a HEAD request', async () => {
      const response = await get(path, { method: 'HEAD', headers: { Range: 'bytes=0-1' } });
      expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
    });

    it.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=a-b', 'bytes=-', 'lines=1-2', 'bytes'])(
      'ignores %s',
      async (range) => {
        const response = await get(path, { headers: { Range: range } });
        expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, bytes]);
      },
    );

    it('serves a range only if If-Range matches', async () => {
      const ranged = (ifRange: string) => get(path, { headers: { Range: 'bytes=0-1', 'If-Range': ifRange } });
      expect((await ranged(etag)).status).toBe(206);
      for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
        expect((await ranged(other)).status).toBe(200);
      }
    });
  });

  // Promise [files]: Until a size exists, its address serves the original, cacheable for a minute.
  it('serves the original for a missing variant, cacheable for a minute', async () => {
    const media = await uploadFile(host, account, png(12, 9));
    const before = await get(`${media.slug}_xl.png`);
    expect(before.status).toBe(200);
    expect(headersOf(before)).toMatchObject({
      ...SECURITY,
      'content-type': 'image/png',
      'cache-control': 'public, max-age=60, s-maxage=10',
    });
    await process(media, 'png', 'image/png', 'made');
    const after = await get(`${media.slug}_xl.png`);
    expect(after.headers.get('cache-control')).toContain('immutable');
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    expect(await after.text()).toBe('made');
  });

  it('changes the ETag if a variant is replaced by one of the same length', async () => {
    const media = await uploadFile(host, account, png(12, 9));
    const etagOf = async () => (await get(`${media.slug}_xl.png`)).headers.get('etag')!;
    await process(media, 'png', 'image/png', 'made');
    const before = await etagOf();
    expect(await etagOf()).toBe(before);
    await process(media, 'png', 'image/png', 'second version');
    const response = await get(`${media.slug}_xl.png`, { headers: { 'If-None-Match': before } });
    expect([response.status, await response.text()]).toEqual([200, 'second version']);
  });

  it('returns a JSON error if the bytes cannot be read', async () => {
    const [gone, broken] = [
      await uploadFile(host, account, png(5, 5)),
      await uploadFile(host, account, png(5, 5)),
    ];
    const keys = [`f/${gone.slug}.png`, `f/${broken.slug}.png`];
    await storage.delete(keys);
    // A link to itself causes a file system error, also for root.
    const folder = join(host.objects, 'f', broken.slug.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await symlink(`${broken.slug}.png`, join(folder, `${broken.slug}.png`));
    for (const [slug, status] of [
      [gone.slug, 404],
      [broken.slug, 500],
    ] as const) {
      const response = await get(`${slug}.png`);
      expect(response.status).toBe(status);
      expect(response.headers.get('etag')).toBeNull();
      expect(headersOf(response)).toMatchObject({
        'content-type': expect.stringContaining('application/json'),
        'cache-control': 'no-store',
      });
    }
  });

  it('returns 503 if the database does not answer, and asks it once for a request', async () => {
    // A host of its own: the other one may still renew its decisions on files of other tests.
    const fresh = await start();
    try {
      const { slug } = await uploadFile(fresh, await fresh.createAccount(), png(5, 6));
      const getFresh = () => fetch(`${fresh.url}/f/${slug}.png`);
      const { lookUps, answer } = await failLookUps(fresh.database, getFresh);
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { message: 'Service unavailable, please retry.' },
      ]);
      expect(headersOf(answer)).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
      expect(lookUps).toBe(1);
      expect((await getFresh()).status).toBe(200);
    } finally {
      await fresh.close();
    }
  });

  // Promise [files]: A size is served under any extension, with its real type.
  it('returns 503 if the original cannot be served instead, and later the variant under any extension', async () => {
    const media = await uploadFile(host, account, bmp());
    for (const name of ['_xs.jpg', '_thumb.jpg', '_xl.bmp']) {
      const response = await get(media.slug + name);
      expect(response.status).toBe(503);
      expect(headersOf(response)).toMatchObject({
        ...SECURITY,
        'retry-after': '2',
        'cache-control': 'no-store',
      });
    }
    await process(media, 'png', 'image/png', 'made');
    for (const name of ['_xs.jpg', '_thumb.jpg', '_xl.bmp', '_md.webp', '_lg.png']) {
      const response = await get(media.slug + name);
      expect([name, response.status, response.headers.get('content-type'), await response.text()]).toEqual([
        name,
        200,
        'image/png',
        'made',
      ]);
    }
  });

  // Promise [files]: Files of rejected media are 404 within a second, and are served again after `approved`
  // or `pending`.
  it('serves nothing a second after a rejection, and everything again after approved or pending', async () => {
    const media = await uploadFile(host, account, gif());
    await process(media, 'webp', 'image/webp', 'made');
    const names = [`${media.slug}.gif`, `${media.slug}_xs.webp`];
    for (const name of names) expect((await get(name)).status).toBe(200);
    const decide = (status: string) =>
      host.database.query('update media set moderation_status = $2 where id = $1', [media.id, status]);
    const allAnswer = (status: number) =>
      withinSeconds(1, async () => {
        for (const name of names) expect((await get(name)).status).toBe(status);
      });
    await decide('rejected');
    await allAnswer(404);
    expect((await get(names[0]!)).headers.get('cache-control')).toBe('no-store');
    for (const status of ['approved', 'pending']) {
      await decide(status);
      await allAnswer(200);
      await decide('rejected');
      await allAnswer(404);
    }
  });

  it('returns 404 for failed and deleted media', async () => {
    const media = await uploadFile(host, account, gif());
    await host.database.query(`update media set processing_error = 'no' where id = $1`, [media.id]);
    expect((await get(`${media.slug}.gif`)).status).toBe(404);
    const other = await uploadFile(host, account, gif());
    expect((await get(`${other.slug}.gif`)).status).toBe(200);
    await host.database.query('delete from media where id = $1', [other.id]);
    await withinSeconds(1, async () => expect((await get(`${other.slug}.gif`)).status).toBe(404));
  });

  // Promise [files]: A file has one name and spelling; all others are 404.
  it('returns 404 for every other name and spelling', async () => {
    const { slug } = await uploadFile(host, account, png(5, 5));
    const paths = [
      '/f/AAAAAAA.png',
      `/f/${slug}`,
      `/f/${slug}.`,
      `/f/${slug}.jpg`,
      `/f/${slug}_xxl.png`,
      `/f/${slug}_.png`,
      `/f/${slug}.png/`,
      `/f/${slug}.png%00`,
      `/f/%00${slug}.png`,
      `/f/..%2f${slug}.png`,
      `/f/..%2f..%2f..%2fetc%2fpasswd`,
      `/f/../../etc/passwd`,
      `/f/..\\..\\etc\\passwd`,
      `/f/.scratch`,
      `/f/%e2%80%ae${slug}.png`,
      `/f/%ff%fe.png`,
      `/f/%`,
      `/f/${slug}.PNG`,
      `/f/${'a'.repeat(5000)}.png`,
      '/f/',
      '/f',
    ];
    for (const path of paths) {
      const connection = await RawConnection.open(host.url);
      connection.sendHead('GET', path, {});
      const answer = await connection.answer();
      connection.hangUp();
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 404, 'no-store']);
      expect(JSON.parse(answer.body)).toEqual({ message: 'Not found.' });
    }
  });

  it('accepts GET and HEAD only', async () => {
    const { slug } = await uploadFile(host, account, png(5, 5));
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await get(`${slug}.png`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  // Promise [requests]: Requests for files that exist are not limited by number.
  it('ignores tokens and has no rate limit', async () => {
    const { slug } = await uploadFile(host, account, png(5, 5));
    expect((await get(`${slug}.png`, { headers: { Authorization: 'Bearer nonsense' } })).status).toBe(200);
  });

  it('closes the file if the reader leaves before the end', async () => {
    const media = await uploadFile(host, account, png(5, 5));
    const openFiles = async () => (await readdir(`/proc/${host.service.pid}/fd`)).length;
    await process(media, 'png', 'image/png', 'x'.repeat(8_000_000));
    await get(`${media.slug}_xs.png`, { method: 'HEAD' });
    const before = await openFiles();
    for (let i = 0; i < 20; i++) {
      const connection = await RawConnection.open(host.url);
      connection.socket.pause();
      connection.sendHead('GET', `/f/${media.slug}_xs.png`, {});
      connection.socket.once('data', () => connection.hangUp());
      connection.socket.resume();
      await eventually(() => expect(connection.closed).toBe(true));
    }
    await eventually(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 2));
    expect(await textOf(`${media.slug}_xs.png`, { headers: { Range: 'bytes=0-2' } })).toBe('xxx');
  });
}
