import { Readable } from 'node:stream';
import { type UploadOptions, type UploadProgress, type UploadSource, VitrineClient } from '../src/index';
import { type Received, ScriptedServer } from './scripted-server';

const BYTES = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256);
const NAME = 'Häfen "1".png';

/** Reads the body with the platform's own parser. */
async function formOf({
  headers,
  body,
}: Received): Promise<{ name: string; bytes: Uint8Array; fields: Record<string, unknown> }> {
  const type = String(headers['content-type']);
  const form = await new Response(Uint8Array.from(body), { headers: { 'Content-Type': type } }).formData();
  const file = form.get('file') as File;
  form.delete('file');
  return {
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
    fields: Object.fromEntries(form),
  };
}

describe('uploads of the client', () => {
  let server: ScriptedServer;
  let client: VitrineClient;
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = new VitrineClient({
      baseUrl: `${server.url}/api/v1`,
      uploadUrl: `${server.url}/api/v1/media`,
      token: 'vtr_x',
      retry: { baseDelayMs: 1 },
    });
  });
  afterAll(() => server.stop());

  const taken = { status: 201, body: { message: 'ok', media: { slug: 'aB3dE5f' } } };

  const sources: Record<string, [UploadSource, UploadOptions, sized: boolean]> = {
    'a File': [new File([BYTES], NAME), {}, true],
    'a Blob': [new Blob([BYTES]), { name: NAME }, true],
    'a Buffer': [Buffer.from(BYTES), { name: NAME }, true],
    'a Node.js stream': [Readable.from([BYTES.subarray(0, 9), BYTES.subarray(9)]), { name: NAME }, false],
    'a stream of known size': [Readable.from([BYTES]), { name: NAME, size: BYTES.length }, true],
    'a web stream': [new Blob([BYTES]).stream(), { name: NAME }, false],
    'a file that is opened for each attempt': [
      { open: () => Readable.from([BYTES]), name: NAME, size: BYTES.length },
      {},
      true,
    ],
  };
  it.each(Object.entries(sources))('send %s and report progress', async (_, [source, options, sized]) => {
    server.play(() => taken);
    const progress: UploadProgress[] = [];
    const media = await client.media.upload(source, {
      ...options,
      postId: 12,
      title: 'Häfen',
      altText: 'Two ships',
      tags: ['harbour', 'dusk'],
      onProgress: (step) => void progress.push(step),
    });

    expect(media).toEqual({ slug: 'aB3dE5f' });
    const [got] = server.received;
    expect(got).toMatchObject({
      method: 'POST',
      url: '/api/v1/media',
      headers: { authorization: 'Bearer vtr_x' },
    });
    const { name, bytes, fields } = await formOf(got!);
    expect(name).toBe(NAME);
    expect(fields).toEqual({
      post_id: '12',
      title: 'Häfen',
      alt_text: 'Two ships',
      'tags[0]': 'harbour',
      'tags[1]': 'dusk',
    });
    expect(Buffer.compare(bytes, BYTES)).toBe(0);

    const length = got!.body.length;
    expect(got!.headers['content-length']).toBe(sized ? String(length) : undefined);
    expect(progress.at(-1)).toEqual({ sent: length, total: sized ? length : undefined });
    expect(progress.length).toBeGreaterThan(3);
    expect(progress.map(({ sent }) => sent)).toEqual(progress.map(({ sent }) => sent).sort((a, b) => a - b));
  });

  it('create a post in the same request, and report a service that creates none', async () => {
    const post = {
      id: 1,
      slug: 'pQ7rS8t',
      visibility: 'private',
      access_key: 'k',
      page_url: 'http://site/p',
    };
    server.play((_, count) => (count === 0 ? { ...taken, body: { ...taken.body, post } } : taken));
    const upload = () =>
      client.posts.upload(new File([BYTES], NAME), { title: 'Häfen', visibility: 'private', isNsfw: false });

    expect(await upload()).toEqual({ post, media: { slug: 'aB3dE5f' } });
    expect((await formOf(server.received[0]!)).fields).toEqual({
      post: '1',
      visibility: 'private',
      is_nsfw: 'false',
      title: 'Häfen',
    });
    await expect(upload()).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: expect.stringContaining('aB3dE5f'),
    });
  });

  it('repeat a file with one key, but not a stream that was read', async () => {
    server.play((_, count) => (count === 0 ? { status: 503, headers: { 'Retry-After': '0' } } : taken));
    await client.media.upload(new File([BYTES], NAME));
    expect(new Set(server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await formOf(server.received[1]!)).bytes).toHaveLength(BYTES.length);

    server.play(() => ({ status: 503, headers: { 'Retry-After': '0' } }));
    const error = client.media.upload(Readable.from([BYTES]), { name: NAME });
    await expect(error).rejects.toMatchObject({ code: 'unavailable' });
    expect(server.received).toHaveLength(1);
  });

  it('stop when aborted, and cancel the stream', async () => {
    server.play(() => taken);
    const stop = new AbortController();
    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(1 << 16)) });
    const closed = new Promise((done) => endless.once('close', done));
    const upload = client.media.upload(endless, {
      name: NAME,
      signal: stop.signal,
      onProgress: ({ sent }) => sent > 1 << 20 && stop.abort(),
    });
    await expect(upload).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.received).toHaveLength(0);
    await closed;
  });

  it('report an error of the stream', async () => {
    server.play(() => taken);
    const broken = Readable.from(
      (async function* () {
        yield BYTES;
        throw new Error('the disk is gone');
      })(),
    );
    await expect(client.media.upload(broken, { name: NAME })).rejects.toMatchObject({ code: 'network' });
  });

  it('fail for a client without uploadUrl', async () => {
    const reader = new VitrineClient({ baseUrl: server.url });
    await expect(reader.media.upload(new Blob([]))).rejects.toThrow('without an uploadUrl');
  });
});
