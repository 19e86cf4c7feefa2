import { UnaddressableError, VitrineClient, VitrineError } from '../src/index';
import { ScriptedServer } from './scripted-server';

const QUICK = { baseDelayMs: 1 };
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('requests of the client', () => {
  let server: ScriptedServer;
  let client: VitrineClient;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = new VitrineClient({ baseUrl: `${server.url}/api/v1/`, token: 'vtr_x', retry: QUICK });
  });
  afterAll(() => server.stop());

  it('send JSON, the token, and one idempotency key for all attempts of a POST', async () => {
    server.play((_, count) =>
      count < 3 ? [{ status: 500 }, 'cut' as const, { status: 409 }][count]! : { body: { token: 'vtr_new' } },
    );
    await expect(client.tokens.create({ name: 'camera', current_password: 'secret' })).resolves.toEqual({
      token: 'vtr_new',
    });

    expect(server.received).toHaveLength(4);
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/tokens',
      headers: { authorization: 'Bearer vtr_x', 'content-type': 'application/json' },
    });
    expect(JSON.parse(String(server.received[0]?.body))).toEqual({
      name: 'camera',
      current_password: 'secret',
    });
    const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);

    await client.tokens.create({ name: 'camera', current_password: 'secret' }, { idempotencyKey: 'mine' });
    expect(server.received.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  it('send the configured headers to both addresses, and refuse the client’s own ones', async () => {
    const options = { baseUrl: `${server.url}/api/v1`, uploadUrl: `${server.url}/api/v1/media` };
    const headers = { 'X-Vitrine-Site-Key': 'k', 'X-Vitrine-Visitor': '192.0.2.7' };
    const withHeaders = new VitrineClient({ ...options, headers }).withToken('vts_x');
    server.play(() => ({ body: { data: [] } }));
    await withHeaders.tags.list();
    await withHeaders.posts.create({ media_ids: [1] });
    await withHeaders.media.upload(new Blob(['x']));
    const given = {
      'x-vitrine-site-key': 'k',
      'x-vitrine-visitor': '192.0.2.7',
      authorization: 'Bearer vts_x',
    };
    for (const got of server.received) expect(got.headers).toMatchObject(given);
    expect(server.received).toHaveLength(3);

    for (const name of ['authorization', 'Idempotency-Key', 'CONTENT-TYPE', 'content-length', 'Accept']) {
      expect(() => new VitrineClient({ ...options, headers: { [name]: 'x' } })).toThrow(TypeError);
    }
  });

  it('repeat a GET after a broken connection, and a PATCH only after a refusal', async () => {
    server.play((_, count) => (count === 0 ? 'cut' : { body: { data: { username: 'ada' } } }));
    await expect(client.me.get()).resolves.toEqual({ username: 'ada' });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);

    server.play(() => 'cut');
    expect(await caught(client.media.update('aB3dE5f', { title: null }))).toMatchObject({
      code: 'network',
      status: undefined,
    });
    expect(server.received).toHaveLength(1);

    server.play((_, count) => (count === 0 ? { status: 503, headers: { 'Retry-After': '0' } } : {}));
    await client.media.update('aB3dE5f', { title: null });
    expect(server.received).toHaveLength(2);
  });

  it('wait as long as Retry-After says, and fail immediately if that is too long', async () => {
    server.play((_, count) =>
      count === 0 ? { status: 429, headers: { 'Retry-After': '1' } } : { body: { data: [] } },
    );
    const began = performance.now();
    await client.tokens.list();
    expect(performance.now() - began).toBeGreaterThan(990);

    server.play(() => ({
      status: 429,
      headers: { 'Retry-After': '3600' },
      body: { message: 'Too Many Attempts.' },
    }));
    expect(await caught(client.tokens.list())).toMatchObject({
      code: 'rate_limited',
      message: 'Too Many Attempts.',
      retryAfter: 3600,
    });
    expect(server.received).toHaveLength(1);
  });

  it('fail with the last error after the last attempt', async () => {
    server.play(() => ({
      status: 500,
      headers: { 'X-Request-Id': 'r-1' },
      body: { message: 'Server Error' },
    }));
    expect(await caught(client.me.get())).toMatchObject({
      code: 'server_error',
      status: 500,
      requestId: 'r-1',
    });
    expect(server.received).toHaveLength(4);
    const once = new VitrineClient({ baseUrl: server.url, retry: false });
    server.play(() => ({ status: 500 }));
    await caught(once.me.get());
    expect(server.received).toHaveLength(1);
  });

  it('report refused fields', async () => {
    server.play(() => ({
      status: 422,
      body: { message: 'The name field is required.', errors: { name: ['The name field is required.'] } },
    }));
    const error = await caught(client.tokens.create({ name: '', current_password: 'secret' }));
    expect(error).toBeInstanceOf(VitrineError);
    expect(error).toMatchObject({
      code: 'invalid',
      status: 422,
      message: 'The name field is required.',
      errors: { name: ['The name field is required.'] },
    });
    server.play(() => ({ status: 451, body: { error: 'Banned.' } }));
    expect(await caught(client.me.get())).toMatchObject({ code: 'banned', message: 'Banned.', errors: {} });
  });

  it('end when aborted before, during and between attempts', async () => {
    const reason = new Error('no longer wanted');
    server.play(() => ({}));
    expect(await caught(client.me.get({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(server.received).toHaveLength(0);

    const between = new AbortController();
    server.play(() => {
      between.abort(reason);
      return { status: 429, headers: { 'Retry-After': '30' } };
    });
    expect(await caught(client.me.get({ signal: between.signal }))).toBe(reason);
  });

  it('report a response that is not JSON, and refuse an id that no URL can contain', async () => {
    const page = new VitrineClient({
      baseUrl: server.url,
      fetch: async () => new Response('<html>', { status: 200 }),
    });
    expect(await caught(page.me.get())).toMatchObject({ code: 'unexpected_answer', status: 200 });
    server.play(() => ({}));
    for (const slug of ['', '.', '..'])
      expect(await caught(client.media.get(slug))).toBeInstanceOf(UnaddressableError);
    expect(server.received).toHaveLength(0);
    await client.media.get('a/../b?c');
    expect(server.received[0]?.url).toBe('/api/v1/media/a%2F..%2Fb%3Fc');
  });

  it('wait until a media item is moderated', async () => {
    const statuses = ['pending', 'pending', 'nsfw'];
    server.play((_, count) => ({
      body: { data: { processing_error: null, moderation_status: statuses[count] } },
    }));
    const media = await client.media.waitUntilModerated('aB3dE5f', { intervalMs: 4 });
    expect(media.moderation_status).toBe('nsfw');
    expect(server.received.map(({ url }) => url)).toEqual(Array(3).fill('/api/v1/media/aB3dE5f?wait=20'));
  });

  it('wait until a media item is processed, or report why processing failed', async () => {
    const media = (count: number) => ({ processed: count > 2, processing_error: null });
    server.play((_, count) => ({ body: { data: media(count) } }));
    await expect(client.media.waitUntilProcessed('aB3dE5f', { intervalMs: 4 })).resolves.toMatchObject({
      processed: true,
    });
    expect(server.received).toHaveLength(4);

    server.play(() => ({ body: { data: { processed: false, processing_error: 'It is cut short.' } } }));
    expect(await caught(client.media.waitUntilProcessed('aB3dE5f'))).toMatchObject({
      code: 'processing_failed',
      message: 'It is cut short.',
    });
    server.play(() => ({ body: { data: media(0) } }));
    const timeout = await caught(
      client.media.waitUntilProcessed('aB3dE5f', { signal: AbortSignal.timeout(20) }),
    );
    expect(timeout).toMatchObject({ name: 'TimeoutError' });
  });
});
