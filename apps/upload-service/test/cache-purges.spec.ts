import { type MediaWithdrawn, mediaWithdrawn, type UserModerated, userModerated } from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope } from '@vitrine/messaging';
import { eventually, startWebhookReceiver, type WebhookReceiver } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, startUploadHost, type UploadHost } from './support/upload-host';

const TOKENS = { cloudflare: 'cloudflare-token-of-a-test', fastly: 'fastly-token-of-a-test' } as const;

// Cloudflare and Fastly are played by servers here; tools/test/caches.drill.spec.ts uses a real Varnish and a real nginx.
describe('caches that are purged by APIs', () => {
  let host: UploadHost;
  let account: Account;
  let cloudflare: WebhookReceiver;
  let fastly: WebhookReceiver;
  /** Answers of Fastly, in order; then 200. */
  const fastlyAnswers: [number, Record<string, string>][] = [];
  /** When Fastly was asked, in milliseconds. */
  const fastlyTimes: number[] = [];

  beforeAll(async () => {
    cloudflare = await startWebhookReceiver((_, response) => response.end('{"success":true}'));
    fastly = await startWebhookReceiver((_, response) => {
      fastlyTimes.push(performance.now());
      const [status, headers] = fastlyAnswers.shift() ?? [200, {}];
      response.writeHead(status, headers).end('{}');
    });
    host = await startUploadHost({
      CACHE_CLOUDFLARE_URL: `http://zone1:${TOKENS.cloudflare}@127.0.0.1:${cloudflare.port}`,
      CACHE_FASTLY_URL: `http://service1:${TOKENS.fastly}@127.0.0.1:${fastly.port}`,
    });
    account = await host.createAccount();
  });
  afterAll(async () => {
    await host.close();
    await Promise.all([cloudflare.stop(), fastly.stop()]);
  });

  const upload = (): Promise<MediaResource> => uploadFile(host, account, png(9, 8));
  const publish = async (...envelopes: ReturnType<typeof buildEnvelope>[]): Promise<void> => {
    const bus = await host.connectBus();
    for (const envelope of envelopes) await bus.publish(envelope);
  };
  const withdrawn = (media: MediaResource): ReturnType<typeof buildEnvelope> => {
    const data: MediaWithdrawn = {
      media_id: media.id,
      slug: media.slug,
      sequence: 2,
      kind: 'image',
      owner: null,
      file_names: [`${media.slug}.png`, `${media.slug}_md.png`],
    };
    return buildEnvelope(mediaWithdrawn, data);
  };
  const naming = ({ received }: WebhookReceiver, { slug }: MediaResource) =>
    received.filter(({ body }) => body.includes(slug));
  const keysTold = (): string[] =>
    fastly.received.flatMap(({ body }) => (JSON.parse(body) as { surrogate_keys: string[] }).surrogate_keys);

  it('are purged when a media item is rejected, each by its own API', async () => {
    const media = await upload();
    await publish(withdrawn(media));
    await eventually(() => {
      expect(naming(cloudflare, media)).not.toEqual([]);
      expect(naming(fastly, media)).not.toEqual([]);
    });
    expect(naming(cloudflare, media)[0]).toMatchObject({
      path: '/zones/zone1/purge_cache',
      headers: { authorization: `Bearer ${TOKENS.cloudflare}` },
      body: JSON.stringify({ tags: [media.slug] }),
    });
    expect(naming(fastly, media)[0]).toMatchObject({
      path: '/service/service1/purge',
      headers: { 'fastly-key': TOKENS.fastly },
      body: JSON.stringify({ surrogate_keys: [media.slug] }),
    });
  });

  it('are purged again after a failure, not before the pause that they require, and then the others too', async () => {
    const media = await upload();
    // No other purge may take Fastly's answers.
    await eventually(async () => {
      const due = await host.database.query(
        `select from cache_purges where not purged or due_at < now() + interval '20 seconds'`,
      );
      expect(due.rowCount).toBe(0);
    });
    fastlyAnswers.push([500, {}], [429, { 'Retry-After': '2' }]);
    await publish(withdrawn(media));
    await eventually(() => expect(naming(fastly, media).length).toBeGreaterThan(1));
    const answered = fastlyTimes[fastly.received.indexOf(naming(fastly, media)[1]!)]!;
    // Cloudflare may have fetched the file from Fastly until now, so its purge is sent again.
    await eventually(async () => {
      const rows = await host.database.query(
        `select requests from cache_purges where cache = 'cloudflare' and slug = $1 and requests > 1`,
        [media.slug],
      );
      expect(rows.rowCount).toBe(1);
    });
    await eventually(() => expect(naming(fastly, media).length).toBeGreaterThan(2));
    expect(fastlyTimes.find((time) => time > answered)! - answered).toBeGreaterThanOrEqual(2_000);
    const metrics = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^vitrine_cache_purges_total\{cache="fastly",outcome="failed"\} 2$/m);
    expect(metrics).toMatch(/^vitrine_cache_purges_total\{cache="cloudflare",outcome="purged"\} \d+$/m);
    const output = host.service.output();
    expect(output).toContain('Fastly answered 500');
    for (const token of Object.values(TOKENS)) expect(output).not.toContain(token);
  });

  it('are purged of all media of a suspended account', async () => {
    const media = [await upload(), await upload()];
    const data: UserModerated = {
      user_id: account.id,
      username: 'someone',
      decision_id: 1,
      from: 'active',
      to: 'suspended',
      until: null,
      reason: 'spam',
      decided_by: 'operator',
    };
    await publish(
      buildEnvelope(userModerated, { ...data, to: 'limited' }),
      buildEnvelope(userModerated, data),
    );
    await eventually(() => {
      expect(keysTold()).toEqual(expect.arrayContaining(media.map(({ slug }) => slug)));
    });
  });

  it('are purged when variants replace originals that were served', async () => {
    const media = await upload();
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'first' });
    await eventually(() => expect(keysTold()).toContain(media.slug));
    const { rows } = await host.database.query(
      'select distinct withdrawn from cache_purges where slug = $1',
      [media.slug],
    );
    expect(rows).toEqual([{ withdrawn: false }]);
  });

  it('may keep answers only at the addresses that a purge names', async () => {
    const media = await upload();
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'content' });
    const path = `/f/${media.slug}_md.png`;
    const kept = async (target: string) => {
      const answer = await fetch(host.url + target);
      expect(answer.status).toBe(200);
      const [control, tag, key] = ['cache-control', 'cache-tag', 'surrogate-key'].map((name) =>
        answer.headers.get(name),
      );
      return { control, tag, key };
    };
    const SHARED = {
      control: 'public, max-age=31536000, s-maxage=3600, immutable',
      tag: media.slug,
      key: media.slug,
    };
    const PRIVATE = { control: 'private, max-age=31536000, immutable', tag: null, key: null };
    // The first answers come from the storage, the others from memory.
    for (let times = 0; times < 6; times++) {
      expect(await kept(path)).toEqual(SHARED);
      expect(await kept(`${path}?download`)).toEqual(SHARED);
      expect(await kept(`${path}?download=1`)).toEqual(PRIVATE);
      expect(await kept(`${path}?a=${times}`)).toEqual(PRIVATE);
      expect(await kept(`/f/${media.slug}_md.jpg`)).toEqual(PRIVATE);
    }
    const missing = await fetch(`${host.url}/f/AAAAAAA.png`);
    expect([missing.status, missing.headers.get('cache-control'), missing.headers.get('cache-tag')]).toEqual([
      404,
      'no-store',
      null,
    ]);
  });
});
