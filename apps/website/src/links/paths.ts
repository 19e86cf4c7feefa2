interface PostPathOptions {
  /** The access key of a private post. */
  readonly key?: string | undefined;
}

/** The path of a post's page, or of what is below it: `below` begins with a slash. */
export const postPath = (slug: string, { key }: PostPathOptions = {}, below = ''): string =>
  `/p/${encodeURIComponent(slug)}${below}${key === undefined ? '' : `?${new URLSearchParams({ key }).toString()}`}`;

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

/** Path of a tag's page; the name is encoded. */
export const tagPath = (name: string): string => `/t/${encodeURIComponent(name)}`;

/** Path of a collection; the saved posts of the viewer have no name. */
export const collectionPath = ({
  slug,
  name,
}: {
  readonly slug: string;
  readonly name: string | null;
}): string => (name === null ? '/saved' : `/c/${slug}`);

/** Path of a guest's private page. `posted`: the slug of the post that was just created. */
export const guestPath = (token: string, posted?: string): string =>
  posted === undefined ? `/g/${token}` : `/g/${token}?${new URLSearchParams({ posted }).toString()}`;

/** The path to which the share sheets of phones send files. `browser/sharing/shared-files.ts` has the same. */
export const SHARE_PATH = '/share';

/** The settings of passwords and second factors. */
export const SECURITY_PATH = '/settings/security';

interface ProviderPathOptions {
  /** Path to which the visitor is sent afterwards. */
  readonly next: string;
  /** The code of an invite; empty if there is none. */
  readonly invite?: string;
  /** Whether the provider asks people to prove again who they are. */
  readonly again?: boolean;
}

/** Path that begins a login with an identity provider. */
export function providerPath(
  name: string,
  { next, invite = '', again = false }: ProviderPathOptions,
): string {
  const query = new URLSearchParams({
    ...(next !== '/' && { next }),
    ...(invite !== '' && { invite }),
    ...(again && { again: '1' }),
  }).toString();
  return `/log-in/${name}${query === '' ? '' : `?${query}`}`;
}

/** Path of the login page, which sends the visitor back to `next`, a path within the site. */
export const logInPath = (next: string): string => `/login${queryOf(next)}`;

/** Path of the page for signing up, which sends the visitor to `next`. */
export const registerPath = (next: string): string => `/register${queryOf(next)}`;

/** No parameter for the home page, which is the default, and for the pages for logging in and signing up. */
const queryOf = (next: string): string =>
  next === '/' || /^\/(?:login|register)\b/.test(next) ? '' : `?${new URLSearchParams({ next }).toString()}`;
