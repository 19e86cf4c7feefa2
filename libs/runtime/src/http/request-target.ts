import type { IncomingMessage } from 'node:http';

/** Longer than any name of a host with its port (RFC 1035, 2.3.4). */
const MAX_AUTHORITY = 300;
/** A host with its port as a `Host` header has it (RFC 9110, 7.2). */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d{0,5})?$/i;
const ABSOLUTE = /^(https?):\/\/([^/?]*)([/?].*)?$/i;
const DEFAULT_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** The characters of a path (RFC 3986, 3.3). */
const PATH = /^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i;
/** Escapes of characters that need no escape, that would separate segments, or that no path contains. */
const NEEDLESS_ESCAPE = /%(?:2[def]|3\d|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9aef]|[01][0-9a-f])/i;
/** An empty segment, `.` or `..`, or a slash at the end. */
const ODD_SEGMENT = /\/(?:\.{0,2}\/|\.{1,2}$|$)/;

/** Returns the target (path and query) that a request is treated as; what it removes is seen by no later code. */
export type RewriteTarget = (url: string, request: IncomingMessage) => string;

const misspelt = new WeakSet<IncomingMessage>();

/**
 * Brings the target of a request into origin form: path and query. After this, all code uses `request.url`, and
 * `pathBegins` and `isMisspelt` where the spelling of the path matters. `hosts` are this host's own authorities, in
 * lowercase. Returns false if the request must be answered 400: it has two `Host` headers, or none in HTTP/1.1 (RFC 9112,
 * 3.2), or its target is invalid, or in absolute form and names another host. `rewrite` may replace the target; its
 * result decides whether the path is misspelt.
 */
export function normaliseTarget(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  rewrite: RewriteTarget = (url) => url,
): boolean {
  const sentHosts = request.headersDistinct['host'] ?? [];
  const [host] = sentHosts;
  if (sentHosts.length > 1) return false;
  if (host === undefined ? request.httpVersion !== '1.0' : !isAuthority(host)) return false;
  const sent = toOriginForm(request, hosts);
  if (sent === null || sent.includes('#')) return false;
  const url = rewrite(sent, request);
  request.url = url;
  if (url !== '*' && !isExact(pathOf(url))) misspelt.add(request);
  return true;
}

/** Whether a path is spelled differently from links to it, e.g. `/f//a.png` or `/%66/a.png`: such a path is 404. */
export const isMisspelt = (request: IncomingMessage): boolean => misspelt.has(request);

/** Whether the path of a request is spelled as links are and begins with `start`. */
export const pathBegins = (request: IncomingMessage, start: string): boolean =>
  !isMisspelt(request) && (request.url ?? '').startsWith(start);

/**
 * Path and query of the target; null if the request isn't for this host. Sets the `Host` header to the host that the
 * target names.
 */
function toOriginForm(request: IncomingMessage, hosts: ReadonlySet<string>): string | null {
  const { url = '', method, headers } = request;
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return url;
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (!isAuthority(authority) || authority === '') return null;
  const port = DEFAULT_PORT[scheme.toLowerCase()] ?? '';
  const isNamed = (other: string): boolean => withoutPort(other, port) === withoutPort(authority, port);
  if (![headers.host ?? '', ...hosts].some(isNamed)) return null;
  // The target outranks the header (RFC 9112, 3.2.2).
  headers.host = authority;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const isAuthority = (text: string): boolean => text.length <= MAX_AUTHORITY && AUTHORITY.test(text);

const withoutPort = (authority: string, port: string): string => {
  const name = authority.toLowerCase();
  return name.endsWith(port) ? name.slice(0, -port.length) : name;
};

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

function isExact(path: string): boolean {
  if (path === '/') return true;
  if (!PATH.test(path) || NEEDLESS_ESCAPE.test(path) || ODD_SEGMENT.test(path)) return false;
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    // Bytes that aren't UTF-8.
    return false;
  }
}
