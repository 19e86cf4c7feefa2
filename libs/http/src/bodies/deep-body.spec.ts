import fc from 'fast-check';
import { isDeeperThan } from './json-body.guard';

describe('the depth of a body', () => {
  const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = 'x';
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  };

  it('counts arrays and objects alike', () => {
    const wraps = fc.constantFrom(
      (inner: unknown) => [1, inner, null],
      (inner: unknown) => ({ a: 'b', c: inner }),
    );
    fc.assert(
      fc.property(fc.nat(40), wraps, (levels, wrap) => {
        expect(isDeeperThan(levels, nested(levels, wrap))).toBe(false);
        if (levels > 0) expect(isDeeperThan(levels - 1, nested(levels, wrap))).toBe(true);
      }),
    );
  });

  it('is found for bodies that would overflow the stack', () => {
    expect(isDeeperThan(32, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBe(true);
    for (const flat of [undefined, null, 17, 'text', true]) expect(isDeeperThan(0, flat)).toBe(false);
  });
});
