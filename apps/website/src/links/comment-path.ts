import { postPath } from './post-path';

interface PostAddress {
  readonly slug: string;
  /** The key of a private post. */
  readonly key: string | undefined;
}

/** Path of the post's page that contains a comment, with the comment as fragment. */
export function commentPath({ slug, key }: PostAddress, id: number): string {
  return `${pathWith(postPath(slug, { key }), { comment: String(id) })}#c${id}`;
}

/** Changes query parameters of a path within the site; null removes one. The fragment is dropped. */
export function pathWith(path: string, changes: Readonly<Record<string, string | null>>): string {
  const url = new URL(path, 'http://here.invalid');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}
