import {
  createTestDatabase,
  describeWithNginx,
  type ServiceProcess,
  startNginx,
  startService,
} from '@vitrine/testing';
import { startUploadHostBehindNginx } from './support/nginx-host';
import { playProcessor } from './support/play-processor';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, type UploadHost } from './support/upload-host';

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

  it.each<[string, RequestInit]>([
    ['whole', {}],
    ['a part', { headers: { Range: 'bytes=10-19' } }],
    ['several parts', { headers: { Range: 'bytes=0-1,3-4' } }],
    ['an unsatisfiable part', { headers: { Range: 'bytes=999999-' } }],
    ['if it has not changed for a program', { headers: { 'If-Match': '"other"' } }],
    ['if it has not changed since', { headers: { 'If-Unmodified-Since': 'Wed, 21 Oct 2015 07:28:00 GMT' } }],
    ['if it has changed since', { headers: { 'If-Modified-Since': 'Wed, 21 Oct 2065 07:28:00 GMT' } }],
  ])('answers as the process itself does: %s', async (_, init) => {
    const OF_ONE_SERVER = ['date', 'server', 'connection', 'keep-alive', 'x-request-id'];
    const seen = async (response: Response) => ({
      status: response.status,
      headers: [...response.headers].filter(([name]) => !OF_ONE_SERVER.includes(name)),
      body: await response.text(),
    });
    const expected = await seen(await fetch(own.url + path, init));
    const found = await seen(await get(path, init));
    // nginx doesn't tell that it ignored a range.
    const told = ([name]: [string, string]): boolean => name !== 'accept-ranges';
    expect({ ...found, headers: found.headers.filter(told) }).toEqual({
      ...expected,
      headers: expected.headers.filter(told),
    });
    expect(found.headers.filter(([name]) => name === 'accept-ranges')).toEqual([['accept-ranges', 'bytes']]);
  });

  it('keeps the id of a request, and answers downloads', async () => {
    const answer = await get(`${path}?download`, { headers: { 'X-Request-Id': 'an-id-of-the-client' } });
    expect(answer.headers.get('x-request-id')).toBe('an-id-of-the-client');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
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
    for (let i = 0; i < 200; i++) expect(await (await get(path)).text()).toBe(content);
    expect((await decisions()) - before).toBeLessThan(100);
  });

  it('lets nobody reach the internal addresses, or choose one', async () => {
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
    const front = await startUploadHostBehindNginx({}, other.url);
    try {
      const answer = await fetch(`${front.url}/api/v1/media`);
      expect([answer.status, await answer.text()]).toEqual([200, 'own body']);
      expect(answer.headers.get('x-accel-redirect')).toBeNull();
    } finally {
      await front.close();
      await other.stop();
    }
  });
});

describe('FILE_SENDING=x-accel with a bucket', () => {
  it('does not start', async () => {
    const database = await createTestDatabase();
    try {
      const starting = startService('upload-service', {
        env: {
          DATABASE_URL: database.url,
          STORAGE_URL: 's3://bucket?region=us-east-1',
          FILE_SENDING: 'x-accel',
        },
      });
      await expect(starting).rejects.toThrow(
        "can't start: FILE_SENDING must be direct if STORAGE_URL names a bucket",
      );
    } finally {
      await database.drop();
    }
  });
});
