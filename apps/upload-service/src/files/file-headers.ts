import { SECURITY_HEADERS, transportSecurity } from '@vitrine/http';
import type { PublicUrlsConfig } from '@vitrine/runtime';

/** Files come from untrusted uploaders: the sandbox lets nothing in them run, and every site may show them. */
export const FILE_HEADERS = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Length, Content-Range, ETag, Retry-After, X-Request-Id',
} as const;

/** The headers of each answer of the file host, besides `Cache-Control`. */
export function fileHostHeaders(urls: PublicUrlsConfig): Readonly<Record<string, string>> {
  const { 'Cache-Control': _, ...security } = SECURITY_HEADERS;
  return { ...security, ...transportSecurity(urls), ...FILE_HEADERS };
}
