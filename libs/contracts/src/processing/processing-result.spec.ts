import { objectKeys } from '../media/object-keys';
import { findImplausible, type ProcessingResult } from './processing-result';
import { VARIANT_NAMES } from '../media/variant-size';

type Media = Parameters<typeof findImplausible>[1];

describe('findImplausible', () => {
  const image: Media = { slug: 'aB3dE5f', kind: 'image', ext: 'png', mime: 'image/png', bytes: 4000 };
  /** The result for a picture or video whose original serves every size. */
  const resultOf = (media: Media, facts: Partial<ProcessingResult> = {}): ProcessingResult => {
    const { width = 20, height = 20 } = facts;
    const key = objectKeys.original(media.slug, media.ext);
    const { ext, mime, bytes } = media;
    return {
      slug: media.slug,
      variants: VARIANT_NAMES.map((name) => ({ name, key, ext, mime, width, height, bytes })),
      thumbhash: 'AAAA',
      duration: null,
      hashes: [],
      frames: [],
      ...facts,
      width,
      height,
    };
  };

  it.each([
    ['of a usual size', image, {}],
    ['of 100 megapixels in one row', image, { width: 100_000_000, height: 1 }],
    [
      'of the largest size that MAX_FILE_BYTES allows',
      { ...image, kind: 'video' as const, ext: 'mp4', mime: 'video/mp4', bytes: 10 * 1024 ** 3 },
      { duration: 3600 },
    ],
  ])('returns null for the result of a file %s', (_, media, facts) => {
    expect(findImplausible(resultOf(media, facts), media)).toBeNull();
  });

  it.each([
    ['has impossible dimensions', { width: 100_000_001 }],
    ['has a malformed thumbhash', { thumbhash: '<svg>' }],
    ['has an impossible duration', { duration: 1 }],
    ['has frames that are not its own', { frames: [objectKeys.moderationFrame('gH7iJ9k', 0)] }],
  ])('reports that a result %s', (problem, facts) => {
    const result = { ...resultOf(image), ...facts };
    expect(findImplausible(result, image)).toBe(problem);
  });
});
