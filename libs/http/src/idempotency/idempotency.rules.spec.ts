import { createHash } from 'node:crypto';
import { InvalidFieldsError } from '@vitrine/domain';
import fc from 'fast-check';
import { canonicalJson, canonicalParts, isFinalAnswer, readKey, requestDigest } from './idempotency.rules';

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, shuffled(item)]),
  );
};

describe('idempotency keys', () => {
  it('are 1 to 255 visible ASCII characters', () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    });
    fc.assert(fc.property(visible, (key) => expect(readKey(key)).toBe(key)));
    expect(readKey(undefined)).toBeNull();
    for (const bad of ['', ' ', 'a b', 'a\tb', 'a\u007f', 'é', '\u{1f600}', 'x'.repeat(256), ['a', 'b']]) {
      expect(() => readKey(bad)).toThrow(InvalidFieldsError);
    }
  });
});

describe('the digest of a request', () => {
  it('depends on the value of the body, not on its spelling', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(JSON.stringify(value, null, 2)))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each([
    [undefined, null],
    [undefined, {}],
    [{}, []],
    [
      [1, [2]],
      [[1], 2],
    ],
    [{ a: { b: 1 } }, { a: {}, b: 1 }],
    [{ a: '1' }, { a: 1 }],
    [{ a: null }, {}],
    [{ a: Infinity }, { a: null }],
    [['a', 'b'], ['a,b']],
    [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
    [JSON.parse('{"__proto__":1}'), {}],
  ])('sees that %j is not %j', (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it('accepts any depth', () => {
    const text = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(canonicalJson(JSON.parse(text)) === text).toBe(true);
  });

  it('depends on method, path and query', () => {
    const requests = [
      ['POST', '/a', ''],
      ['PUT', '/a', ''],
      ['POST', '/a?b', ''],
      ['POST', '/a', 'b'],
      ['POST', '/b', ''],
    ] as const;
    const digests = requests.map(([method, path, body]) => requestDigest(method, path, body).toString('hex'));
    expect(new Set(digests).size).toBe(requests.length);
  });

  // Promise [requests]: Multipart requests are compared by the names and bytes of their parts.
  it('depends on the names and bytes of parts, not on their order', () => {
    const part = (name: string, bytes: string) => ({
      name,
      sha256: createHash('sha256').update(bytes).digest(),
    });
    const file = part('file', 'x');
    const post = part('post_id', '1');
    expect(canonicalParts([file, post])).toBe(canonicalParts([post, file]));
    const others = [[file], [post], [file, file], [part('post_id', 'x'), part('file', '1')], []];
    for (const parts of others) expect(canonicalParts(parts)).not.toBe(canonicalParts([file, post]));
  });
});

describe('a final answer', () => {
  it('is one that neither time nor another token changes', () => {
    for (const status of [200, 201, 204, 400, 403, 404, 422, 451]) expect(isFinalAnswer(status)).toBe(true);
    for (const status of [401, 429, 500, 503]) expect(isFinalAnswer(status)).toBe(false);
  });
});
