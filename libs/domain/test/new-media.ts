import { randomBytes } from 'node:crypto';
import { randomSlug } from '../src/base/identifiers/slug';
import type { NewMedia } from '../src/media/rows/media-row.types';

/** The properties of a small picture that a user uploads. */
export const newMedia = (userId: number | null, overrides: Partial<NewMedia> = {}): NewMedia => ({
  slug: randomSlug(),
  userId,
  kind: 'image',
  format: 'jpeg',
  mime: 'image/jpeg',
  ext: 'jpg',
  width: 40,
  height: 30,
  duration: null,
  frames: 1,
  bytes: 123,
  receivedSha256: randomBytes(32),
  storedSha256: randomBytes(32),
  unlisted: false,
  ...overrides,
});
