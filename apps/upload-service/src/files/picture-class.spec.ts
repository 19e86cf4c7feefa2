import fc from 'fast-check';
import { type PictureClass, pictureClassOf } from './picture-class';

describe('pictureClassOf', () => {
  it.each<[PictureClass, string, string | undefined]>([
    ['plain', 'no header', undefined],
    ['plain', 'an empty header', ''],
    ['plain', 'curl', '*/*'],
    ['plain', 'every picture', 'image/*'],
    ['plain', 'a page in a browser of the past', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    [
      'plain',
      'an address that is opened in a browser',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
    ],
    ['avif', 'Chromium', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'],
    ['avif', 'Firefox', 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'],
    ['webp', 'Safari 14', 'image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5'],
    ['avif-only', 'a client without WebP', 'image/avif, */*'],
    ['avif', 'capitals and spaces', ' IMAGE/AVIF ; Q=1.0 ,\timage/WebP'],
    ['plain', 'formats that are refused', 'image/avif;q=0, image/webp;q=0.000, */*'],
    ['webp', 'one that is refused', 'image/avif;q=0,image/webp'],
    ['plain', 'a preference for JPEG', 'image/jpeg, image/webp;q=0.9, image/avif;q=0.9'],
    ['plain', 'a preference for any other picture', 'image/*, image/avif;q=0.9'],
    ['avif-only', 'a preference for AVIF', 'image/jpeg;q=0.5, image/avif;q=0.6, image/webp;q=0.4'],
    ['plain', 'a quality that can not be read', 'image/avif;q=high, image/webp;q=1.5'],
    ['plain', 'a refusal after an acceptance', 'image/webp, image/webp;q=0'],
    ['plain', 'a header of more than 1,000 characters', 'image/avif,'.repeat(100)],
    ['plain', 'types that only begin like one', 'image/avif-sequence, image/webpx, ximage/webp'],
  ])('is %s for %s', (expected, _, accept) => {
    expect(pictureClassOf(accept)).toBe(expected);
  });

  it('never chooses a format that the client does not name', () => {
    const name = fc.constantFrom(
      'image/avif',
      'image/webp',
      'image/jpeg',
      'image/*',
      '*/*',
      'text/html',
      'x',
    );
    const quality = fc.constantFrom('', ';q=1', ';q=0', ';q=0.5', '; q=0.001', ';level=1', ';q=');
    const range = fc.tuple(name, quality).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 6 }), fc.constantFrom(',', ', '), (ranges, comma) => {
        const accept = ranges.join(comma);
        const pictures = pictureClassOf(accept);
        const names = (type: string): boolean => accept.includes(type);
        if (pictures.startsWith('avif')) expect(names('image/avif')).toBe(true);
        if (pictures === 'webp' || pictures === 'avif') expect(names('image/webp')).toBe(true);
      }),
    );
  });
});
