import { eventually, withinSeconds } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost } from './support/upload-host';

/** Reads after which a file is served from memory. */
const OFTEN = 6;

describe('a popular file', () => {
  const host = useUploadHost();
  let account: Account;

  beforeAll(async () => {
    account = await host.createAccount();
  });

  /** A processed media item, whose variant has this content; returns the path of the variant. */
  const create = async (content: string): Promise<{ slug: string; path: string }> => {
    const media = await uploadFile(host, account, png(9, 8));
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content });
    return { slug: media.slug, path: `/f/${media.slug}_md.png` };
  };
  const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(host.url + path, init);
  const heat = async (path: string): Promise<void> => {
    for (let times = 0; times < OFTEN; times++) expect((await get(path)).status).toBe(200);
  };
  const hits = async (): Promise<number> => {
    const text = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
    return Number(/^vitrine_file_memory_hits_total (\d+)/m.exec(text)?.[1]);
  };
  const OF_ONE_ANSWER = ['date', 'x-request-id', 'connection', 'keep-alive'];
  const lasting = ({ headers }: Response): [string, string][] =>
    [...headers].filter(([name]) => !OF_ONE_ANSWER.includes(name));

  it('is served from memory with the same headers and bytes as from the storage', async () => {
    const { path } = await create('x'.repeat(600_000));
    // HEAD is not answered by `sendHot`.
    const expected = lasting(await get(path, { method: 'HEAD' }));
    const first = await get(path);
    expect(lasting(first)).toEqual(expected);
    const body = await first.text();
    await heat(path);
    const before = await hits();
    const id = 'an-id-of-the-client';
    const popular = await get(path, { headers: { 'X-Request-Id': id, Origin: 'https://other.test' } });
    expect(lasting(popular)).toEqual(expected);
    expect(popular.headers.get('x-request-id')).toBe(id);
    expect(await popular.text()).toBe(body);
    expect(await hits()).toBeGreaterThan(before);
  });

  it('keeps conditions, ranges, HEAD and downloads', async () => {
    const { path } = await create('0123456789');
    await heat(path);
    const etag = (await get(path)).headers.get('etag')!;
    expect((await get(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const part = await get(path, { headers: { Range: 'bytes=2-4' } });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    const head = await get(path, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    expect((await get(`${path}?download`)).headers.get('content-disposition')).toContain('attachment');
    expect((await get(path)).headers.get('content-disposition')).toBeNull();
    expect((await get(`${path}?other`)).status).toBe(200);
    expect((await get(path, { method: 'POST' })).status).toBe(405);
  });

  it.each([
    ['rejected', "update media set moderation_status = 'rejected' where slug = $1"],
    ['deleted', 'delete from media where slug = $1'],
    [
      'of a suspended account',
      `insert into account_restrictions (user_id, state, reason) select user_id, 'suspended', 'spam' from media where slug = $1`,
    ],
  ])(
    'is not served a second after the media item is %s, though it is read all the time',
    async (_, change) => {
      const { slug, path } = await create('content');
      await heat(path);
      await host.database.query(change, [slug]);
      await withinSeconds(1, async () => expect((await get(path)).status).toBe(404));
      await host.database.query('delete from account_restrictions');
    },
  );

  it('is served as it is a second after its variant was replaced', async () => {
    const media = await uploadFile(host, account, png(9, 8));
    const path = `/f/${media.slug}_md.png`;
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'first' });
    await heat(path);
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'later' });
    await withinSeconds(1, async () => expect(await (await get(path)).text()).toBe('later'));
  });

  it('is counted and named in the metrics like any other', async () => {
    const { path } = await create('content');
    const counted = async (): Promise<number> => {
      const text = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
      const line =
        /^vitrine_http_request_seconds_count\{method="GET",route="\/f\/:name",status="200"\} (\d+)/m;
      return Number(line.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    await heat(path);
    await heat(path);
    await eventually(async () => expect(await counted()).toBe(before + 2 * OFTEN));
  });
});
