import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startService, type ServiceProcess } from '@vitrine/testing';

// The site without an API: its answers, and the attacks that it must prevent.

/** Nothing listens on the discard port. */
const AWAY = 'http://127.0.0.1:9/api/v1';

describe('the website without its API', () => {
  let site: ServiceProcess;

  beforeAll(async () => {
    site = await startService('website', {
      env: { PUBLIC_API_URL: AWAY, SITE_NAME: 'Our <town> & "more"', TRUSTED_PROXIES: '127.0.0.0/8' },
    });
  });
  afterAll(async () => {
    await site?.stop();
  });

  const send = (path: string, init: RequestInit = {}) =>
    fetch(site.url + path, { redirect: 'manual', ...init });
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });

  // Promise [website]: During an outage the site says when to retry, and the request’s id.
  it('says that the service is unavailable, when to retry, and the request’s id', async () => {
    const response = await send('/');
    const page = await response.text();

    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(page).toContain('Temporarily unavailable');
    expect(page).toContain(`<code>${response.headers.get('X-Request-Id')}</code>`);
    expect(page).not.toMatch(/ECONNREFUSED|127\.0\.0\.1:9|node_modules|Error:/);
  });

  it('returns the same as JSON to scripts', async () => {
    const response = await send('/', { headers: { Accept: 'application/json' } });

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      message: 'The service is temporarily unavailable.',
      errors: {},
      retry_after: 5,
      request_id: response.headers.get('X-Request-Id'),
    });
  });

  // Promise [website]: Error pages say what the visitor can do.
  it.each(['/nowhere', '/p', '/%3Cscript%3Ealert(1)%3C/script%3E', '/assets/none.js'])(
    'answers %s with an error page',
    async (path) => {
      const response = await send(path);
      const page = await response.text();

      expect(response.status).toBe(404);
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(page).toContain('<h1>Page not found</h1>');
      expect(page).not.toMatch(/alert\(1\)|Cannot GET|stack/i);
    },
  );

  /** Sends the address unchanged; `fetch` would normalise it first. */
  const ask = async (path: string): Promise<IncomingMessage> => {
    const { hostname, port } = new URL(site.url);
    return new Promise((resolve, reject) => get({ hostname, port, path }, resolve).on('error', reject));
  };

  it.each(['/p/%2e%2e', '/p/%2E', '/m/%2e%2e', '/p/%2e%2e/comments/5', '/e/%2e'])(
    'returns 404 for %s, and logs no error',
    async (path) => {
      const response = await ask(path);

      expect(response.statusCode).toBe(404);
      expect(await text(response)).toContain('<h1>Page not found</h1>');
    },
  );

  it('redirects only within the site, whatever address a request names', async () => {
    const foreign = await ask('http://evil.example/settings/avatar');
    const own = await ask(`${site.url}/settings/avatar`);

    expect([foreign.statusCode, foreign.headers.location]).toEqual([400, undefined]);
    expect(await text(foreign)).toBe('The request could not be read.\n');
    own.resume();
    expect([own.statusCode, own.headers.location]).toEqual([303, '/login?next=%2Fsettings%2Favatar']);
  });

  it('serves a page under one spelling of its path only', async () => {
    expect((await send('/login')).status).toBe(200);
    for (const path of ['/LOGIN', '/login/', '//login', '/./login', '/%6cogin', '/assets//none.js']) {
      const response = await ask(path);
      expect([path, response.statusCode]).toEqual([path, 404]);
      expect(await text(response)).toContain('<h1>Page not found</h1>');
    }
  });

  it('answers 400 to two Host headers', async () => {
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /login HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('parses hostile text of the maximum size as fast as other text', async () => {
    const processorSeconds = async (): Promise<number> => {
      const metrics = await (await fetch(`${site.managementUrl}/metrics`)).text();
      return Number(/^process_cpu_seconds_total ([\d.e+-]+)$/m.exec(metrics)?.[1]);
    };
    const before = await processorSeconds();
    for (const repeated of ['\u0300\u0316', ' ', '#', ',', '\r', '&amp;', '/', '🙂']) {
      const inQuery = encodeURIComponent(repeated).repeat(4_000 / encodeURIComponent(repeated).length);
      for (const path of [`/search?q=${inQuery}`, `/login?next=${inQuery}`, `/oembed?url=${inQuery}`]) {
        expect((await send(path)).status).toBeLessThan(504);
      }
      const inForm = repeated.repeat(80_000 / encodeURIComponent(repeated).length);
      for (const path of ['/login', '/register', '/upload', '/settings/profile']) {
        const { status } = await post(path, { login: inForm, tags: inForm, next: inForm });
        expect(status).toBeLessThan(504);
      }
    }
    expect((await processorSeconds()) - before).toBeLessThan(5);
  });

  it('logs that the API did not answer', async () => {
    await send('/tags');

    expect(site.output()).toMatch(/warn.*The API did not answer: .*ECONNREFUSED/i);
  });

  // Promise [website]: `SITE_NAME` sets the site’s name.
  it('escapes the site’s configured name', async () => {
    const page = await (await send('/nowhere')).text();

    expect(page).toContain('<title>Page not found - Our &lt;town> &amp; &quot;more&quot;</title>');
    expect(page).not.toContain('<town>');
  });

  // Promise [website]: The Content-Security-Policy is strict.
  it('sends headers against foreign scripts, frames, sniffing and leaked addresses', async () => {
    for (const path of ['/', '/nowhere', '/robots.txt']) {
      const { headers } = await send(path);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('same-origin');
      expect(headers.get('X-Powered-By')).toBeNull();
    }
  });

  // Promise [website]: Pages load nothing from other parties.
  it('loads only its own scripts and styles, cached permanently and compressed', async () => {
    const page = await (await send('/nowhere')).text();
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    const loaded = [...page.matchAll(/<(?:link|script|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g)].map(
      ([, address]) => address ?? '',
    );
    const assets = loaded.filter((address) => address.startsWith('/assets/'));
    expect(assets.length).toBeGreaterThanOrEqual(2);
    // `#main` is an element of the page that must be parsed before the page is painted.
    for (const address of loaded) expect(address).toMatch(/^(?:\/[^/]|#main$)/);
    for (const address of assets) {
      const response = await send(address, { headers: { 'Accept-Encoding': 'gzip' } });
      const size = (await response.arrayBuffer()).byteLength;
      // Compression would make a file of less than a kilobyte hardly smaller.
      const encoding = size < 1024 ? null : 'gzip';
      expect([response.status, response.headers.get('Content-Encoding')]).toEqual([200, encoding]);
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    }
  });

  describe('a form', () => {
    it.each([
      ['without a token', {}, {}],
      ['with an invented token', { _token: 'A'.repeat(86) }, {}],
      ['from another site', {}, { 'Sec-Fetch-Site': 'cross-site' }],
      ['from another host of the domain', {}, { 'Sec-Fetch-Site': 'same-site' }],
      ['with a foreign origin', {}, { Origin: 'https://evil.example' }],
      ['with the origin null', {}, { Origin: 'null' }],
    ])('%s is refused without a request to the API', async (_, fields, headers) => {
      const response = await post('/login', { login: 'ada', password: 'long enough', ...fields }, headers);
      const page = await response.text();

      expect(response.status).toBe(403);
      expect(page).not.toContain('long enough');
    });

    it('from the site under another address is refused, and the reason is logged', async () => {
      for (const _ of [1, 2]) await post('/login', { login: 'ada' }, { Origin: site.url });
      const told = site.output().match(/because PUBLIC_SITE_URL is http:\/\/localhost:\d+/g);
      expect(told).toHaveLength(1);
    });

    it('is bound to one browser: its token is invalid in another', async () => {
      const form = await send('/login');
      const cookie = (form.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
      const token = /name="_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
      const fields = { _token: token, login: 'ada', password: 'long enough' };

      expect((await post('/login', fields, { Cookie: cookie })).status).toBe(503);
      expect((await post('/login', fields, { Cookie: 'vitrine_browser=another' })).status).toBe(403);
      expect((await post('/login', fields)).status).toBe(403);
    });

    it('keeps its number if it may have been executed, so that it is executed once', async () => {
      // The page of the form itself asks the API for the rules of registration.
      const form = await send('/login');
      const cookie = (form.headers.get('Set-Cookie') ?? '').split(';')[0] ?? '';
      const token = /name="_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
      const fields = { _token: token, _form: 'number-1', username: 'ada', password: 'long enough' };

      const refused = await post('/register', fields, { Cookie: cookie });

      expect(refused.status).toBe(503);
      expect(await refused.text()).toMatch(/action="\/register"[^]*name="_form" value="number-1"/);
    });

    it('that is too long or unreadable is refused with an error page', async () => {
      const long = await post('/login', { login: 'x'.repeat(300_000) });
      expect([long.status, long.headers.get('Content-Type')]).toEqual([413, 'text/html; charset=utf-8']);
    });
  });

  it('reports on its management port that it is up', async () => {
    expect((await fetch(`${site.managementUrl}/health/ready`)).status).toBe(200);
    expect((await send('/health/ready')).status).toBe(404);
  });

  it('names the port that is in use, and the setting that changes it', async () => {
    const taken = new URL(site.url).port;

    const start = startService('website', { env: { SITE_PORT: taken } });

    await expect(start).rejects.toThrow(`Port ${taken} is in use by another program`);
    await expect(start).rejects.toThrow('SITE_PORT');
  });

  it('finishes its responses and exits with status 0 when asked to stop', async () => {
    const other = await startService('website', { env: {} });

    expect(await other.stop()).toBe(0);
  });
});

describe('the website behind https', () => {
  // Promise [website]: Over HTTPS, cookies have the prefix `__Host-`.
  it('prefixes its cookies with __Host-, and requires HTTPS', async () => {
    const site = await startService('website', {
      env: { PUBLIC_API_URL: AWAY, PUBLIC_SITE_URL: 'https://pictures.example' },
    });
    try {
      const { headers } = await fetch(`${site.url}/login`);
      expect(headers.get('Set-Cookie')).toMatch(
        /^__Host-vitrine_browser=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/i,
      );
      expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000');
    } finally {
      await site.stop();
    }
  });
});
