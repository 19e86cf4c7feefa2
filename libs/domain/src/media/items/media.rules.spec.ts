import { MODERATION_STATUSES, VARIANT_NAMES } from '@vitrine/contracts';
import fc from 'fast-check';
import { owns, type Viewer } from '../../base/access/viewer';
import { secondsToMidnightUtc } from '../../base/daily-counts/utc-day';
import { canServeOriginalInstead, variantExtension, type VariantSource } from '../links/variant.rules';
import { canSeeMedia, isMediaShownInList } from './media.rules';

const image = (format: string, ext: string, frames = 1): VariantSource => ({
  kind: 'image',
  format,
  ext,
  frames,
  variants: [],
});

describe('variantExtension', () => {
  // Promise [files]: A size keeps the original’s extension if browsers show the format.
  it.each([
    [image('jpeg', 'jpg'), 'jpg'],
    [image('png', 'png'), 'png'],
    [image('webp', 'webp'), 'webp'],
    [image('avif', 'avif'), 'avif'],
    [image('gif', 'gif'), 'png'],
    [image('svg', 'svg'), 'png'],
    [image('heic', 'heic'), 'jpg'],
    [image('tiff', 'tif'), 'jpg'],
    [image('bmp', 'bmp'), 'jpg'],
    [image('jxl', 'jxl'), 'jpg'],
    [image('gif', 'gif', 9), 'webp'],
    [image('png', 'png', 9), 'webp'],
    [image('webp', 'webp', 9), 'webp'],
    [image('avif', 'avif', 9), 'webp'],
    [image('heic', 'heic', 9), 'jpg'],
    [image('jxl', 'jxl', 9), 'jpg'],
    [image('tiff', 'tif', 9), 'jpg'],
  ])('of %j is %s', (media, expected) => {
    for (const name of VARIANT_NAMES) expect(variantExtension(media, name)).toBe(expected);
  });

  // Promise [content]: Sizes of a video are `.mp4`, its still is `.jpg`.
  it('is mp4 for a video and jpg for its still', () => {
    const video: VariantSource = { kind: 'video', format: 'matroska', ext: 'mkv', frames: 1, variants: [] };
    expect(variantExtension(video, 'xl')).toBe('mp4');
    expect(variantExtension(video, 'thumb')).toBe('jpg');
  });

  it('is that of the stored variant if there is one', () => {
    const made = {
      name: 'sm' as const,
      key: 'f/x',
      ext: 'png',
      mime: 'image/png',
      width: 1,
      height: 1,
      bytes: 1,
    };
    const media = { ...image('tiff', 'tif'), variants: [made] };
    expect(variantExtension(media, 'sm')).toBe('png');
    expect(variantExtension(media, 'md')).toBe('jpg');
  });
});

describe('canServeOriginalInstead', () => {
  it.each([
    ['image', 'image/jpeg', 'xl', true],
    ['image', 'image/svg+xml', 'xs', true],
    ['image', 'image/heic', 'xl', false],
    ['image', 'image/tiff', 'thumb', false],
    ['video', 'video/mp4', 'md', true],
    ['video', 'video/webm', 'md', true],
    ['video', 'video/mp4', 'thumb', false],
    ['video', 'video/x-matroska', 'md', false],
  ] as const)('%s %s as %s: %s', (kind, mime, name, expected) => {
    expect(canServeOriginalInstead({ kind, mime }, name)).toBe(expected);
  });
});

describe('who may see a media item', () => {
  const statuses = fc.constantFrom(...MODERATION_STATUSES);
  const owner: Viewer = { userId: 7, role: 'user' };

  const anyRestriction = fc.constantFrom(null, 'limited', 'suspended');

  it('everyone, unless it is rejected or its owner suspended', () => {
    fc.assert(
      fc.property(
        statuses,
        anyRestriction,
        fc.option(fc.nat(20)),
        fc.option(fc.nat(20)),
        (moderationStatus, restriction, userId, viewerId) => {
          const viewer: Viewer = viewerId === null ? null : { userId: viewerId, role: 'user' };
          const isOwner = userId !== null && userId === viewerId;
          const isOpen = moderationStatus !== 'rejected' && restriction !== 'suspended';
          const media = { userId, moderationStatus };
          expect(canSeeMedia(media, restriction, viewer)).toBe(isOpen || isOwner);
          expect(isMediaShownInList(media, restriction, viewer)).toBe(
            (isOpen && restriction === null) || isOwner,
          );
        },
      ),
    );
  });

  it.each(['moderator', 'admin'] as const)('a %s, also if it is rejected or its owner suspended', (role) => {
    const media = { userId: 1, moderationStatus: 'rejected' } as const;
    expect(canSeeMedia(media, 'suspended', { userId: 2, role })).toBe(true);
  });

  it('media without an owner belong to no user', () => {
    expect(owns({ userId: null }, null)).toBe(false);
    expect(owns({ userId: null }, owner)).toBe(false);
    expect(owns({ userId: 7 }, owner)).toBe(true);
  });
});

describe('secondsToMidnightUtc', () => {
  it.each([
    ['2026-11-21T23:59:59.999Z', 1],
    ['2026-11-21T00:00:00.000Z', 86_400],
    ['2026-12-31T12:00:00.000Z', 43_200],
  ])('at %s is %d', (now, expected) => expect(secondsToMidnightUtc(new Date(now))).toBe(expected));
});
