import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { VARIANT_NAMES } from '@vitrine/contracts';
import {
  describeWithCaches,
  eventually,
  freePort,
  type GuardedServer,
  NGINX_CACHE_PURGE,
  noisePicture,
  type OwnStack,
  type Person,
  startNginx,
  startStack,
  startVarnish,
  startWebhookReceiver,
  type WebhookReceiver,
  withinSeconds,
} from '@vitrine/testing';
import sharp from 'sharp';

/** The promise of docs/guides/caches.md. */
const FORGOTTEN_WITHIN_SECONDS = 5;

const ACCEPTS = ['*/*', 'image/avif,image/webp,*/*', 'image/webp', 'image/avif, */*'] as const;

const configuration = (path: string): Promise<string> =>
  readFile(resolve(__dirname, '../../docker', path), 'utf8');

/** Both caches, with the configurations that operators use, in front of a port of this machine. */
async function startCaches(
  hostPort: string,
  varnishPort: number,
  purgePort: number,
): Promise<Readonly<Record<'varnish' | 'nginx', GuardedServer>>> {
  const vcl = await configuration('varnish/files.vcl');
  const conf = await configuration('nginx/cache.conf');
  const [varnish, nginx] = await Promise.all([
    startVarnish(vcl.replace('.port = "3001"', `.port = "${hostPort}"`), varnishPort),
    startNginx(
      conf
        .replace('listen 8080', 'listen 127.0.0.1:PORT')
        .replace('listen 8081', `listen 127.0.0.1:${purgePort}`)
        .replace('server 127.0.0.1:3001', `server 127.0.0.1:${hostPort}`)
        .replace('/var/cache/nginx/vitrine', 'FOLDER/cache'),
      [NGINX_CACHE_PURGE],
    ),
  ]);
  return { varnish, nginx };
}

// The configurations that operators use, with real caches, in front of real processes.
describeWithCaches('caches in front of the file host', () => {
  let stack: OwnStack;
  let moderator: Person;
  let picture: Uint8Array<ArrayBuffer>;
  let caches: Readonly<Record<'varnish' | 'nginx', GuardedServer>>;
  let cloudflare: WebhookReceiver;
  let purgeServer: string;
  let number = 0;

  beforeAll(async () => {
    const [varnishPort, purgePort] = [await freePort(), await freePort()];
    purgeServer = `http://127.0.0.1:${purgePort}`;
    cloudflare = await startWebhookReceiver((_, response) => response.end('{"success":true}'));
    stack = await startStack({
      without: ['website', 'moderation-service'],
      env: {
        TRUSTED_PROXIES: '127.0.0.1',
        CACHE_VARNISH_URLS: `http://localhost:${varnishPort}`,
        CACHE_NGINX_URLS: purgeServer,
        CACHE_CLOUDFLARE_URL: `http://zone1:the-token-of-cloudflare@127.0.0.1:${cloudflare.port}`,
      },
    });
    caches = await startCaches(new URL(stack.cdnUrl).port, varnishPort, purgePort);
    moderator = await stack.createPerson('mod', { role: 'moderator' });
    const raw = { width: 420, height: 300, channels: 3 } as const;
    picture = Uint8Array.from(
      await sharp(await noisePicture(420, 300, 5), { raw })
        .png()
        .toBuffer(),
    );
  });
  afterAll(async () => {
    await Promise.all(Object.values(caches).map((cache) => cache.stop()));
    await stack.close();
    await cloudflare.stop();
  });

  const upload = async (): Promise<{ owner: Person; slug: string }> => {
    const owner = await stack.createPerson(`owner_${++number}`);
    const { slug } = await owner.client.media.upload(new Blob([picture]), { name: 'a.png' });
    await owner.client.media.waitUntilProcessed(slug, {});
    return { owner, slug };
  };

  const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { headers: { Accept: '*/*', ...headers } });
  /** Of answers of the file host with status 200. */
  const answersOfHost = async (): Promise<number> => {
    const { managementUrl } = stack.services.get('upload-service')!;
    const text = await (await fetch(`${managementUrl}/metrics`)).text();
    const line = /^vitrine_http_request_seconds_count\{method="GET",route="\/f\/:name",status="200"\} (\d+)/m;
    return Number(line.exec(text)?.[1] ?? 0);
  };
  interface Read {
    readonly url: string;
    readonly accept: string;
  }
  const readsOf = (slug: string): Read[] =>
    Object.values(caches).flatMap(({ url }) =>
      [`${slug}.png`, ...VARIANT_NAMES.map((name) => `${slug}_${name}.png`)].flatMap((name) => [
        ...ACCEPTS.map((accept) => ({ url: `${url}/f/${name}`, accept })),
        ...['?download', '?a=1', '?download=1&b'].map((query) => ({
          url: `${url}/f/${name}${query}`,
          accept: '*/*',
        })),
      ]),
    );
  const statuses = async (reads: readonly Read[]): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {};
    const read = async ({ url, accept }: Read): Promise<void> => {
      const answer = await get(url, { Accept: accept });
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    };
    await Promise.all(reads.map(read));
    return counts;
  };
  /** Waits until no purge of a media item is due for some seconds: what is cached then stays until the next event. */
  const settled = (slug: string): Promise<void> =>
    eventually(async () => {
      const rows = await stack.sql(
        `select cache, attempts, error from cache_purges
         where slug = $1 and (not purged or due_at < now() + interval '10 seconds')`,
        [slug],
      );
      expect(rows).toEqual([]);
    });
  const fill = async (slug: string): Promise<Read[]> => {
    const reads = readsOf(slug);
    await settled(slug);
    expect(await statuses(reads)).toEqual({ 200: reads.length });
    const before = await answersOfHost();
    expect(await statuses(reads)).toEqual({ 200: reads.length });
    // The caches answer. Some of the earlier answers may have been counted late.
    expect((await answersOfHost()) - before).toBeLessThan(reads.length / 10);
    return reads;
  };

  // Promise [files]: Caches in front of the file host stop serving a withdrawn file within five seconds.
  it.each<[string, (media: { owner: Person; slug: string }) => Promise<unknown>]>([
    ['a deletion', ({ owner, slug }) => owner.client.media.delete(slug)],
    [
      'a rejection',
      ({ slug }) => moderator.client.moderation.ruleOnMedia(slug, { status: 'rejected', reason: 'spam' }),
    ],
    [
      'a suspension of the account',
      ({ owner }) =>
        moderator.client.moderation.ruleOnUser(owner.username, { state: 'suspended', reason: 'spam' }),
    ],
  ])(
    'answer 404 at every address within five seconds of %s, though they are read all the time',
    async (_, act) => {
      const media = await upload();
      const reads = await fill(media.slug);
      await act(media);
      // Each run reads everything, so a cache may store again what a process still serves.
      await withinSeconds(FORGOTTEN_WITHIN_SECONDS, async () => {
        expect(await statuses(reads)).toEqual({ 404: reads.length });
      });
      await settled(media.slug);
      expect(await statuses(reads)).toEqual({ 404: reads.length });
      const told = cloudflare.received.filter(({ body }) => body.includes(media.slug));
      expect(told.map(({ path, headers }) => [path, headers['authorization']])).toContainEqual([
        '/zones/zone1/purge_cache',
        'Bearer the-token-of-cloudflare',
      ]);
    },
  );

  it.each(['varnish', 'nginx'] as const)('%s answers as the file host does', async (name) => {
    const { slug } = await upload();
    const url = `${caches[name].url}/f/${slug}_md.png`;
    const headersOf = async (target: string, headers: Record<string, string>): Promise<[number, unknown]> => {
      const answer = await get(target, headers);
      const seen = ['cache-control', 'cache-tag', 'surrogate-key', 'content-security-policy', 'etag'];
      const more = ['access-control-allow-origin', 'content-type', 'content-range', 'x-content-type-options'];
      await answer.arrayBuffer();
      // Answers without a body need no type.
      const names = answer.status === 304 ? seen : [...seen, ...more];
      return [answer.status, names.map((header) => answer.headers.get(header))];
    };
    const own = `${stack.cdnUrl}/f/${slug}_md.png`;
    const etag = (await get(own)).headers.get('etag')!;
    const conditions: Record<string, string>[] = [{}, { Range: 'bytes=2-5' }, { 'If-None-Match': etag }];
    for (const headers of conditions) {
      await get(url);
      expect(await headersOf(url, headers)).toEqual(await headersOf(own, headers));
    }
    const saved = await get(`${url}?x&download`);
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="${slug}_md.png"`);
    expect((await get(url)).headers.get('content-disposition')).toBeNull();
    expect(
      (await get(`${caches[name].url}/f/%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}.png`)).status,
    ).toBe(404);
    const other = '/api/v1/media';
    expect((await get(caches[name].url + other)).status).toBe((await get(stack.cdnUrl + other)).status);
  });

  // Promise [security]: Strangers can’t make caches keep one file many times.
  it.each(['varnish', 'nginx'] as const)(
    'lets no stranger make %s ask for, or keep, the same file many times',
    async (name) => {
      const { slug } = await upload();
      await settled(slug);
      const path = `/f/${slug}_md.png`;
      const before = await answersOfHost();
      await get(caches[name].url + path);
      for (let i = 0; i < 5; i++) {
        await get(`${caches[name].url}${path}?a=${i}`);
        await get(caches[name].url + path, { Accept: `text/x-${i}` });
        await getWithHost(caches[name].url + path, `host-${i}.test`);
      }
      // Another extension is served too, but not kept: a purge would not name it.
      for (let i = 0; i < 2; i++) {
        const odd = await get(`${caches[name].url}/f/${slug}_md.zz${i}`);
        expect([odd.status, odd.headers.get('cache-control')]).toEqual([
          200,
          'private, max-age=31536000, immutable',
        ]);
        await get(`${caches[name].url}/f/${slug}_md.zz${i}`);
      }
      // The first request, and those with another extension.
      await eventually(async () => expect(await answersOfHost()).toBe(before + 5));
    },
  );

  it('refuse purges that are malformed, or come to the public port', async () => {
    const varnish = await fetch(caches.varnish.url, {
      method: 'PURGE',
      headers: { 'Vitrine-Slugs': 'aB3dE5f) || obj.status != 0 || (' },
    });
    expect(varnish.status).toBe(400);
    const { slug } = await upload();
    const path = `/f/${slug}.png`;
    await settled(slug);
    const before = await answersOfHost();
    await get(caches.nginx.url + path);
    await fetch(caches.nginx.url + path, { method: 'PURGE' });
    await fetch(`${caches.nginx.url}/${slug}.png:plain`, { method: 'PURGE' });
    expect((await get(caches.nginx.url + path)).status).toBe(200);
    await get(stack.cdnUrl + path);
    await eventually(async () => expect(await answersOfHost()).toBe(before + 2));
    expect((await fetch(`${purgeServer}/anything`, { method: 'PURGE' })).status).toBe(400);
  });
});

describeWithCaches('caches in front of a host that negotiates formats', () => {
  it.each(['varnish', 'nginx'] as const)('ask it as four classes of clients: %s', async (name) => {
    const host = await startWebhookReceiver((_, response) => {
      response.setHeader('Cache-Control', 'public, s-maxage=60').setHeader('Vary', 'Accept').end('bytes');
    });
    const caches = await startCaches(String(host.port), await freePort(), await freePort());
    try {
      const ask = async (accept: string, path: string): Promise<void> => {
        await (await fetch(caches[name].url + path, { headers: { Accept: accept } })).arrayBuffer();
      };
      const asked = (): string[] => host.received.splice(0).map(({ headers }) => headers.accept!);
      const classes: [string, string[]][] = [
        [
          '*/*',
          ['*/*', 'image/*', 'image/webp;q=0', 'image/avif;q=0.5, image/jpeg', 'ximage/avif', 'text/html'],
        ],
        ['image/webp,*/*', ['image/webp', 'text/html, IMAGE/WebP ,*/*;q=0.8']],
        ['image/avif,image/webp,*/*', ['image/avif,image/webp,*/*;q=0.8', 'image/webp , image/avif']],
        ['image/avif,*/*', ['image/avif', 'image/avif, image/webp;q=0']],
      ];
      for (const [, members] of classes) for (const accept of members) await ask(accept, '/f/aB3dE5f_md.jpg');
      expect(asked()).toEqual(classes.map(([sent]) => sent));
      // Originals and downloads have the type that their name says.
      for (const [, members] of classes) {
        await ask(members[0]!, '/f/aB3dE5f.jpg');
        await ask(members[0]!, '/f/aB3dE5f_md.jpg?download');
      }
      expect(asked()).toEqual(['*/*']);
    } finally {
      await Promise.all([caches.varnish.stop(), caches.nginx.stop(), host.stop()]);
    }
  });
});

/** The status of a GET with this `Host`, which `fetch` can't set. */
const getWithHost = (url: string, host: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    request(url, { headers: { Host: host, Accept: '*/*' } }, (response) => {
      response.resume().on('end', () => done(response.statusCode));
    })
      .on('error', fail)
      .end();
  });
