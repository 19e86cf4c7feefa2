import { pathToFileURL } from 'node:url';
import type { MediaResource } from '@vitrine/contracts/api';
import { eventually, startService } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { bmp, png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, startUploadHost, useUploadHost } from './support/upload-host';

const SETTINGS = {
  // Longer than any test, so that no request is answered because of a timeout.
  FILE_HOLD_SECONDS: '60',
  // A quarter of these may wait, and half of that quarter for one address.
  MAX_CONCURRENT_FILES: '80',
  TRUSTED_PROXIES: '127.0.0.1',
  STOP_GRACE_SECONDS: '0',
};

describe('requests for a size that is being generated', () => {
  const host = useUploadHost(SETTINGS);
  let account: Account;
  let media: MediaResource;
  const answers: Promise<Response>[] = [];

  beforeAll(async () => {
    account = await host.createAccount();
  });
  beforeEach(async () => {
    // Browsers don't show this format, so the original can't be served instead.
    media = await uploadFile(host, account, bmp());
  });
  afterEach(async () => {
    await host.database.query("update media set moderation_status = 'rejected' where slug = $1", [
      media.slug,
    ]);
    await Promise.all(answers.splice(0));
  });

  const ask = (init: RequestInit = {}, address = '192.0.2.1'): Promise<Response> => {
    const answer = fetch(`${host.url}/f/${media.slug}_xl.png`, {
      ...init,
      headers: { 'X-Forwarded-For': address, ...(init.headers as Record<string, string>) },
    });
    answers.push(answer.catch(() => Response.error()));
    return answer;
  };
  const valueOf = async (metric: string, url = host.service.managementUrl): Promise<number> => {
    const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
    const line = lines.find((text) => text.startsWith(`${metric} `));
    return Number(line?.slice(metric.length) ?? 0);
  };
  const waiting = (url?: string): Promise<number> => valueOf('vitrine_http_held', url);
  const untilWaiting = (count: number): Promise<void> =>
    eventually(async () => expect(await waiting()).toBe(count));
  const headersOf = ({ status, headers }: Response) => [
    status,
    headers.get('Cache-Control'),
    headers.get('Retry-After'),
  ];
  const LATER = [503, 'no-store', '2'];

  // Promise [files]: If the original can’t be shown either, the request waits for the size, and after
  // `FILE_HOLD_SECONDS` gets 503.
  it('are answered with the variant once it exists', async () => {
    const asked = [ask(), ask({ method: 'HEAD' }), ask({ headers: { Range: 'bytes=1-3' } })];
    await untilWaiting(3);

    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'larger' });

    const [whole, head, part] = await Promise.all(asked);
    const immutable = 'public, max-age=31536000, s-maxage=3600, immutable';
    expect(headersOf(whole!)).toEqual([200, immutable, null]);
    expect(await whole!.text()).toBe('larger');
    expect(headersOf(head!)).toEqual([200, immutable, null]);
    expect([part!.status, await part!.text()]).toEqual([206, 'arg']);
    await untilWaiting(0);
  });

  it('are answered in every process, even if another process gets the event of the variant', async () => {
    const other = await startService('upload-service', {
      env: {
        ...SETTINGS,
        DATABASE_URL: host.databaseUrl,
        STORAGE_URL: pathToFileURL(host.objects).href,
      },
    });
    try {
      const asked = [ask(), fetch(`${other.url}/f/${media.slug}_xl.png`)];
      await untilWaiting(1);
      await eventually(async () => expect(await waiting(other.managementUrl)).toBe(1));

      await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'larger' });

      for (const answer of await Promise.all(asked)) expect(await answer.text()).toBe('larger');
    } finally {
      expect(await other.stop()).toBe(0);
    }
  });

  it('continue to wait if the media item is ready before its variant is found', async () => {
    const READY = 'vitrine_http_held_total{outcome="ready"}';
    const before = await valueOf(READY);
    const asked = ask();
    await untilWaiting(1);
    await host.database.query('update media set processed = true where slug = $1', [media.slug]);
    await eventually(async () => expect(await valueOf(READY)).toBeGreaterThan(before));

    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'larger' });

    expect(await (await asked).text()).toBe('larger');
  });

  it.each([
    ['rejected', "update media set moderation_status = 'rejected' where slug = $1"],
    ['deleted', 'delete from media where slug = $1'],
    ['that can not be decoded', "update media set processing_error = 'It ends early.' where slug = $1"],
  ])('are answered 404 when the media item is %s', async (_, change) => {
    const asked = ask();
    await untilWaiting(1);

    await host.database.query(change, [media.slug]);

    expect(headersOf(await asked)).toEqual([404, 'no-store', null]);
  });

  it('give back their places when their clients have disconnected', async () => {
    const gone = new AbortController();
    void ask({ signal: gone.signal }).catch(() => undefined);
    await untilWaiting(1);

    gone.abort();

    await untilWaiting(0);
  });

  // Promise [files]: Waiting requests are bounded for each address and in all.
  it('are bounded for each address and in all, and take no place from files that exist', async () => {
    const other = await uploadFile(host, account, png(4, 3));
    const read = async (address: string): Promise<number> =>
      (await fetch(`${host.url}/f/${other.slug}.png`, { headers: { 'X-Forwarded-For': address } })).status;

    for (let count = 1; count <= 10; count++) {
      void ask();
      await untilWaiting(count);
    }
    // The places of this address are free again.
    expect(headersOf(await ask())).toEqual(LATER);
    expect(await read('192.0.2.1')).toBe(200);

    for (let n = 2; n < 100; n++) void ask({}, `192.0.2.${n}`);
    await untilWaiting(20);
    expect(headersOf(await ask({}, '198.51.100.1'))).toEqual(LATER);
    expect(await read('198.51.100.1')).toBe(200);
  });

  it('take nothing from other visitors when one address sends thousands', async () => {
    const other = await uploadFile(host, account, png(4, 3));
    const read = async (): Promise<number> =>
      (await fetch(`${host.url}/f/${other.slug}.png`, { headers: { 'X-Forwarded-For': '198.51.100.1' } }))
        .status;
    const shedBefore = await valueOf('vitrine_http_shed_total');
    const seen: number[] = [];
    const refusals: Promise<number>[] = [];
    let answered = 0;
    let heldAtMost = 0;

    for (let round = 0; round < 40; round++) {
      const flood = Array.from({ length: 50 }, () => ask());
      refusals.push(...flood.map((answer) => answer.then(({ status }) => (answered++, status))));
      seen.push(await read());
      heldAtMost = Math.max(heldAtMost, await waiting());
    }

    await eventually(() => expect(answered).toBe(1990));
    expect(heldAtMost).toBe(10);
    expect(seen).toEqual(Array(40).fill(200));
    // Each request got its own 429 or 503; the process never had too many requests.
    expect(await valueOf('vitrine_http_shed_total')).toBe(shedBefore);
    await host.database.query('delete from media where slug = $1', [media.slug]);
    const counted = new Map<number, number>();
    for (const status of await Promise.all(refusals)) counted.set(status, (counted.get(status) ?? 0) + 1);
    expect(counted.get(404)).toBe(10);
    expect((counted.get(429) ?? 0) + (counted.get(503) ?? 0)).toBe(1990);
  });

  it('are answered 503 after FILE_HOLD_SECONDS', async () => {
    const brief = await startUploadHost({ FILE_HOLD_SECONDS: '1' });
    try {
      const { slug } = await uploadFile(brief, await brief.createAccount(), bmp());
      const asked = performance.now();
      expect(headersOf(await fetch(`${brief.url}/f/${slug}_xl.png`))).toEqual(LATER);
      // Timers may fire a millisecond early.
      expect(performance.now() - asked).toBeGreaterThan(995);
    } finally {
      await brief.close();
    }
  });

  it('are answered 503 when the process stops', async () => {
    const asked = ask();
    await untilWaiting(1);

    expect(await host.service.stop()).toBe(0);

    expect(headersOf(await asked)).toEqual(LATER);
  });
});
