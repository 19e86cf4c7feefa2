import { isView } from './requests';

describe('isView', () => {
  it.each([
    ['GET', {}, true],
    ['HEAD', {}, false],
    ['GET', { 'sec-purpose': 'prefetch' }, false],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }, false],
    ['GET', { 'sec-purpose': 'prefetch; anonymous-client-ip' }, false],
    ['GET', { 'sec-purpose': 'PREFETCH' }, false],
    ['GET', { purpose: 'prefetch' }, false],
    ['GET', { purpose: ['something', 'prefetch'] }, false],
    ['GET', { purpose: 'preview' }, true],
    ['GET', { 'sec-purpose': 'not-prefetch' }, true],
    ['GET', { 'sec-purpose': '' }, true],
  ])('counts a %s with %j as a view: %s', (method, headers, expected) => {
    expect(isView({ method, headers })).toBe(expected);
  });
});
