import type { Post } from '@vitrine/client';
import { postPath } from '../posts/post-path';
import { queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';

/** What stands around comments: the post they are on, and the page they are shown on. */
export interface Thread {
  readonly slug: string;
  /** Username of the post's author. What it decides is only how things look; the API decides what may be done. */
  readonly author: string | null;
  /** The key of a private post. */
  readonly key: string | undefined;
  /** Path and query of the page. */
  readonly page: string;
}

/** The comments of a post that is shown on the page of the visit. */
export const threadOn = (post: Post, visit: Visit, key: string | undefined): Thread => ({
  slug: post.slug,
  author: post.user?.username ?? null,
  key,
  page: visit.path,
});

/** A path that takes the thread along in its query, for `threadOf`. */
export function withThread(path: string, { slug, author, key, page }: Thread): string {
  const query = new URLSearchParams({
    post: slug,
    next: page,
    ...(author !== null && { author }),
    ...(key !== undefined && { key }),
  });
  return `${path}?${query.toString()}`;
}

/** The thread that came in the query of a path of `withThread`. */
export function threadOf(visit: Visit): Thread {
  const text = (name: string): string => queryText(visit.request, name);
  return {
    slug: text('post'),
    author: text('author') || null,
    key: text('key') || undefined,
    page: safePath(text('next')),
  };
}

/** The page of the post that holds a comment, at that comment. */
export function commentPath({ slug, key }: Pick<Thread, 'slug' | 'key'>, id: number): string {
  return `${pathWith(postPath(slug, { key }), { comment: String(id) })}#c${id}`;
}

/** A path within the site with some of its query's parameters changed, or taken out (null). It loses its fragment. */
export function pathWith(path: string, changes: Readonly<Record<string, string | null>>): string {
  const url = new URL(path, 'http://here.invalid');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}
