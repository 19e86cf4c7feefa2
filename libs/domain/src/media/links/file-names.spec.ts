import { VARIANT_NAMES, type VariantRecord } from '@vitrine/contracts';
import { fileNamesOf } from './file-names';

const image = {
  kind: 'image',
  format: 'jpeg',
  ext: 'jpg',
  frames: 1,
  variants: [],
  slug: 'aB3dE5f',
} as const;

const made = (ext: string): VariantRecord[] =>
  VARIANT_NAMES.map((name) => ({ name, ext, key: 'k', mime: 'm', width: 1, height: 1, bytes: 1 }));
const of = (...exts: string[]): string[] =>
  VARIANT_NAMES.flatMap((name) => exts.map((ext) => `aB3dE5f_${name}.${ext}`));

describe('fileNamesOf', () => {
  it.each([
    ['a picture that keeps its format', image, ['jpg']],
    [
      'a picture that browsers do not show',
      { ...image, format: 'heic', ext: 'heic' },
      ['jpg', 'heic', 'png'],
    ],
    [
      'the same with alpha, once it is processed',
      { ...image, format: 'tiff', ext: 'tiff', variants: made('png') },
      ['jpg', 'png', 'tiff'],
    ],
    ['an animation', { ...image, format: 'gif', ext: 'gif', frames: 9 }, ['webp', 'gif']],
  ])('names the original and every size of %s', (_, media, exts) => {
    const step = media.frames === 1 ? exts.map((ext) => `aB3dE5f_ml.${ext}`) : [];
    expect([...fileNamesOf(media)].sort()).toEqual([`aB3dE5f.${media.ext}`, ...of(...exts), ...step].sort());
  });

  it('names every still and loop that a processed animation may have had', () => {
    const names = fileNamesOf({ ...image, format: 'gif', ext: 'gif', frames: 9, variants: made('webp') });
    const animated = ['aB3dE5f_still.jpg', 'aB3dE5f_still.webp', 'aB3dE5f_loop.mp4'];
    expect([...names].sort()).toEqual(['aB3dE5f.gif', ...of('webp', 'gif'), ...animated].sort());
  });

  it('names the renditions and the still of a video', () => {
    const names = fileNamesOf({ ...image, kind: 'video', format: 'quicktime', ext: 'mov' });
    expect(names).toEqual(
      expect.arrayContaining(['aB3dE5f.mov', 'aB3dE5f_md.mp4', 'aB3dE5f_md.mov', 'aB3dE5f_thumb.jpg']),
    );
    expect(names).toHaveLength(1 + 2 * VARIANT_NAMES.length);
  });
});
