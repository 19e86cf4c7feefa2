import { documentedOperations, type OpenApiSchema, readOpenApi } from '@vitrine/testing';
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

  // Promise [requests]: `GET /openapi.json` describes the API of both hosts, with their own addresses.
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
      // Node’s fetch would add no-cache to a conditional request by itself.
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

  it('summarises and describes each operation, and describes each parameter in a path', () => {
    const bare = named.filter(([, { operation }]) => !operation.summary).map(([name]) => name);
    expect(bare).toEqual([]);
    // The required tokens are appended to the operation's own description.
    const added = /^Requires (?:no token|a session|a guest token)|^Only moderators and admins may do this\.$/;
    const undescribed = named.filter(([, { operation }]) => {
      const [own = ''] = (operation.description ?? '').split('\n\n');
      return own === '' || added.test(own);
    });
    expect(undescribed.map(([name]) => name)).toEqual([]);
    const parameters = named.flatMap(([name, { operation }]) =>
      (operation.parameters ?? []).map((parameter) => ({ where: name, ...parameter })),
    );
    expect(
      parameters.filter((one) => one.in === 'path' && !(one.description && one.example !== undefined)),
    ).toEqual([]);
  });

  // Promise [requests]: The document gives the limits of everything that a client can send.
  it('gives the limits of everything that a client can send', () => {
    const { schemas } = readOpenApi().components;
    const bodies = new Set<OpenApiSchema>();
    const unlimited = (schema: OpenApiSchema, where: string): string[] => {
      if (schema.$ref !== undefined) {
        const named = schemas[schema.$ref.split('/').at(-1)!]!;
        if (bodies.has(named)) return [];
        bodies.add(named);
        return unlimited(named, schema.$ref);
      }
      const types = [schema.type].flat();
      const lacks = (type: string, ...keywords: string[]): boolean =>
        types.includes(type) && !keywords.every((keyword) => keyword in schema);
      const isFree =
        (lacks('string', 'enum') &&
          lacks('string', 'maxLength') &&
          lacks('string', 'pattern') &&
          schema['format'] !== 'binary') ||
        lacks('integer', 'minimum', 'maximum') ||
        lacks('number', 'minimum', 'maximum') ||
        lacks('array', 'maxItems');
      const parts = [
        ...Object.entries(schema.properties ?? {}),
        ...(schema.items ? [['items', schema.items] as const] : []),
        ...['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
          ((schema[key] ?? []) as OpenApiSchema[]).map((part) => [key, part] as const),
        ),
      ];
      return [
        ...(isFree ? [where] : []),
        ...parts.flatMap(([key, part]) => unlimited(part, `${where}/${key}`)),
      ];
    };
    const found = named.flatMap(([name, { operation }]) => [
      ...(operation.parameters ?? []).flatMap((parameter) =>
        unlimited(parameter.schema, `${name} ${parameter.name}`),
      ),
      ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => unlimited(schema, name)),
    ]);
    expect(found).toEqual([]);
    expect(bodies.size).toBeGreaterThan(15);
  });

  it('describes Idempotency-Key for each POST request, without an example that clients would share', () => {
    for (const [name, { method, operation }] of named) {
      const keys = (operation.parameters ?? []).filter((one) => one.name === 'Idempotency-Key');
      expect([name, keys.length]).toEqual([name, method === 'POST' ? 1 : 0]);
      for (const key of keys) {
        const fixed = ['example', 'examples', 'default', 'enum', 'const'];
        expect(fixed.filter((word) => word in key || word in key.schema)).toEqual([]);
      }
    }
  });

  it('names the schema of each list, after its items', () => {
    const { schemas } = readOpenApi().components;
    for (const [name, { operation }] of named) {
      const good = operation.responses['200'] as
        { content?: Record<string, { schema: OpenApiSchema }> } | undefined;
      const schema = good?.content?.['application/json']?.schema;
      const list = schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? schema;
      const item = list?.properties?.['data']?.items?.$ref?.split('/').at(-1);
      if (list?.properties?.['data']?.type !== 'array') continue;
      const expected = `#/components/schemas/${item?.replace(/^Listed/, '')}List`;
      expect([name, schema?.$ref]).toEqual([name, expected]);
    }
  });

  // Promise [webhooks]: The API document describes the requests of webhooks.
  it('describes the request of each webhook event, as the payloads name it', () => {
    const { webhooks, components } = readOpenApi();
    const options = components.schemas['CreateWebhookRequest']?.properties?.['events']?.items;
    expect(Object.keys(webhooks).sort()).toEqual([...(options?.['enum'] as string[]), 'webhook.test'].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post!.requestBody!.content['application/json']!;
      const named = components.schemas[schema.$ref!.split('/').at(-1)!];
      expect([type, named?.properties?.['type']?.['enum']]).toEqual([type, [type]]);
      expect(example).toMatchObject({ type });
    }
  });

  it('has an example for each body, and describes the success response of each route', () => {
    for (const [name, { operation }] of named) {
      const good = Object.entries(operation.responses).filter(([status]) => /^20[012]$/.test(status));
      // A login opens a session, or asks for the second factor.
      expect([name, good.length]).toEqual([name, name === 'POST /auth/login' ? 2 : 1]);
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
