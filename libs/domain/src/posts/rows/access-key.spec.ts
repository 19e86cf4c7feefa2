import fc from 'fast-check';
import { opensWith, randomAccessKey } from './access-key';

describe('access keys', () => {
  // Promise [visibility]: Access keys have 32 random characters.
  it('are unique texts of 32 characters of base62', () => {
    const keys = Array.from({ length: 500 }, randomAccessKey);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(keys.join('')).size).toBe(62);
  });

  it('match only themselves', () => {
    const key = randomAccessKey();
    expect(opensWith(key, key)).toBe(true);
    expect(opensWith(null, key)).toBe(false);
    expect(opensWith(key, null)).toBe(false);
    expect(opensWith(null, null)).toBe(false);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        (other) => other === key || !opensWith(key, other),
      ),
    );
  });
});
