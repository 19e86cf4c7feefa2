/** Any host will do: it only has to stay the same. */
const HERE = 'http://here.invalid';

/**
 * The path (with query and fragment) within this site that a `next` parameter names, or `/` for whatever could lead
 * elsewhere: other hosts, other schemes, and texts that browsers read differently from us.
 */
export function safePath(text: unknown): string {
  if (typeof text !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return '/';
  if (!URL.canParse(text, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // Dot segments can leave two slashes at the start.
  return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
