import { documentedOperations, readOpenApi } from '@vitrine/testing';
import { type Gateway, startGateway } from './gateway';

describe('GET /openapi.json', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({
      PUBLIC_API_URL: 'https://api.example.net/api/v1',
      PUBLIC_UPLOAD_URL: 'https://up.example.net/api/v1/media',
    });
  });
  afterAll(() => gateway.stop());

  it('returns docs/openapi.json with this service’s own addresses', async () => {
    const { status, headers, body } = await gateway.ask('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    const text = JSON.stringify(body);
    expect(text).toContain('"url":"https://api.example.net/api/v1"');
    expect(text).toContain('"url":"https://up.example.net/api/v1"');
    const asInDocs = text
      .replaceAll('"https://api.example.net/api/v1"', '"http://localhost:3000/api/v1"')
      .replaceAll('"https://up.example.net/api/v1"', '"http://localhost:3001/api/v1"');
    expect(JSON.parse(asInDocs)).toEqual(readOpenApi());
  });

  it('answers 304 to a matching ETag, and counts as a request', async () => {
    const first = await gateway.ask('GET', '/openapi.json');
    const again = await gateway.ask('GET', '/openapi.json', {
      // Node’s fetch would add no-cache to a conditional request of its own accord.
      headers: { 'If-None-Match': first.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
    const left = [first, again].map(({ headers }) => Number(headers.get('X-RateLimit-Remaining')));
    expect(left[1]).toBe((left[0] ?? 0) - 1);
  });
});

describe('the document', () => {
  const operations = documentedOperations();
  const named = operations.map((one) => [`${one.method} ${one.path}`, one] as const);

  it('gives each operation a unique name that is a valid method name', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]*$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('describes every tag that it uses', () => {
    const described = readOpenApi().tags.map(({ name }) => name);
    for (const [name, { operation }] of named) {
      expect([name, operation.tags]).toEqual([name, [expect.any(String)]]);
      expect(described).toContain(operation.tags[0]);
    }
  });

  it('summarises each operation and describes each parameter in a path', () => {
    const bare = named.filter(([, { operation }]) => !operation.summary).map(([name]) => name);
    expect(bare).toEqual([]);
    const parameters = named.flatMap(([name, { operation }]) =>
      (operation.parameters ?? []).map((parameter) => ({ where: name, ...parameter })),
    );
    expect(
      parameters.filter((one) => one.in === 'path' && !(one.description && one.example !== undefined)),
    ).toEqual([]);
  });

  it('has an example for each body, and describes the success response of each route', () => {
    for (const [name, { operation }] of named) {
      const good = Object.entries(operation.responses).filter(([status]) => /^20[01]$/.test(status));
      expect([name, good.length]).toEqual([name, 1]);
      const bodies = [operation.requestBody, good[0]?.[1]].flatMap((one) =>
        Object.values(
          (one as { content?: Record<string, { example?: unknown }> } | undefined)?.content ?? {},
        ),
      );
      for (const body of bodies) {
        const schema = (body as { schema?: { example?: unknown } }).schema;
        expect([name, body.example ?? schema?.example]).toEqual([name, expect.anything()]);
      }
    }
  });
});
