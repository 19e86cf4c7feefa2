import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, type ServiceProcess, type OwnStack, startService, startStack } from '@vitrine/testing';
import sharp from 'sharp';

const FILES = 'https://files.example.test';
const UPLOADS = 'https://upload.example.test';
const SECURE = {
  PUBLIC_API_URL: 'https://api.example.test/api/v1',
  PUBLIC_UPLOAD_URL: `${UPLOADS}/api/v1/media`,
  PUBLIC_CDN_URL: FILES,
  PUBLIC_SITE_URL: 'https://www.example.test',
};

/** The table of docs/security.md: for each kind of host the headers and what they hold, null where they aren't sent. */
function promised(): ReadonlyMap<string, ReadonlyMap<string, string | null>> {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'security.md'), 'utf8');
  const section = page.split('## Response headers')[1]?.split('\n## ')[0] ?? '';
  const [heads = [], , ...rows] = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );
  return new Map(
    heads.slice(1).map((host, index) => [
      host.replace(/ ?`.*`/, ''),
      new Map(
        rows.map(([header = '', ...cells]) => {
          const value = /^`(.*)`$/.exec(cells[index] ?? '')?.[1];
          return [header, value?.replaceAll('{files}', FILES).replace('{uploads}', UPLOADS) ?? null];
        }),
      ),
    ]),
  );
}

/** A response's status, and its headers without those that the table doesn't name. */
interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string | null>;
}

const TABLE = promised();
const NAMES = [...(TABLE.get('Website')?.keys() ?? [])];

const answered = (status: number, get: (name: string) => string | null): Answer => ({
  status,
  headers: new Map(NAMES.map((name) => [name, get(name)])),
});

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return answered(response.status, (name) => response.headers.get(name));
}

/** Sends bytes that are not HTTP. */
async function askNonsense(url: string): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write('GET /\xff HTTP/1.1\r\nHost x\r\n\r\n'),
    );
    socket.setEncoding('latin1').on('data', (part: string) => (heard += part));
    socket.once('end', () => resolve(heard)).once('error', reject);
  });
  const lines = text.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
  const headers = new Headers(lines.slice(1).map((line) => line.split(': ') as [string, string]));
  return answered(Number(lines[0]?.split(' ')[1]), (name) => headers.get(name));
}

describe('security headers of docs/security.md', () => {
  let stack: OwnStack;
  let token: string;
  let slug: string;
  let plain: ServiceProcess;

  beforeAll(async () => {
    const apiPort = String(await freePort());
    stack = await startStack({
      without: ['media-processor', 'moderation-service'],
      env: { ...SECURE, API_PORT: apiPort, SITE_API_URL: `http://localhost:${apiPort}/api/v1` },
    });
    // The stack chose a port for the API itself; its settings give way to these.
    const registered = await fetch(`${api()}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'correct horse battery' }),
    });
    token = ((await registered.json()) as { session: string }).session;
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#369' } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(picture)]), 'a.png');
    const uploaded = await fetch(stack.uploadUrl, { method: 'POST', headers: bearer(), body });
    slug = ((await uploaded.json()) as { media: { slug: string } }).media.slug;
  });
  afterAll(async () => {
    await plain?.stop('SIGKILL');
    await stack?.close();
  });

  const service = (name: 'api-gateway' | 'upload-service' | 'website'): ServiceProcess => {
    const found = stack.services.get(name);
    if (!found) throw new Error(`${name} doesn't run`);
    return found;
  };
  const api = (): string => `${service('api-gateway').url}/api/v1`;
  const upload = (): string => `${service('upload-service').url}/api/v1/media`;
  const file = (name: string): string => `${service('upload-service').url}/f/${name}`;
  const site = (path: string): string => `${service('website').url}${path}`;
  const bearer = (): { Authorization: string } => ({ Authorization: `Bearer ${token}` });
  const post = (body: BodyInit, headers: Record<string, string> = {}): RequestInit => ({
    ...{ method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } },
  });

  /** Compares the responses of one kind of host with its column; `statuses` shows that all kinds were compared. */
  async function holds(host: string, answers: readonly Promise<Answer>[], statuses: number[]): Promise<void> {
    const column = TABLE.get(host);
    const got = await Promise.all(answers);
    expect(got.map(({ status }) => status)).toEqual(statuses);
    for (const { status, headers } of got) expect([status, headers]).toEqual([status, column]);
  }

  it('reads five hosts and more than ten headers out of the page', () => {
    expect([...TABLE.keys()]).toEqual(['API and upload', 'Files', 'Website', 'Embeds', 'Management']);
    expect(NAMES.length).toBeGreaterThan(10);
  });

  it('are on every answer of the API', async () => {
    await holds(
      'API and upload',
      [
        ask(`${api()}/posts`),
        ask(`${api()}/posts`, { method: 'HEAD' }),
        ask(`${api()}/posts`, { method: 'OPTIONS' }),
        ask(`${api()}/posts`, post('{"media_ids":[999]}', bearer())),
        ask(`${api()}/posts?limit=0`),
        ask(`${api()}/me`),
        ask(`${api()}/moderation/queue`, { headers: bearer() }),
        ask(`${api()}/nowhere`),
        ask(`${api()}/%zz`),
        ask(`${api()}/posts`, { method: 'PUT' }),
        ask(`${api()}/auth/login`, post('{"login":')),
        ask(`${api()}/auth/login`, post(JSON.stringify({ login: 'x'.repeat(300_000) }))),
        askNonsense(api()),
      ],
      [200, 200, 204, 422, 422, 401, 403, 404, 404, 405, 400, 413, 400],
    );
  });

  it('are on every answer of the upload host', async () => {
    const form = (name: string): FormData => {
      const body = new FormData();
      body.set(name, new Blob(['no picture']), 'a.png');
      return body;
    };
    await holds(
      'API and upload',
      [
        ask(upload(), { method: 'OPTIONS' }),
        ask(upload(), { method: 'POST', headers: bearer(), body: form('file') }),
        ask(upload(), { method: 'POST', body: form('file') }),
        ask(upload(), { method: 'GET' }),
        ask(`${service('upload-service').url}/`),
        askNonsense(upload()),
      ],
      [204, 422, 401, 405, 404, 400],
    );
  });

  it('are on every answer of the file host', async () => {
    const etag = (await fetch(file(`${slug}.png`))).headers.get('etag') ?? '';
    await holds(
      'Files',
      [
        ask(file(`${slug}.png`)),
        ask(file(`${slug}_xs.png`), { method: 'HEAD' }),
        ask(file(`${slug}.png`), { headers: { Range: 'bytes=0-9' } }),
        ask(file(`${slug}.png`), { headers: { Range: 'bytes=999999-' } }),
        ask(file(`${slug}.png`), { headers: { 'If-None-Match': etag } }),
        ask(file('nothing.png')),
        ask(file(`${slug}.png`), { method: 'DELETE' }),
        ask(file(`${slug}.png`), { method: 'OPTIONS' }),
      ],
      [200, 200, 206, 416, 304, 404, 405, 204],
    );
  });

  it('are on answers of the file host for unknown files', async () => {
    for (const path of ['', '%zz', 'a/b']) {
      const { headers } = await ask(file(path));
      expect([path, headers.get('X-Content-Type-Options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('Content-Security-Policy')]).toEqual([
        path,
        expect.stringMatching(/default-src 'none'/),
      ]);
    }
  });

  // Promise [security]: Security headers are on every answer, as [security.md](security.md#response-headers)
  // lists them.
  it('are on every answer of the website', async () => {
    const page = await (await fetch(site('/'))).text();
    const [, asset = ''] = /(\/assets\/[^"]+\.css)/.exec(page) ?? [];
    const modified = (await fetch(site(asset))).headers.get('etag') ?? '';
    await holds(
      'Website',
      [
        ask(site('/')),
        ask(site('/'), { method: 'HEAD' }),
        ask(site(asset)),
        ask(site(asset), { headers: { 'If-None-Match': modified, 'Cache-Control': 'max-age=0' } }),
        ask(site('/assets/nothing.css')),
        ask(site('/nowhere')),
        ask(site('/robots.txt')),
        ask(site('/settings')),
        ask(site('/login'), { method: 'POST', body: new URLSearchParams({ login: 'x', password: 'y' }) }),
        ask(site('/%zz')),
      ],
      [200, 200, 200, 304, 404, 404, 200, 303, 403, 404],
    );
    await holds('Embeds', [ask(site(`/e/${slug}`))], [200]);
    await holds('Website', [ask(site('/e/nothing'))], [404]);
  });

  it('are on every answer of the management ports', async () => {
    for (const { managementUrl } of stack.services.values()) {
      await holds(
        'Management',
        [
          ask(`${managementUrl}/health/live`),
          ask(`${managementUrl}/health/ready`, { method: 'HEAD' }),
          ask(`${managementUrl}/metrics?name[]=x`),
          ask(`${managementUrl}/`),
          ask(`${managementUrl}/metrics`, { method: 'OPTIONS', headers: { Origin: 'https://evil.test' } }),
          ask(`${managementUrl}/metrics`, post('x'.repeat(100_000))),
        ],
        [200, 200, 200, 404, 405, 405],
      );
    }
  });

  it('have no TLS directives without https: addresses, and are the same otherwise', async () => {
    plain = await startService('api-gateway', { env: { DATABASE_URL: stack.database.url } });
    const { status, headers } = await ask(`${plain.url}/api/v1/posts`);
    expect(status).toBe(200);
    const expected = new Map(TABLE.get('API and upload')).set('Strict-Transport-Security', null);
    expect(headers).toEqual(expected);
  });

  it('are on answers 500 and 503 of the API, the file host and the website', async () => {
    await stack.sql('alter table tags rename to tags_elsewhere');
    await holds('API and upload', [ask(`${api()}/tags`)], [500]);
    await stack.sql('alter table tags_elsewhere rename to tags');
    await stack.sql('alter table media rename to media_elsewhere');
    await holds('Files', [ask(file('another.png'))], [500]);
    await holds('Website', [ask(site(`/m/${slug}`))], [500]);
    await stack.sql('alter table media_elsewhere rename to media');
  });
});
