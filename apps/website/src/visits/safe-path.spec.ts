import fc from 'fast-check';
import { safePath } from './safe-path';

describe('safePath', () => {
  it.each(['/', '/p/abc1234?key=x#c5', '/search?q=a%20b', '/settings/tokens'])(
    'returns %s unchanged',
    (path) => {
      expect(safePath(path)).toBe(path);
    },
  );

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    'javascript:alert(1)',
    'p/abc',
    '',
    undefined,
    ['/p/abc'],
  ])('returns / for %j', (path) => {
    expect(safePath(path)).toBe('/');
  });

  it('never returns a path that leaves the site', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      '%5c',
      '\t',
      'evil.example',
      'p',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (words) => {
        const { origin } = new URL(safePath(words.join('')), 'https://site.example');
        expect(origin).toBe('https://site.example');
      }),
    );
  });
});
