import { VitrineClient } from '../src/index';
import { type BrowserRequest } from '../src/upload/browser-request';
import { ScriptedServer } from './scripted-server';

/**
 * The part of XMLHttpRequest that uploads need, on Node's fetch. It reports progress in two steps, like browsers for
 * small bodies.
 */
class NodeXmlHttpRequest implements BrowserRequest {
  status = 0;
  responseText = '';
  readonly upload: BrowserRequest['upload'] = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  private url = '';
  private readonly headers = new Headers();
  private answered = new Headers();
  private readonly controller = new AbortController();

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.answered.get(name);
  }
  abort(): void {
    this.controller.abort();
    this.onabort?.();
  }
  send(body: FormData): void {
    this.upload.onprogress?.({ loaded: 1, total: 2, lengthComputable: true });
    void fetch(this.url, {
      method: 'POST',
      headers: this.headers,
      body,
      signal: this.controller.signal,
    }).then(
      async (response) => {
        this.upload.onprogress?.({ loaded: 2, total: 2, lengthComputable: true });
        this.status = response.status;
        this.answered = response.headers;
        this.responseText = await response.text();
        this.onload?.();
      },
      () => this.controller.signal.aborted || this.onerror?.(),
    );
  }
}

describe('uploads in a browser', () => {
  let server: ScriptedServer;
  let client: VitrineClient;
  const place = globalThis as { XMLHttpRequest?: unknown };
  beforeAll(async () => {
    server = await ScriptedServer.start();
    client = new VitrineClient({
      baseUrl: server.url,
      uploadUrl: `${server.url}/media`,
      token: 'vtr_x',
      retry: { baseDelayMs: 1 },
    });
    place.XMLHttpRequest = NodeXmlHttpRequest;
  });
  afterAll(async () => {
    delete place.XMLHttpRequest;
    await server.stop();
  });

  it('use XMLHttpRequest, with progress and retries', async () => {
    server.play((_, count) =>
      count === 0 ? 'cut' : { status: 201, body: { message: '', media: { slug: 'aB3dE5f' } } },
    );
    const progress: unknown[] = [];
    const file = new File(['bytes'], 'a.png');
    const media = await client.media.upload(file, {
      postId: 'p',
      onProgress: (step) => void progress.push(step),
    });

    expect(media.slug).toBe('aB3dE5f');
    expect(progress.at(-1)).toEqual({ sent: 2, total: 2 });
    const [, got] = server.received;
    expect(got?.headers).toMatchObject({
      authorization: 'Bearer vtr_x',
      'idempotency-key': expect.any(String),
    });
    expect(String(got?.body)).toMatch(/name="post_id"[\s\S]*name="file"; filename="a.png"[\s\S]*bytes/);
  });

  it('send a stream as a whole, report errors, and can be aborted', async () => {
    server.play(() => ({
      status: 422,
      headers: { 'X-Request-Id': 'r' },
      body: { message: 'No.', errors: {} },
    }));
    const refused = client.media.upload(new Blob(['bytes']).stream(), { name: 'b.png' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid', message: 'No.', requestId: 'r' });
    expect(String(server.received[0]?.body)).toContain('bytes');

    const stop = new AbortController();
    const aborted = client.media.upload(new Blob(['x']), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  });
});
