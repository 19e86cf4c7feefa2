import { type Photograph, sourcesOf } from './alternatives.rules';

describe('sourcesOf', () => {
  const record = (key: string) => ({ key, ...{ width: 1, height: 1, bytes: 100 } });
  const variant = (name: 'xs' | 'md' | 'xl' | 'thumb', key: string, ext = 'jpg') => ({
    ...record(key),
    ...{ name, ext, mime: 'image/jpeg' },
  });
  const photograph: Photograph = {
    ...{ slug: 'Photo01', kind: 'image', format: 'jpeg', ext: 'jpg', width: 4000, height: 3000, frames: 1 },
    variants: [
      variant('xs', 'f/Photo01_xs.jpg'),
      variant('md', 'f/Photo01_md.jpg'),
      variant('xl', 'f/Photo01.jpg'),
      variant('thumb', 'f/Photo01_xs.jpg'),
    ],
  };

  it('names each JPEG once, and the original if it serves as a size', () => {
    expect(sourcesOf(photograph)).toEqual([
      record('f/Photo01_xs.jpg'),
      record('f/Photo01_md.jpg'),
      record('f/Photo01.jpg'),
    ]);
  });

  it.each<[string, Partial<Photograph>]>([
    ['a video', { kind: 'video' }],
    ['an animation', { format: 'gif', frames: 2 }],
    ['a picture that takes long', { width: 10_000, height: 9_000 }],
    ['a picture that is not processed', { variants: [] }],
    ['a WebP', { variants: [variant('xs', 'f/Photo01_xs.webp', 'webp')] }],
    ['a removed variant', { variants: [{ ...variant('xs', 'f/Photo01_xs.jpg'), removed: true }] }],
  ])('names nothing of %s', (_, changes) => {
    expect(sourcesOf({ ...photograph, ...changes })).toEqual([]);
  });
});
