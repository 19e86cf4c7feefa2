import { MAX_WEBHOOK_URL } from '@vitrine/contracts';
import { hostOf, isPublicAddress } from './public-address';

/** The ports on which receivers usually listen; others belong to other protocols. */
const PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);

/**
 * Reads the address of a stranger's server. Returns the URL, or why it can't be used, as the end of a sentence that begins with
 * the field's name. A name's addresses are checked when something is sent.
 */
export function readDestination(
  text: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): URL | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'must be an http or https address';
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
  // Escapes make the normal form longer, and that is what is stored.
  if (url.href.length > MAX_WEBHOOK_URL) return `must not be greater than ${MAX_WEBHOOK_URL} characters`;
  if (allowPrivate) return url;
  if (!PORTS.has(url.port)) return 'must use port 80, 443, 8080 or 8443';
  const host = hostOf(url);
  if (looksNumeric(host) && !isPublicAddress(host)) return 'must not lead to a private network';
  return url;
}

/** A URL's host is an address if it has a colon or, after the parser has normalized it, only digits and dots. */
const looksNumeric = (host: string): boolean => host.includes(':') || /^[\d.]+$/.test(host);
