import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import {
  describeWithNginx,
  eventually,
  type S3Fault,
  type ServiceProcess,
  startNginx,
  startSendingNginx,
  startS3,
  startService,
  type TestS3,
} from '@vitrine/testing';
import { FolderStorage, type ObjectStorage } from '@vitrine/storage';
import type { MediaResource } from '@vitrine/contracts/api';
import { startUploadHostBehindNginx } from './support/sending-hosts';
import { playProcessor } from './support/play-processor';
import { bmp, png } from './support/samples';
import { CONDITIONS, expectSameAnswer } from './support/same-answer';
import { uploadFile } from './support/upload-file';
import { type Account, type UploadHost } from './support/upload-host';

/** Adds alternatives to a processed media item, without the work of a media-processor. */
async function addAlternatives(host: UploadHost, slug: string, storage: ObjectStorage): Promise<void> {
  const alternatives = await Promise.all(
    (['avif', 'webp'] as const).map(async (ext, index) => {
      const content = ext.repeat(1000 + index);
      await storage.put(`f/${slug}_xs.${ext}`, Buffer.from(content));
      return { of: `f/${slug}_xs.jpg`, key: `f/${slug}_xs.${ext}`, ext, bytes: content.length };
    }),
  );
  await host.database.query('update media set alternatives = $1 where slug = $2', [
    JSON.stringify(alternatives),
    slug,
  ]);
}

/** Values of `Accept`, and the type that a size with both alternatives has for them. */
const ACCEPTS: readonly (readonly [accept: string, type: string])[] = [
  ['*/*', 'image/jpeg'],
  ['image/avif,image/webp,image/apng,image/*,*/*;q=0.8', 'image/avif'],
  ['image/webp,*/*', 'image/webp'],
  ['Image/AVIF , */*', 'image/avif'],
  ['image/avif;q=0.9,image/webp;q=0.9,*/*;q=0.5', 'image/avif'],
  ['image/avif;q=0,image/webp', 'image/webp'],
  ['image/avif;q=0.5,image/jpeg', 'image/jpeg'],
];

describeWithNginx('FILE_SENDING=x-accel behind nginx', () => {
  let host: UploadHost;
  let account: Account;
  let path: string;
  /** Sends the same files itself. */
  let own: ServiceProcess;
  const content = 'x'.repeat(300_000);

  beforeAll(async () => {
    host = await startUploadHostBehindNginx();
    account = await host.createAccount();
    const media = await uploadFile(host, account, png(9, 8));
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content });
    path = `/f/${media.slug}_md.png`;
    own = await startService('upload-service', {
      env: { DATABASE_URL: host.databaseUrl, STORAGE_URL: `file://${host.objects}` },
    });
  });
  afterAll(async () => {
    await own.stop('SIGKILL');
    await host.close();
  });

  const get = (target: string, init: RequestInit = {}): Promise<Response> => fetch(host.url + target, init);
  const direct = (target: string, init: RequestInit = {}): Promise<Response> =>
    fetch(host.service.url + target, init);
  const stored = (): string => {
    const name = path.slice('/f/'.length).replace('_md', '_xs');
    return `f/${name.slice(0, 2)}/${name}`;
  };

  it('lets nginx send the bytes', async () => {
    const decision = await direct(path);
    expect([decision.status, await decision.text()]).toEqual([200, '']);
    expect(decision.headers.get('x-accel-redirect')).toBe(`/vitrine-files/whole/${stored()}`);
    const answer = await get(path);
    expect(await answer.text()).toBe(content);
    expect(answer.headers.get('x-accel-redirect')).toBeNull();
  });

  it.each(CONDITIONS)('answers as the process itself does: %s', async (_, init) => {
    await expectSameAnswer(host.url + path, own.url + path, init);
  });

  it('sends the format that the client accepts, as the process itself does', async () => {
    const media = await uploadFile(host, account, bmp());
    await playProcessor(host, media, { ext: 'jpg', mime: 'image/jpeg', content: 'j'.repeat(5000) });
    await addAlternatives(host, media.slug, new FolderStorage(host.objects));
    const size = `/f/${media.slug}_md.jpg`;
    // From the second answer on, nginx knows the decisions.
    for (let times = 0; times < 3; times++) {
      for (const [accept, type] of ACCEPTS) {
        const init = { headers: { Accept: accept } };
        await expectSameAnswer(host.url + size, own.url + size, init);
        const answer = await get(size, init);
        expect([accept, answer.headers.get('content-type')]).toEqual([accept, type]);
        expect(answer.headers.get('vary')).toBe('Accept');
        const { status } = await get(size, {
          headers: { Accept: accept, 'If-None-Match': answer.headers.get('etag')! },
        });
        expect(status).toBe(304);
      }
    }
    const range = { Accept: 'image/avif', Range: 'bytes=0-3' };
    const part = await get(size, { headers: range });
    expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([
      206,
      'image/avif',
      'avif',
    ]);
  });

  it('lets the website, which asks without nginx and with If-Match, read the bytes', async () => {
    const answer = await direct(path, { headers: { 'If-Match': '*' } });
    expect(answer.headers.get('x-accel-redirect')).toBeNull();
    expect(await answer.text()).toBe(content);
  });

  it('keeps the id of a request, and answers downloads', async () => {
    const answer = await get(`${path}?download`, { headers: { 'X-Request-Id': 'an-id-of-the-client' } });
    expect(answer.headers.get('x-request-id')).toBe('an-id-of-the-client');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
  });

  it('passes on the answer to an upload that is refused before its body has arrived', async () => {
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x', Authorization: 'Bearer wrong' };
    const sent = request(`${host.url}/api/v1/media`, { method: 'POST', headers });
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(64 * 1024);
      })(),
    );
    // The connection is closed while the client still sends.
    sent.on('error', () => undefined);
    endless.pipe(sent);
    const [refused] = (await once(sent, 'response')) as [IncomingMessage];
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([
      401,
      expect.stringContaining('application/json'),
    ]);
    sent.destroy();
  });

  it('keeps a decision on a popular file for a quarter of a second', async () => {
    const decisions = async (): Promise<number> => {
      const text = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
      const lines = text
        .split('\n')
        .filter((line) => /^vitrine_http_request_seconds_count{.*"\/f\/:name"/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await decisions();
    const begunAt = performance.now();
    for (let i = 0; i < 200; i++) expect(await (await get(path)).text()).toBe(content);
    const quarters = Math.ceil((performance.now() - begunAt) / 250) + 1;
    // There are at most two decisions in a quarter of a second, because nginx keeps only the second one.
    expect((await decisions()) - before).toBeLessThanOrEqual(2 * quarters);
  });

  it('answers 404, which no cache keeps, if nginx does not find an object', async () => {
    const front = await startSendingNginx({ upload: host.service.url, objects: '/nonexistent' });
    try {
      const answer = await fetch(front.url + path);
      expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not found.' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-type')).toBe('application/json');
    } finally {
      await front.stop();
    }
  });

  it('lets no client reach the internal addresses, or choose one by a header', async () => {
    for (const target of [
      `/vitrine-files/whole/${stored()}`,
      `/vitrine-files/part/${stored()}`,
      '/vitrine-files/',
    ]) {
      expect((await get(target)).status).toBe(404);
      expect((await get('/f/AAAAAAA.png', { headers: { 'X-Accel-Redirect': target } })).status).toBe(404);
      expect((await get('/', { headers: { 'X-Accel-Redirect': target } })).status).toBe(404);
    }
    expect((await get(`/f/..%2fvitrine-files%2fwhole%2f${stored()}`)).status).toBe(404);
    expect((await get(`/f/../vitrine-files/whole/${stored()}`)).status).toBe(404);
  });

  it('follows no internal address that an answer for another path names', async () => {
    const internal = `/vitrine-files/whole/${stored()}`;
    // Stands for a bug by which a client could set a header of an answer.
    const other = await startNginx(`server { listen 127.0.0.1:PORT;
      location / { add_header X-Accel-Redirect ${internal}; return 200 "own body"; } }`);
    const front = await startSendingNginx({ upload: other.url, objects: host.objects });
    try {
      const answer = await fetch(`${front.url}/api/v1/media`);
      expect([answer.status, await answer.text()]).toEqual([200, 'own body']);
      expect(answer.headers.get('x-accel-redirect')).toBeNull();
    } finally {
      await front.stop();
      await other.stop();
    }
  });
});

describeWithNginx('FILE_SENDING=x-accel behind nginx, with a bucket', () => {
  let bucket: TestS3;
  let host: UploadHost;
  let account: Account;
  let path: string;
  /** Sends the same files itself. */
  let own: ServiceProcess;

  beforeAll(async () => {
    bucket = await startS3();
    host = await startUploadHostBehindNginx(bucket);
    account = await host.createAccount();
    path = `/f/${(await uploadFile(host, account, png(9, 8))).slug}.png`;
    own = await startService('upload-service', {
      env: { DATABASE_URL: host.databaseUrl, ...bucket.settings() },
    });
  });
  afterEach(() => bucket.setFault(null));
  afterAll(async () => {
    await own.stop('SIGKILL');
    await host.close();
    await bucket.stop();
  });

  /** Counts the requests for bytes in the bucket while `act` runs, and gives each this fault. */
  const readsDuring = async (act: () => Promise<unknown>, fault?: S3Fault): Promise<number> => {
    let reads = 0;
    bucket.setFault(({ method }) => {
      if (method !== 'GET') return undefined;
      reads++;
      return fault;
    });
    await act();
    bucket.setFault(null);
    return reads;
  };

  it.each(CONDITIONS)('answers as the process itself does: %s', async (_, init) => {
    await expectSameAnswer(host.url + path, own.url + path, init);
  });

  it('sends the format that the client accepts, as the process itself does', async () => {
    const { slug } = await uploadFile(host, account, bmp());
    const md = { key: `f/${slug}_md.jpg`, ext: 'jpg', mime: 'image/jpeg', width: 1, height: 1, bytes: 1 };
    const webp = { of: md.key, key: `f/${slug}_md.webp`, ext: 'webp', bytes: 1 };
    await bucket.plant([md.key, webp.key]);
    await host.database.query(
      `update media set processed = true, processed_at = now(), variants = $1, alternatives = $2 where slug = $3`,
      [JSON.stringify([{ name: 'md', ...md }]), JSON.stringify([webp]), slug],
    );
    const types = [];
    for (const Accept of ['*/*', 'image/webp,*/*', '*/*', 'image/webp,*/*']) {
      const target = `/f/${slug}_md.jpg`;
      await expectSameAnswer(host.url + target, own.url + target, { headers: { Accept } });
      types.push((await fetch(host.url + target, { headers: { Accept } })).headers.get('content-type'));
    }
    expect(types).toEqual(['image/jpeg', 'image/webp', 'image/jpeg', 'image/webp']);
  });

  it('reads a whole file from the bucket once, and parts each time', async () => {
    const { slug } = await uploadFile(host, account, png(11, 8));
    const get = (init: RequestInit = {}) => fetch(`${host.url}/f/${slug}.png`, init);
    const content = await (await get()).text();
    const again = async () => expect(await (await get()).text()).toBe(content);
    expect(
      await readsDuring(async () => {
        for (let i = 0; i < 5; i++) await again();
      }),
    ).toBe(0);
    const part = async () => {
      const answer = await get({ headers: { Range: 'bytes=1-3' } });
      expect([answer.status, await answer.text()]).toEqual([206, content.slice(1, 4)]);
    };
    expect(await readsDuring(part)).toBe(1);
  });

  it('does not use what nginx keeps of one media item for another one that shares the object', async () => {
    const [first, second] = [
      await uploadFile(host, account, png(14, 8)),
      await uploadFile(host, account, png(14, 8)),
    ];
    const get = async ({ slug }: MediaResource): Promise<string> =>
      (await fetch(`${host.url}/f/${slug}.png`)).text();
    const content = await get(first);
    await host.database.query(
      `insert into shared_files (key, sha256, bytes) select $1, stored_sha256, bytes from media where slug = $2`,
      [`f/${first.slug}.png`, first.slug],
    );
    await host.database.query('update media set shared_key = $1 where slug = any($2)', [
      `f/${first.slug}.png`,
      [first.slug, second.slug],
    ]);
    expect(await readsDuring(async () => expect(await get(second)).toBe(content))).toBe(1);
    expect(await readsDuring(async () => expect(await get(second)).toBe(content))).toBe(0);
    expect(await readsDuring(async () => expect(await get(first)).toBe(content))).toBe(0);
  });

  it('answers 404 for a file that was deleted, though nginx has its bytes', async () => {
    const media = await uploadFile(host, account, png(12, 8));
    const target = `${host.url}/f/${media.slug}.png`;
    for (let i = 0; i < 5; i++) expect((await fetch(target)).status).toBe(200);
    await host.database.query('delete from media where id = $1', [media.id]);
    await eventually(async () => expect((await fetch(target)).status).toBe(404));
  });

  it('answers 404 and 503 as the process does, if the bucket has no object or refuses', async () => {
    const { slug } = await uploadFile(host, account, png(13, 8));
    const target = `${host.url}/f/${slug}.png`;
    const found: unknown[] = [];
    const ask = async () => {
      const answer = await fetch(target);
      const { headers } = answer;
      const shown = ['cache-control', 'content-type', 'retry-after'].map((name) => headers.get(name));
      found.push([answer.status, await answer.json(), ...shown]);
    };
    await readsDuring(ask, { kind: 'refuse', status: 404, code: 'NoSuchKey' });
    await readsDuring(ask, { kind: 'refuse', status: 503, code: 'SlowDown' });
    expect(found).toEqual([
      [404, { message: 'Not found.' }, 'no-store', 'application/json', null],
      [503, { message: 'Service unavailable, please retry.' }, 'no-store', 'application/json', '2'],
    ]);
    expect((await fetch(target)).status).toBe(200);
  });

  it.each(['whole', 'a part'])(
    'answers 503, which no cache keeps, if the object is replaced after the decision: %s',
    async (wanted) => {
      const media = await uploadFile(host, account, png(wanted.length, 9));
      const get = (): Promise<Response> =>
        fetch(`${host.url}/f/${media.slug}.png`, {
          headers: wanted === 'whole' ? {} : { Range: 'bytes=0-3' },
        });
      bucket.setFault(({ method }) => {
        if (method === 'GET') bucket.replace(`f/${media.slug}.png`);
        return undefined;
      });
      const answer = await get();
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store']);
      bucket.setFault(null);
      // A decision is used for a quarter of a second, and a look at the object for a tenth.
      await eventually(async () => expect((await get()).ok).toBe(true));
    },
  );

  it('shows no header of the bucket', async () => {
    const answer = await fetch(host.url + path);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-amz-'))).toEqual([]);
  });
});
