import type { DocumentedOperation, OpenApiDocument, OpenApiSchema } from '@vitrine/testing';
import fc from 'fast-check';

/**
 * JSON texts, because `JSON.stringify` can't write all of them: invalid numbers, duplicate keys, texts without an
 * end.
 */
const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'null',
      'true',
      '[]',
      '{}',
      '""',
      '" "',
      '-0',
      '0',
      '-1',
      '1.5',
      '1e400',
      '-1e400',
      `1${'0'.repeat(400)}`,
      '2147483648',
      '9007199254740993',
      '99999999999999999999',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\udc00x"',
      '"\\u202e\\ufeff"',
      '"%00"',
      '"__proto__"',
      '"constructor"',
      '"9999-99-99T99:99:99Z"',
      '"+275760-09-13T00:00:00Z"',
      `"' or 1=1 --"`,
      '["a",["b",{"c":[null]}]]',
      '[1,1]',
      '[null]',
      '{"__proto__":{"role":"admin"}}',
      '{"constructor":{"prototype":{"role":"admin"}}}',
      '{"toString":1,"length":-1,"valueOf":null}',
      JSON.stringify('x'.repeat(100_000)),
      JSON.stringify('🙂'.repeat(20_000)),
      JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index)),
      '['.repeat(30) + ']'.repeat(30),
      '['.repeat(500) + ']'.repeat(500),
      '['.repeat(100_000) + ']'.repeat(100_000),
      '{"a":'.repeat(30_000) + '1' + '}'.repeat(30_000),
    ),
  },
);

/** Bodies: the operation’s own fields with wrong values, unknown fields, and texts that are no JSON object. */
export function hostileBodies(
  { operation }: DocumentedOperation,
  document: OpenApiDocument,
  good: object,
): fc.Arbitrary<string | Uint8Array> {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  const declared = Object.keys(resolve(schema, document).properties ?? {});
  const names = [...declared, ...declared, ...declared, '__proto__', 'constructor', 'user_id', 'score', 'id'];
  const fields = fc.array(fc.tuple(fc.constantFrom(...names), hostileJson), { maxLength: 4 });
  const asJson = (pairs: readonly (readonly [string, string])[]): string =>
    `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  const goodPairs = Object.entries(good).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return fc.oneof(
    // Most fields are valid, so that rules that are checked last are reached too.
    { weight: 5, arbitrary: fields.map((pairs) => asJson([...goodPairs, ...pairs])) },
    { weight: 3, arbitrary: fields.map(asJson) },
    { weight: 2, arbitrary: hostileJson },
    { weight: 1, arbitrary: fields.map((pairs) => asJson(pairs).slice(0, -1)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) },
  );
}

const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map(encode),
  fc.constantFrom(
    ...[
      '',
      '0',
      '-1',
      '1.5',
      '1e400',
      '1'.repeat(400),
      '9223372036854775808',
      '2147483648',
      'NaN',
      ' 1',
      '٣',
    ],
    ...['%00', 'a%00b', '%', '%f', '%zz', '%ff%fe', '%ed%a0%80', '%2F', '%2e%2e', '%0d%0aX:1', '+', '%25'],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'true',
      'null',
      'undefined',
      '[object%20Object]',
      '%F0%9F%99%82',
    ],
    'x'.repeat(3000),
    encode('🙂'.repeat(300)),
  ),
);

/** One segment of a path. */
export const hostileSegment = hostileText.filter((text) => text !== '');

/** Queries: the operation’s parameters and unknown ones, some of them twice or written as arrays and objects. */
export function hostileQueries({ operation }: DocumentedOperation): fc.Arbitrary<string> {
  const declared = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const names = [
    ...declared,
    ...declared,
    'key',
    '__proto__',
    'constructor',
    'page',
    'visibility',
    '%00',
    '',
  ];
  const shapes = ['', '', '', '[]', '[a]', '[__proto__]', '%5B%5D', '.x'];
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...shapes), hostileText)
    .map(([name, shape, value]) => `${name}${shape}=${value}`);
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: pair }, fc.constantFrom('&', '=', '?', 'nsfw', ...names)), {
      maxLength: 6,
    })
    .map((pairs) => pairs.join('&'));
}

/** Percent-encodes a text, with lone surrogates as their three bytes. */
function encode(text: string): string {
  return [...text]
    .map((character) => (/\p{Surrogate}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');
}

function resolve(schema: OpenApiSchema, document: OpenApiDocument): OpenApiSchema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
}
