/** An arbitrary host, to detect whether a URL leaves it. */
const HERE = 'http://here.invalid';

/**
 * The path (with query and fragment) within this site that a `next` parameter names. Returns `/` for anything that
 * could lead elsewhere: other hosts, other schemes, and texts that browsers parse differently.
 */
export function safePath(text: unknown): string {
  if (typeof text !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return '/';
  if (!URL.canParse(text, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // Removing dot segments can leave two slashes at the start.
  return origin === HERE && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
