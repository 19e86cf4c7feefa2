import type { Post } from '@vitrine/client';
import { queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';

/** The context of comments: their post, and the page on which they are shown. */
export interface Thread {
  readonly slug: string;
  /** Username of the post's author. It only affects the display; the API decides about permissions. */
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

/** Adds the thread to a path's query, where `threadOf` reads it. */
export function withThread(path: string, { slug, author, key, page }: Thread): string {
  const query = new URLSearchParams({
    post: slug,
    next: page,
    ...(author !== null && { author }),
    ...(key !== undefined && { key }),
  });
  return `${path}?${query.toString()}`;
}

/** Reads the thread from the query of a path that `withThread` made. */
export function threadOf(visit: Visit): Thread {
  const text = (name: string): string => queryText(visit.request, name);
  return {
    slug: text('post'),
    author: text('author') || null,
    key: text('key') || undefined,
    page: safePath(text('next')),
  };
}
