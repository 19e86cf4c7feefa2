import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { askUrl, type Gateway, PASSWORD, startGateway } from './gateway';

/** A token with a valid checksum that was never issued. */
const UNKNOWN_TOKEN = 'vtr_00000000000000000000000000000000000iqUEf';

describe('HTTP basics of the API', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  // Promise [requests]: A path or an item that doesn’t exist gives 404 with JSON.
  it('answers unknown paths with JSON', async () => {
    for (const path of ['/', '/nothing', '/api/v1/nothing', '/api/v1/media/none', '/api/v1/media/%ff']) {
      const { status, body } = await askUrl('GET', gateway.service.url + path);
      expect([path, status, body]).toEqual([path, 404, { message: 'Not found.' }]);
    }
  });

  it.each([
    ['a query that isn’t percent-encoded', 'GET /api/v1/media?tag=über HTTP/1.1', 400],
    ['an unknown method', 'LOOK /api/v1/media HTTP/1.1', 400],
    ['an address without end', `GET /api/v1/media?q=${'x'.repeat(20_000)} HTTP/1.1`, 431],
    [
      'two lengths',
      'POST /api/v1/auth/login HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
      400,
    ],
  ])('answers malformed HTTP with JSON: %s', async (_, head, status) => {
    const { hostname, port } = new URL(gateway.service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`${head}\r\nHost: test\r\n\r\n`);
    const [headers = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(headers).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toEqual({ message: expect.stringMatching(/^The request .*\.$/) });
  });

  it('lists addresses and limits at the base address, and leads to the document from /openapi.json', async () => {
    const index = await fetch(`${gateway.service.url}/api/v1`);
    const body = (await index.json()) as Record<string, unknown>;
    expect([index.status, body]).toEqual([
      200,
      expect.objectContaining({
        version: '1.0.0',
        upload_url: expect.stringMatching(/\/api\/v1\/media$/),
        limits: expect.objectContaining({ media_per_post: 50 }),
      }),
    ]);
    const document = await fetch(`${gateway.service.url}/openapi.json`, { redirect: 'manual' });
    expect([document.status, document.headers.get('Location')]).toEqual([302, body['openapi_url']]);
  });

  // Promise [requests]: A method that a path doesn’t have gives 405 with `Allow`.
  it('lists the allowed methods of a path', async () => {
    const { status, body, headers } = await gateway.ask('PUT', '/me');
    expect([status, body, headers.get('Allow')]).toEqual([
      405,
      { message: 'The PUT method is not supported for this route.' },
      'DELETE, GET, HEAD, PATCH',
    ]);
    expect((await gateway.ask('GET', '/auth/login')).headers.get('Allow')).toBe('POST');
  });

  // Promise [access]: A missing or invalid token gives 401 with `WWW-Authenticate`, also on public routes.
  it('answers 401 without a required token, and for an invalid token on every route', async () => {
    const refused = { status: 401, body: { message: 'Unauthenticated.' } };
    const missing = await gateway.ask('GET', '/me');
    expect(missing).toMatchObject(refused);
    expect(missing.headers.get('WWW-Authenticate')).toBe('Bearer');
    const headers = [
      'Bearer',
      'Bearer x',
      'Basic dXNlcjpwYXNz',
      `Bearer ${UNKNOWN_TOKEN}`,
      `Bearer ${UNKNOWN_TOKEN} ${UNKNOWN_TOKEN}`,
      `Bearer ${'x'.repeat(8000)}`,
      'vtr_x',
    ];
    for (const Authorization of headers) {
      for (const path of ['/me', '/media/aaaaaaa', '/nothing']) {
        expect(await gateway.ask('GET', path, { headers: { Authorization } })).toMatchObject(refused);
      }
    }
  });

  // Promise [access]: The scheme `Bearer` is accepted in any case.
  it('accepts the authorization scheme in any case', async () => {
    const session = await gateway.register('cased');
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      const answer = await gateway.ask('GET', '/me', { headers: { Authorization: `${scheme} ${session}` } });
      expect(answer.status).toBe(200);
    }
  });

  // Promise [requests]: An unreadable body gives 400; 413 is used only if the body is too large to be read to
  // its end.
  it('distinguishes malformed, invalid and too large bodies', async () => {
    const post = (raw: string | Uint8Array, headers = {}) =>
      gateway.ask('POST', '/auth/register', { raw, headers });
    const unreadable = { status: 400, body: { message: 'The request body could not be read.' } };
    for (const raw of [
      '{',
      '{"a":',
      'null',
      '"text"',
      '17',
      '{"username":"x"',
      new Uint8Array([0xff, 0xfe, 0x00]),
    ]) {
      expect(await post(raw)).toMatchObject(unreadable);
    }
    expect(await post('{}', { 'Content-Encoding': 'gzip' })).toMatchObject(unreadable);
    const deep = `{"username":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await post(deep)).toMatchObject(unreadable);
    const token = await gateway.register('with_arrays');
    for (const raw of ['[]', '[{"bio":"x"}]']) {
      const { status, body } = await gateway.ask('PATCH', '/me', { token, raw });
      expect([status, body]).toMatchObject([422, { errors: { body: ['The body must be an object.'] } }]);
    }
    for (const raw of ['[]', '[[]]', '[1,2]', '{}', '']) expect((await post(raw)).status).toBe(422);
    expect((await post(JSON.stringify({ username: 'x'.repeat(300_000) }))).status).toBe(413);
  });

  // Promise [requests]: A JSON body is read with any content type, or none; multipart and binary bodies keep
  // theirs.
  it('reads JSON bodies whatever their content type, except multipart and binary bodies', async () => {
    const token = await gateway.register('mislabelled');
    const patch = async (bio: string, type: string | null) => {
      const body = new TextEncoder().encode(JSON.stringify({ bio }));
      const headers = { Authorization: `Bearer ${token}`, ...(type !== null && { 'Content-Type': type }) };
      const { status } = await fetch(`${gateway.service.url}/api/v1/me`, { method: 'PATCH', headers, body });
      return [status, (await gateway.ask('GET', '/me', { token })).body];
    };
    for (const [index, type] of [
      'application/json',
      'APPLICATION/JSON; charset=utf-8',
      'application/vnd.api+json',
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded',
      null,
    ].entries()) {
      const bio = `As number ${index}`;
      expect(await patch(bio, type)).toMatchObject([200, { data: { bio } }]);
    }
    for (const type of ['multipart/form-data; boundary=x', 'application/octet-stream', 'image/png']) {
      expect(await patch('Unread', type)).toMatchObject([400, { data: { bio: 'As number 5' } }]);
    }
    const upload = { 'Content-Type': 'multipart/form-data; boundary=x', Authorization: `Bearer ${token}` };
    const body = '--x\r\n'.repeat(100_000);
    const url = `${gateway.service.url}/api/v1/media`;
    const misplaced = await fetch(url, { method: 'POST', headers: upload, body });
    expect([misplaced.status, misplaced.headers.get('Allow'), await misplaced.json()]).toEqual([
      405,
      'GET, HEAD',
      {
        message: expect.stringMatching(
          /^The POST method is not supported for this route\. Upload files to http:.*\/api\/v1\/media\.$/,
        ),
      },
    ]);
  });

  describe('form bodies', () => {
    const FORM = 'application/x-www-form-urlencoded';
    const wanted = { name: 'camera', current_password: PASSWORD };
    let token: string;
    beforeAll(async () => {
      token = await gateway.register('with_forms');
    });
    const patch = async (raw: string | Uint8Array, type: string, path = '/me') =>
      gateway.ask('PATCH', path, { token, raw, headers: { 'Content-Type': type } });
    const create = (body: URLSearchParams | FormData) =>
      fetch(`${gateway.service.url}/api/v1/tokens`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body,
      });

    it('are read with the types that the route declares', async () => {
      for (const scopes of [
        [['scopes', 'read']],
        [['scopes[]', 'read']],
        [
          ['scopes', 'read'],
          ['scopes', 'write'],
        ],
        [
          ['scopes[1]', 'write'],
          ['scopes[0]', 'read'],
        ],
      ] as [string, string][][]) {
        const pairs = [['name', 'camera'], ['current_password', PASSWORD], ...scopes] as [string, string][];
        const multipart = new FormData();
        for (const [name, value] of pairs) multipart.append(name, value);
        for (const body of [new URLSearchParams(pairs), multipart]) {
          const response = await create(body);
          const names = scopes.map(([, scope]) => scope).sort();
          expect([response.status, await response.json()]).toEqual([
            201,
            expect.objectContaining({ api_token: expect.objectContaining({ scopes: names }) }),
          ]);
        }
      }
    });

    it('with a nested or doubled text name what was expected', async () => {
      const error = { status: 422, body: { errors: { bio: ['The bio field must be a string.'] } } };
      for (const raw of ['bio=a&bio=b', 'bio[x]=a', 'bio[]=a', 'bio[x][y]=a']) {
        expect(await patch(raw, FORM)).toMatchObject(error);
      }
      expect((await create(new URLSearchParams({ ...wanted, 'scopes[a]': 'read' }))).status).toBe(422);
    });

    it('with a file, too many fields or levels, or of another kind say what is read', async () => {
      const boundary = 'multipart/form-data; boundary=x';
      const file = '--x\r\nContent-Disposition: form-data; name="bio"; filename="a"\r\n\r\na\r\n--x--\r\n';
      const many = Array.from({ length: 201 }, (_, index) => `a${index}=1`).join('&');
      const list = Array.from({ length: 201 }, () => 'bio[]=1').join('&');
      for (const [raw, type] of [
        [file, boundary],
        ['bio=a', boundary],
        ['bio=a', 'multipart/form-data'],
        ['--x\r\n'.repeat(30_000), boundary],
        [many, FORM],
        [list, FORM],
        ['bio[a][b][c][d]=1', FORM],
        [new Uint8Array([0xff, 0xfe]), FORM],
        ['bio=a', 'application/octet-stream'],
      ] as const) {
        const { status, body } = await patch(raw, type);
        expect([type, status, body]).toEqual([
          type,
          400,
          { message: expect.stringMatching(/Expected a JSON object, or a form .* 200 fields\.$/) },
        ]);
      }
      expect((await patch('bio=' + 'x'.repeat(300_000), FORM)).status).toBe(413);
      const { body } = await gateway.ask('GET', '/me', { token });
      expect(body).toMatchObject({ data: { bio: null } });
    });
  });

  it('accepts a request without a body whose content type is JSON', async () => {
    const token = await gateway.register('bodyless');
    const headers = { 'Content-Type': 'application/json' };
    expect((await gateway.ask('GET', '/me', { token, headers })).status).toBe(200);
    expect((await gateway.ask('DELETE', '/tokens/1', { token, headers })).status).toBe(404);
  });

  it('keeps a valid request id, and returns one with every answer', async () => {
    const idOf = async (sent?: string) =>
      (await gateway.ask('GET', '/me', { headers: sent ? { 'X-Request-Id': sent } : {} })).headers.get(
        'X-Request-Id',
      );
    expect(await idOf('0af7651916cd43dd8448eb211c80319c')).toBe('0af7651916cd43dd8448eb211c80319c');
    for (const sent of [
      undefined,
      'short',
      'x'.repeat(129),
      'with spaces in it',
      '<script>alert(1)</script>',
    ]) {
      expect(await idOf(sent)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  // Promise [requests]: CORS allows every origin, without credentials.
  it('allows browsers of any origin, without credentials', async () => {
    const preflight = await gateway.ask('OPTIONS', '/me', {
      headers: {
        Origin: 'https://a.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,cache-control,traceparent,x-requested-with',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Vary')).toContain('Access-Control-Request-Headers');
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(
      'authorization,cache-control,traceparent,x-requested-with',
    );
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET,HEAD,POST,PUT,PATCH,DELETE');
    const refused = await gateway.ask('GET', '/me', { headers: { Origin: 'https://a.example' } });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
    for (const name of [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'Location',
      'X-Request-Id',
    ]) {
      expect(refused.headers.get('Access-Control-Expose-Headers')).toContain(name);
    }
  });

  it('sends security headers, and none that name its software', async () => {
    const { headers } = await gateway.ask('GET', '/nothing');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(headers.get('X-Powered-By')).toBeNull();
    expect(headers.get('Server')).toBeNull();
  });

  it('measures requests by route pattern, not by path', async () => {
    await gateway.ask('GET', '/media/secret7');
    const metrics = await (await fetch(`${gateway.service.managementUrl}/metrics`)).text();
    const labels = 'method="GET",route="/api/v1/media/:slug",status="404"';
    expect(metrics).toContain(`vitrine_http_request_seconds_count{${labels}}`);
    expect(metrics).not.toContain('secret7');
  });

  it('never answers 500 to malformed requests', async () => {
    const token = await gateway.register('fuzzed');
    const routes = [
      ['POST', '/auth/register', ['username', 'password', 'email']],
      ['POST', '/auth/login', ['login', 'password']],
      ['PATCH', '/me', ['bio', 'email', 'avatar']],
      ['POST', '/me/password', ['current_password', 'password']],
      ['POST', '/tokens', ['name', 'scopes', 'expires_at', 'current_password']],
      ['PATCH', '/media/aaaaaaa', ['title', 'description', 'alt_text']],
    ] as const;
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u0000',
        '\ud800',
        '9999-99-99T99:99:99Z',
        "' or 1=1 --",
        '+275760-09-13T00:00:00Z',
        -0,
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.array(value, { maxLength: 3 }),
        async ([method, path, names], values) => {
          const body = Object.fromEntries(values.map((sent, index) => [names[index % names.length], sent]));
          const { status } = await gateway.ask(method, path, { token, body });
          expect(status).toBeGreaterThanOrEqual(200);
          expect([500, 503]).not.toContain(status);
        },
      ),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (text) => {
        const { status } = await gateway.ask('GET', `/media/${encodeURIComponent(text)}`);
        expect([401, 404]).toContain(status);
      }),
      { numRuns: 100 },
    );
    const levels = gateway.service
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(levels).toEqual([]);
  });
});
