import { isSlug } from '@vitrine/contracts';
import { randomSlug } from './slug';

describe('slugs', () => {
  // Promise [content]: Slugs are unique and have seven letters and digits, at least one of them a letter.
  it('are seven letters and digits with at least one letter, and are unique', () => {
    const slugs = Array.from({ length: 5000 }, randomSlug);
    for (const slug of slugs) expect(slug).toMatch(/^(?=.*[A-Za-z])[A-Za-z0-9]{7}$/);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('use the whole alphabet', () => {
    expect(new Set(Array.from({ length: 5000 }, randomSlug).join('')).size).toBe(62);
  });

  it.each(['abcdefg', 'ABC123x', '1234x67'])('%s is one', (text) => expect(isSlug(text)).toBe(true));
  it.each(['1234567', 'abcdef', 'abcdefgh', 'abc-efg', 'abcdéfg', 'abcdefg\n', ''])('%j is none', (text) =>
    expect(isSlug(text)).toBe(false),
  );
});
