import { isSlug, readNumericId } from '@vitrine/contracts';
import type { NamedBy } from './post.rules';

/** A post's slug or numeric id. */
export type PostReference = { readonly slug: string } | { readonly id: number };

/**
 * Reads a slug or a numeric id; null if the text is neither. They never collide, because a slug contains a letter.
 */
export function readPostReference(text: string): PostReference | null {
  const id = readNumericId(text);
  if (id !== null) return { id };
  return isSlug(text) ? { slug: text } : null;
}

/** Whether a reference is a slug or an id. */
export const namedBy = (post: PostReference): NamedBy => ('slug' in post ? 'slug' : 'id');

/** The column and the value to find a post. */
export const referenceCondition = (post: PostReference): readonly ['slug' | 'id', string | number] =>
  'slug' in post ? ['slug', post.slug] : ['id', post.id];
