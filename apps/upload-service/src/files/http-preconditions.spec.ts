import fc from 'fast-check';
import { matchesAny, rangeApplies, readRange } from './http-preconditions';

describe('readRange', () => {
  it.each([
    ['bytes=0-4', { from: 0, to: 4 }],
    ['bytes=5-', { from: 5, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-30', { from: 0, to: 9 }],
    ['bytes=2-999', { from: 2, to: 9 }],
    ['BYTES=1-1', { from: 1, to: 1 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=4-2', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,3-4', 'whole'],
    ['pages=1-2', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['', 'whole'],
  ])('%j of ten bytes', (header, expected) => {
    expect(readRange(header, 10)).toEqual(expected);
  });

  it('never returns a range outside the file', () => {
    const bound = fc.oneof(fc.constant(''), fc.nat(50).map(String));
    fc.assert(
      fc.property(bound, bound, fc.nat(40), (first, last, size) => {
        const range = readRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        expect(range.from).toBeGreaterThanOrEqual(0);
        expect(range.to).toBeGreaterThanOrEqual(range.from);
        expect(range.to).toBeLessThan(size);
      }),
    );
  });
});

describe('matchesAny', () => {
  it.each(['"a"', 'W/"a"', '*', '"x", "a"', ' "x" , W/"a" '])('%s matches "a"', (header) =>
    expect(matchesAny(header, '"a"')).toBe(true),
  );
  it.each(['"b"', 'a', '', '"A"', '"x","y"'])('%j does not match', (header) =>
    expect(matchesAny(header, '"a"')).toBe(false),
  );
});

describe('rangeApplies', () => {
  it('is true without If-Range, and otherwise only for the exact tag', () => {
    expect(rangeApplies(undefined, '"a"')).toBe(true);
    expect(rangeApplies('"a"', '"a"')).toBe(true);
    expect(rangeApplies('W/"a"', '"a"')).toBe(false);
    expect(rangeApplies('Wed, 21 Oct 2015 07:28:00 GMT', '"a"')).toBe(false);
  });
});
