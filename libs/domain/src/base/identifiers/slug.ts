import { isSlug, SLUG_LENGTH } from '@vitrine/contracts';
import { randomBase62 } from './random-base62';

/** A random slug: seven characters of base62, at least one of them a letter. */
export function randomSlug(): string {
  for (;;) {
    const slug = randomBase62(SLUG_LENGTH);
    if (isSlug(slug)) return slug;
  }
}
