import type { RequestListener } from 'node:http';
import { startWebhookReceiver, type WebhookReceiver } from '@vitrine/testing';
import { CachePurgeError, type CachePurger } from './cache-purger';
import { CloudflarePurger, FastlyPurger } from './cdn-purgers';
import { NginxPurger, VarnishPurger } from './own-cache-purgers';

const TOKEN = 'a-token-that-nobody-may-see';
const MEDIA = [
  { slug: 'aB3dE5f', fileNames: ['aB3dE5f.heic', 'aB3dE5f_md.jpg'] },
  { slug: 'bB3dE5f', fileNames: ['bB3dE5f.png'] },
];

describe('purgers', () => {
  const receivers: WebhookReceiver[] = [];
  const never = new AbortController().signal;

  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));

  const receive = async (answer?: RequestListener): Promise<WebhookReceiver & { base: string }> => {
    const receiver = await startWebhookReceiver(answer);
    receivers.push(receiver);
    return { ...receiver, base: `http://127.0.0.1:${receiver.port}` };
  };
  const answer =
    (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
    (_, response) =>
      void response.writeHead(status, headers).end(body);
  const cloudflare = (apiUrl: string): CachePurger =>
    new CloudflarePurger({ apiUrl, id: 'z1', token: TOKEN }, 1);
  const fastly = (apiUrl: string): CachePurger => new FastlyPurger({ apiUrl, id: 'f1', token: TOKEN }, 1);
  const failureOf = async (purger: CachePurger): Promise<CachePurgeError> => {
    const error = await purger.purge(MEDIA, never).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CachePurgeError);
    expect(String((error as CachePurgeError).stack)).not.toContain(TOKEN);
    return error as CachePurgeError;
  };
  const OK = answer(200, {}, '{"success":true,"errors":[],"messages":[],"result":{"id":"1"}}');

  // Promise [files]: Cloudflare and Fastly are asked to purge every address of a file.
  it('sends Cloudflare tags with one request, of at most 100 media', async () => {
    const api = await receive(OK);
    await cloudflare(`${api.base}/client/v4`).purge(MEDIA, never);
    expect(api.received).toMatchObject([
      {
        method: 'POST',
        path: '/client/v4/zones/z1/purge_cache',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(api.received[0]!.body)).toEqual({ tags: ['aB3dE5f', 'bB3dE5f'] });
    expect(cloudflare(api.base).batch).toBe(100);
  });

  it('sends Fastly surrogate keys with one request', async () => {
    const api = await receive(answer(200, {}, '{"aB3dE5f":"1-2-3"}'));
    const purger = fastly(api.base);
    await purger.purge(MEDIA, never);
    expect(api.received).toMatchObject([
      { method: 'POST', path: '/service/f1/purge', headers: { 'fastly-key': TOKEN } },
    ]);
    expect(JSON.parse(api.received[0]!.body)).toEqual({ surrogate_keys: ['aB3dE5f', 'bB3dE5f'] });
    // A soft purge would let it serve the file again.
    expect(api.received[0]!.headers['fastly-soft-purge']).toBeUndefined();
    expect(purger.batch).toBe(256);
  });

  it.each([
    [429, { 'Retry-After': '7' }, 7],
    [503, { 'Retry-After': '999999' }, 3600],
    [429, { 'Retry-After': new Date(Date.now() - 1000).toUTCString() }, 1],
    [429, {}, undefined],
    [500, { 'Retry-After': '7' }, undefined],
    [403, {}, undefined],
    [302, { Location: 'http://127.0.0.1:1/' }, undefined],
  ])('reports a CDN that answers %d with %j', async (status, headers, seconds) => {
    const api = await receive(answer(status, headers, TOKEN));
    for (const [name, purger] of [
      ['Cloudflare', cloudflare(api.base)],
      ['Fastly', fastly(api.base)],
    ] as const) {
      const error = await failureOf(purger);
      expect([error.message, error.retryAfterSeconds]).toEqual([`${name} answered ${status}`, seconds]);
    }
  });

  it('reports answers that do not confirm the purge', async () => {
    for (const body of ['{"success":false}', 'null', '<html>']) {
      const { base } = await receive(answer(200, {}, body));
      expect((await failureOf(cloudflare(base))).message).toBe('Cloudflare answered 200 without success');
    }
    const other = await receive(answer(200));
    expect((await failureOf(new VarnishPurger([other.base], 1))).message).toContain(
      'Varnish answered 200, not',
    );
    const missing = await receive(answer(404));
    expect((await failureOf(new NginxPurger([missing.base], 1))).message).toContain(
      'nginx answered 404, not',
    );
  });

  it('reports caches that hang, are gone, or have no address', async () => {
    const hung = await receive(() => undefined);
    const gone = await receive();
    await gone.stop();
    expect((await failureOf(cloudflare(hung.base))).message).toBe('127.0.0.1: no answer in time');
    expect((await failureOf(new NginxPurger([hung.base], 1))).message).toBe('127.0.0.1: no answer in time');
    expect((await failureOf(fastly(gone.base))).message).toBe('127.0.0.1: ECONNREFUSED');
    expect((await failureOf(new VarnishPurger(['http://no.such.host.invalid'], 1))).message).toMatch(
      /^no\.such\.host\.invalid: E/,
    );
  });

  it('sends the purge to every instance, even if one of them fails', async () => {
    const first = await receive(answer(500));
    const second = await receive(answer(200, { 'Vitrine-Purged': 'yes' }));
    await failureOf(new VarnishPurger([first.base, second.base], 1));
    expect(second.received).toMatchObject([
      { method: 'PURGE', headers: { 'vitrine-slugs': 'aB3dE5f|bB3dE5f' } },
    ]);
  });

  it('purges every key of nginx: those of sizes for four classes of clients, those of originals for one', async () => {
    const nginx = await receive(answer(404, { 'Vitrine-Purged': 'yes' }));
    await new NginxPurger([`${nginx.base}/x`], 1).purge(MEDIA, never);
    expect(nginx.received.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'PURGE /x/aB3dE5f.heic:plain',
      'PURGE /x/aB3dE5f_md.jpg:avif',
      'PURGE /x/aB3dE5f_md.jpg:avif-only',
      'PURGE /x/aB3dE5f_md.jpg:plain',
      'PURGE /x/aB3dE5f_md.jpg:webp',
      'PURGE /x/bB3dE5f.png:plain',
    ]);
  });
});
