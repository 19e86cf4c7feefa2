import fc from 'fast-check';
import { randomSlug } from '../../base/identifiers/slug';
import { readPostReference } from './post-reference';

describe('readPostReference', () => {
  it('reads slugs and ids', () => {
    for (let count = 0; count < 100; count++) {
      const slug = randomSlug();
      expect(readPostReference(slug)).toEqual({ slug });
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e14 }), (id) => {
        expect(readPostReference(String(id))).toEqual({ id });
      }),
    );
  });

  it('returns null for other texts and for ids in another spelling', () => {
    for (const text of [
      '',
      '0',
      '007',
      '-1',
      '1.0',
      '1e3',
      ' 1',
      '1234567890123456',
      'abc',
      'aB3dE5fg',
      'aB3dE5\u0000',
    ]) {
      expect(readPostReference(text)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = readPostReference(text);
        if (read) expect('slug' in read ? read.slug : String(read.id)).toBe(text);
      }),
    );
  });
});
