import { isSlug } from '../slugs/slug';
import type { NamedBy } from './post.rules';

/** What names a post: its slug or its numeric id. */
export type PostReference = { readonly slug: string } | { readonly id: number };

/**
 * Reads a slug or a numeric id, which never collide: slugs hold a letter. Null where the text can be neither.
 */
export function readPostReference(text: string): PostReference | null {
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) };
  return isSlug(text) ? { slug: text } : null;
}

/** How a caller named a post. */
export const namedBy = (post: PostReference): NamedBy => ('slug' in post ? 'slug' : 'id');

/** The column and the value by which a post is found. */
export const referenceCondition = (post: PostReference): readonly ['slug' | 'id', string | number] =>
  'slug' in post ? ['slug', post.slug] : ['id', post.id];
